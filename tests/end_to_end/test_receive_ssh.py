"""Real pushes through sshd, to a plain bare repository."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from testing.evidence_keys import Keys
from testing.push_deeds import HONEST, REFUSED, Deed
from testing.push_servers import sshd
from testing.repo_builder import RepoBuilder
from testing.server_repo import Remote, bare, first_push

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def remote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Remote]:
    """A server that has its first push, and a developer."""
    directory = tmp_path_factory.mktemp("ssh")
    home, keys = directory / "home", Keys(directory / "keys")
    server = bare(directory / "server.git", home)
    repo = RepoBuilder.create(directory / "repo", directory / "developer")
    with sshd(directory / "sshd", keys, keys.public("developer"), home) as ssh:
        repo.environment.update(ssh.environment("developer"))
        yield first_push(server, repo, ssh.url(str(server.path)), keys)


@pytest.mark.parametrize("deed", HONEST.values(), ids=HONEST)
def test_honest_work_goes_in(remote: Remote, deed: Deed) -> None:
    deed(remote)


@pytest.mark.parametrize("deed", REFUSED.values(), ids=REFUSED)
def test_what_is_refused_leaves_nothing_behind(remote: Remote, deed: Deed) -> None:
    deed(remote)
