"""Evidence: any stored record. A note is a set of lines, one signed or unsigned envelope each."""

from __future__ import annotations

from hashlib import sha256

from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record

PACKETS = "packets"
SEALS = "seals"
CREDITS = "credits"
FREEZES = "freezes"
LOGS = "logs"
VERDICTS = "verdicts"
ADOPTIONS = "adoptions"
REQUESTS = "requests"
KINDS = (PACKETS, SEALS, CREDITS, FREEZES, LOGS, VERDICTS, ADOPTIONS, REQUESTS)

REF_PREFIX = "refs/notes/agentgate/"
REMOTE_PREFIX = "refs/agentgate/remote/"
KEPT_PREFIX = "refs/agentgate/kept/"


def ref_of(kind: str) -> str:
    """The notes ref that holds records of a kind."""
    return REF_PREFIX + kind


class Signature(Record):
    """`keyid` is a hint only; `sig` the decoded signature bytes."""

    keyid: str
    sig: bytes


class Envelope(Record):
    """A DSSE envelope: the exact payload bytes, their type, and who signed them."""

    payload: bytes
    payload_type: str
    signatures: tuple[Signature, ...] = ()


class Line(Record):
    """One line of a note, `text` without its newline; its sha256 names it."""

    text: bytes
    envelope: Envelope

    @property
    def sha256(self) -> str:
        """Lower-case hex over `text`."""
        return sha256(self.text).hexdigest()


class BadLine(Record):
    """A line that is no record; `number` counts from 1 in the note."""

    number: int
    reason: str


class Note(Record):
    """All that is kept under one object in one ref, in the order of the bytes."""

    object: Oid
    lines: tuple[Line, ...]
    bad_lines: tuple[BadLine, ...] = ()


class Entry(Record):
    """A line to be stored: under which object, and its bytes without a newline."""

    object: Oid
    text: bytes


class AppendReport(Record):
    """What an append did: lines written, lines that were there already, and the notes commit that holds them."""

    written: int
    already: int
    commit: Oid


class MergeReport(Record):
    """What a union did: lines the ledger did not have before, and the notes commit that holds both sides.

    `left_out` counts the objects of which something was too large to take in.
    """

    gained: int
    commit: Oid
    left_out: int = 0
