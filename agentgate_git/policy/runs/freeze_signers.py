"""Whose freeze counts: an enrolled principal's who had no part in the patch or its run, or one that the base holds."""

from __future__ import annotations

from agentgate_git.model.record import Record
from agentgate_git.policy.received_notes import ANYONE, may_write


class FreezeSigning(Record):
    """Who stands behind a freeze; the default of every field is the strictest.

    `signers` are principals that the base enrols, each with a good signature on the line. `parties` are those who
    signed the seal, the credit or a commit of the proposal. `writers` say who may file freezes, as `writers_of` does;
    `anyone` means any enrolled principal here. `is_in_base` is True for a freeze that the base commit holds.
    """

    signers: tuple[str, ...] = ()
    parties: tuple[str, ...] = ()
    writers: tuple[str, ...] = ()
    is_in_base: bool = False


def witnesses(facts: FreezeSigning) -> tuple[str, ...]:
    """The principals that a freeze counts by."""
    return tuple(one for one in _writers(facts) if one not in facts.parties)


def signing_problem(facts: FreezeSigning) -> str:
    """Why a freeze counts for nothing, completing "it …"; empty when it counts."""
    if facts.is_in_base or witnesses(facts):
        return ""
    if not facts.signers:
        return "is not signed with a key that the base enrols"
    if writers := _writers(facts):
        return f"is signed by {', '.join(writers)}, who had a part in the patch or its run"
    return f"is signed by {', '.join(facts.signers)}; here {' or '.join(facts.writers) or 'nobody'} may file one"


def _writers(facts: FreezeSigning) -> tuple[str, ...]:
    return tuple(one for one in facts.signers if ANYONE in facts.writers or may_write(one, facts.writers))
