"""Real pushes over HTTP: git-http-backend behind lighttpd."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from testing.evidence_keys import Keys
from testing.push_deeds import HONEST, REFUSED, Deed
from testing.push_servers import lighttpd
from testing.repo_builder import RepoBuilder
from testing.server_repo import Remote, bare, first_push

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    """A server that has its first push, and a developer."""
    directory = tmp_path_factory.mktemp("http")
    home = directory / "home"
    server = bare(directory / "root" / "server.git", home)
    server.git("config", "http.receivepack", "true")
    repo = RepoBuilder.create(directory / "repo", directory / "developer")
    with lighttpd(directory / "lighttpd", directory / "root", home) as url:
        yield first_push(server, repo, f"{url}/server.git", Keys(directory / "keys"))


@pytest.mark.parametrize("deed", HONEST.values(), ids=HONEST)
def test_honest_work_goes_in(remote: Remote, deed: Deed) -> None:
    deed(remote)


@pytest.mark.parametrize("deed", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_leaves_nothing_behind(remote: Remote, deed: Deed) -> None:
    deed(remote)
