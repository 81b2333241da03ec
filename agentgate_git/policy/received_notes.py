"""E_NOTE_LOST and E_NOTE_UNTRUSTED: evidence only grows, and only by those who may write it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model import code
from agentgate_git.model.evidence import ADOPTIONS, FREEZES, PACKETS, REQUESTS, VERDICTS
from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.model.oid import Oid
from agentgate_git.model.policy import Policy
from agentgate_git.model.received import NewLine

ANYONE = "anyone"
RUNNER = "runner"
HUMAN = "human"

# A packet or a verdict is a claim that `verify` derives again, and anybody may ask for an adoption; the others decide
# by who wrote them.
_BUILT_IN = {
    PACKETS: (ANYONE,),
    VERDICTS: (ANYONE,),
    FREEZES: (RUNNER, HUMAN),
    ADOPTIONS: (HUMAN,),
    REQUESTS: (ANYONE,),
}


def writers_of(policy: Policy, kind: str) -> tuple[str, ...]:
    """Who may write records of a kind: `anyone`, roles, or single principals such as `runner:ci`."""
    return dict(policy.notes).get(kind, _BUILT_IN.get(kind, (RUNNER,)))


def may_write(principal: str, writers: tuple[str, ...]) -> bool:
    """True for a principal that is named itself, or whose role is."""
    role, colon, _ = principal.partition(":")
    return principal in writers or (bool(colon) and role in writers)


def deleted_ref(ref: str) -> Finding:
    """The finding on a notes ref that a push deletes."""
    return _lost(f"{ref} holds evidence and may not be deleted")


def rewound_ref(ref: str) -> Finding:
    """The finding on a notes ref whose new commit does not stand on the one that is there."""
    return _lost(f"{ref} may only go forward; this push does not build on what the server has")


def lost_lines(lost: Mapping[Oid, int]) -> Iterator[Finding]:
    """A finding for each note that has fewer lines than before: how many, by object."""
    for key, count in lost.items():
        yield _lost(f"{count} line(s) of the note of {key[:12]} would be gone; lines are only ever added")


def foreign_file(path: str) -> Finding:
    """The finding on a file of a notes tree that is the note of no object."""
    return Finding(
        code.NOTE_MALFORMED,
        BLOCK,
        "",
        f"{path!r} in the notes tree is the note of no object",
        "write evidence with `git agentgate ledger append` only",
    )


def oversized_note(key: Oid, reason: str) -> Finding:
    """The finding on a note that has become too large to be read."""
    return _malformed(f"the note of {key[:12]} {reason}")


def unfit_lines(lines: Iterable[NewLine], writers: tuple[str, ...]) -> Iterator[Finding]:
    """A finding for each added line that is no record of its object, is forged, or is not its writers' to add."""
    for line in lines:
        name = f"line {line.sha256[:12]} of the note of {line.object[:12]}"
        if line.code:
            yield _malformed(f"{name} {line.problem}", line.code)
        elif line.has_forged:
            yield _untrusted(f"{name} claims the signature of an enrolled key that did not sign it")
        elif ANYONE not in writers and not any(may_write(signer, writers) for signer in line.signers):
            by = f"signed by {', '.join(line.signers)}" if line.signers else "not signed by any enrolled key"
            yield _untrusted(f"{name} is {by}; here {' or '.join(writers) or 'nobody'} may write")


def _lost(message: str) -> Finding:
    return Finding(code.NOTE_LOST, BLOCK, "", message, code.next_step(code.NOTE_LOST))


def _untrusted(message: str) -> Finding:
    return Finding(code.NOTE_UNTRUSTED, BLOCK, "", message, code.next_step(code.NOTE_UNTRUSTED))


def _malformed(message: str, which: str = code.NOTE_MALFORMED) -> Finding:
    return Finding(which, BLOCK, "", message, "write evidence with `git agentgate ledger append` only")
