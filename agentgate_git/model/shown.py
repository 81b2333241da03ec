"""What `show` and `log` say about stored evidence."""

from __future__ import annotations

from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record


class ShownLine(Record):
    """One stored line: `summary` is a sentence about it, `text` the line as it is kept."""

    kind: str
    sha256: str
    signed_by: str
    summary: str
    text: bytes


class LogRow(Record):
    """A commit and what is known of its tree: how many packets there are, and how many of them are of a pass."""

    commit: Oid
    tree: Oid
    subject: str
    packets: int
    passing: int
    bad_lines: int
    verdicts: int
