"""E_REF_GUARDED: refs that judgements rest on, which a push may not delete, rewind or write."""

from __future__ import annotations

from agentgate_git.model import code
from agentgate_git.model.evidence import KINDS, REF_PREFIX
from agentgate_git.model.finding import BLOCK, Finding

# What a clone keeps for itself, and what makes plain git show other objects than those that are judged.
_CLOSED = {
    "refs/agentgate/": "it holds what one clone keeps for itself",
    "refs/replace/": "it makes git show other objects than those that were judged",
}
NOTES = "refs/notes/"


def closed_ref(ref: str) -> Finding | None:
    """The finding on a ref that nobody may push, whatever is done to it; None for any other."""
    for prefix, reason in _CLOSED.items():
        if ref.startswith(prefix):
            return guarded_ref(f"{ref} is closed: {reason}")
    above = REF_PREFIX.rstrip("/")
    if ref == above or (ref.startswith(REF_PREFIX) and kind_of(ref) not in KINDS):
        return guarded_ref(f"{ref} holds no kind of record; there are {', '.join(KINDS)} below {above}")
    return None


def kind_of(ref: str) -> str:
    """The kind of record that a notes ref of ours holds, empty for any other ref."""
    return ref.removeprefix(REF_PREFIX) if ref.startswith(REF_PREFIX) else ""


def brings_no_code(ref: str) -> bool:
    """True for notes of others: they are no proposals, and what they bring is judged when a branch brings it."""
    return ref.startswith(NOTES)


def target_loss(ref: str, *, is_deletion: bool, is_forward: bool) -> Finding | None:
    """The finding on an update of the target branch that loses any of its commits."""
    if is_deletion:
        return guarded_ref(f"{ref} is what proposals are judged against; it may not be deleted")
    if not is_forward:
        return guarded_ref(f"{ref} is what proposals are judged against; this push would take commits away from it")
    return None


def missing_target(target: str) -> Finding:
    """The finding on code that is pushed while there is nothing to judge it against."""
    return Finding(
        code.REF_GUARDED,
        BLOCK,
        "",
        f"{target}, which pushes are judged against here, does not exist yet and is not in this push",
        "push it first; where it has another name, set it on the server: `git config agentgate.target <branch>`",
    )


def guarded_ref(message: str) -> Finding:
    """The blocking finding with the standing next step."""
    return Finding(code.REF_GUARDED, BLOCK, "", message, code.next_step(code.REF_GUARDED))
