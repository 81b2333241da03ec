"""What a server is asked to take in, ref by ref, and what it answers."""

from __future__ import annotations

from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record


class RefUpdate(Record):
    """One ref of a push: a zero id stands for "no such ref" on that side."""

    ref: str
    old: Oid
    new: Oid


class Target(Record):
    """The branch that others are judged against: its full ref, and its commit, empty while there is none."""

    ref: str
    oid: Oid = ""


class Limits(Record):
    """What one push may hold at most: refs, commits that the target lacks, changed notes, and seconds to judge it."""

    refs: int = 1_000
    commits: int = 20_000
    notes: int = 20_000
    seconds: int = 300


class NewLine(Record):
    """A line that a push adds to a note.

    `object` is the note's key, `sha256` names the line. `problem` says why it is no record of that object, with the
    code for it; both are empty for one that is. `signers` are the principals with a good signature on it,
    `has_forged` says that a signature claims an enrolled key and is not good for it.
    """

    object: Oid
    sha256: str
    code: str = ""
    problem: str = ""
    signers: tuple[str, ...] = ()
    has_forged: bool = False


class RefAnswer(Record):
    """What was found about one ref; `ref` is empty for what concerns the whole push."""

    ref: str
    findings: tuple[Finding, ...] = ()

    def is_refused(self) -> bool:
        """True when the ref may not be updated."""
        return any(finding.is_blocking() for finding in self.findings)
