"""The branch that proposals are meant for."""

from __future__ import annotations

from agentgate_git.model.failure import UsageFailure
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
    name = configured.stdout.decode("utf-8", "surrogateescape").strip() if configured.status == 0 else ""
    if name:
        return _configured(git, name), name
    origin = read_ref(git, _ORIGIN_HEAD)
    return (origin, "origin/HEAD") if origin else ("", "")


def _configured(git: Git, name: str) -> Oid:
    try:
        return resolve_commit(git, name)
    except UsageFailure as failure:
        what = "more than one thing" if "more than one" in failure.message else "no commit"
        step = f"fetch it, or put `git config {TARGET_KEY}` right"
        raise UsageFailure(f"{TARGET_KEY} is {name!r}, which names {what} here", step) from None
