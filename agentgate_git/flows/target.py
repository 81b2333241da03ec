"""The branch that proposals are meant for."""

from __future__ import annotations

from agentgate_git.repo.refs import read_ref, resolve_commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.model.oid import Oid
    from agentgate_git.repo.process import Git

TARGET_KEY = "agentgate.target"
_ORIGIN_HEAD = "refs/remotes/origin/HEAD"


def find_target(git: Git) -> tuple[Oid, str]:
    """The commit of `agentgate.target` or `origin/HEAD` and how it was named; both empty when none is known."""
    configured = git.try_run("config", "--get", TARGET_KEY)
    if configured.status == 0:
        name = configured.stdout.decode("utf-8", "replace").strip()
        return resolve_commit(git, name), name
    origin = read_ref(git, _ORIGIN_HEAD)
    return (origin, "origin/HEAD") if origin else ("", "")
