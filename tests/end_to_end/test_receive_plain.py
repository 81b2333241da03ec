"""Real pushes to a bare repository on the same disk, with the hook in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.evidence_keys import Keys
from testing.push_deeds import HONEST, REFUSED, Deed
from testing.repo_builder import RepoBuilder
from testing.server_repo import Remote, bare, first_push

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=["sha1", "sha256"])
def remote(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Remote:
    """A server that has its first push, and a developer."""
    return make_remote(tmp_path_factory.mktemp("plain"), request.param)


def make_remote(directory: Path, object_format: str = "sha1", stage: str = "pre-receive") -> Remote:
    home = directory / "home"
    server = bare(directory / "server.git", home, object_format=object_format, stage=stage)
    repo = RepoBuilder.create(directory / "repo", home, object_format=object_format)
    return first_push(server, repo, str(server.path), Keys(directory / "keys"))


@pytest.mark.parametrize("deed", HONEST.values(), ids=HONEST)
def test_honest_work_goes_in(remote: Remote, deed: Deed) -> None:
    deed(remote)


@pytest.mark.parametrize("deed", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_leaves_nothing_behind(remote: Remote, deed: Deed) -> None:
    deed(remote)
