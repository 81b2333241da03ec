"""How a server repository is set up: the branch that pushes are judged against, and what one push may hold."""

from __future__ import annotations

from agentgate_git.flows.target import TARGET_KEY
from agentgate_git.model.failure import Failure, Undecided, UsageFailure
from agentgate_git.model.received import Limits, Target
from agentgate_git.model.setup import SetupRow
from agentgate_git.repo.process import Git
from agentgate_git.repo.refs import read_ref, symbolic_target

_BRANCHES = "refs/heads/"
_LIMIT_KEYS = {
    "refs": "agentgate.maxRefs",
    "commits": "agentgate.maxCommits",
    "notes": "agentgate.maxNotes",
    "seconds": "agentgate.maxSeconds",
}
_MOST_DIGITS = 9


def server_target(git: Git) -> Target:
    """The branch of `agentgate.target`, else the one that HEAD names. No other kind of ref is looked at.

    A tag or a remote's branch of the same name, which anybody could push, is therefore never taken for it.
    """
    name = _setting(git, TARGET_KEY) or "HEAD"
    ref = symbolic_target(git, "HEAD") if name == "HEAD" else _BRANCHES + name.removeprefix(_BRANCHES)
    if ref is None:
        raise Undecided("HEAD of this repository names no branch", f"set {TARGET_KEY} on the server to a branch")
    ref = real_ref(git, ref)
    return Target(ref, read_ref(git, ref) or "")


def target_row(git: Git, is_there: str, is_not: str) -> SetupRow:
    """What pushes are judged against, by the two states of a row; a server on which it is missing refuses all code."""
    step = f"push it first, or run `git config {TARGET_KEY} <branch>` here"
    try:
        target = server_target(git)
        server_limits(git)
    except Failure as failure:
        return SetupRow(is_not, failure.message, failure.next_step)
    if not target.oid:
        return SetupRow(is_not, f"{target.ref}, which pushes are judged against, does not exist yet", step)
    return SetupRow(is_there, f"pushes are judged against {target.ref}")


def real_ref(git: Git, ref: str) -> str:
    """The ref that an update of `ref` would write: git follows symbolic refs to their end, be it there or not."""
    return symbolic_target(git, ref) or ref


def server_limits(git: Git) -> Limits:
    """The built-in limits and those that the repository's configuration sets."""
    found = {field: _setting(git, key) for field, key in _LIMIT_KEYS.items()}
    return Limits(**{field: _positive(_LIMIT_KEYS[field], value) for field, value in found.items() if value})


def _positive(key: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS and int(value)):
        raise UsageFailure(f"{key} is {value!r}", "set it on the server to a number above 0")
    return int(value)


def _setting(git: Git, key: str) -> str:
    answer = git.try_run("config", "--get", key)
    return answer.stdout.decode("utf-8", "surrogateescape").strip() if answer.status == 0 else ""
