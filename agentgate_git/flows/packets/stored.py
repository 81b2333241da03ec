"""Which packets exist for a tree, and which lines that claim to be packets are not."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.flows.ports import EvidenceReader
from agentgate_git.model import code
from agentgate_git.model.commit import Commit
from agentgate_git.model.evidence import PACKETS, Line, Note
from agentgate_git.model.finding import WARN, Finding
from agentgate_git.model.oid import Oid, is_empty_tree
from agentgate_git.model.packet import Packet
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import EvidenceRef
from agentgate_git.wire.bundle import read_note
from agentgate_git.wire.packet_statement import read_packet
from agentgate_git.wire.statement import Unreadable, subject_mismatch


class StoredPacket(Record):
    """A packet, the line it came from, and the tree that line is kept under."""

    packet: Packet
    line: Line
    key: Oid

    def has_other_arguments(self, args: tuple[str, ...]) -> bool:
        """True where the run had other arguments than the policy's `args`; what a sealed run had is not known yet."""
        return not self.packet.seal_sha256 and self.packet.argv != args

    def reference(self, signed_by: str = "", recorded_in: Oid = "") -> EvidenceRef:
        """How a verdict names it; `signed_by` is the enrolled principal whose signature is good, empty without one."""
        return EvidenceRef(PACKETS, self.key, self.packet.commit, self.line.sha256, signed_by, recorded_in)


class Lookup(Record):
    """What was found for one tree: packets in the order of their lines, and what was wrong with other lines."""

    packets: tuple[StoredPacket, ...] = ()
    findings: tuple[Finding, ...] = ()


def packets_of(note: Note | None) -> Lookup:
    """The packets of one note, each about the tree that the note is kept under."""
    if note is None or is_empty_tree(note.object):
        return Lookup()
    return _read(note, note.object)


def packets_in_file(data: bytes) -> Lookup:
    """The packets of a file of envelope lines, each about the tree that it names itself."""
    return _read(read_note("", data), "")


def _read(note: Note, key: Oid) -> Lookup:
    found: list[StoredPacket] = []
    findings = [_finding(code.NOTE_MALFORMED, key, f"line {bad.number}: {bad.reason}") for bad in note.bad_lines]
    for line in note.lines:
        statement = read_packet(line.envelope)
        if isinstance(statement, Unreadable):
            findings.append(_finding(code.NOTE_MALFORMED, key, f"line {line.sha256[:12]}: it {statement.reason}"))
        elif mismatch := subject_mismatch(statement.subject, statement.packet.tree, key or statement.subject):
            findings.append(_finding(code.SUBJECT_MISMATCH, key, mismatch))
        else:
            found.append(StoredPacket(statement.packet, line, statement.subject))
    return Lookup(tuple(found), tuple(findings))


def nearest(evidence: EvidenceReader, commits: Iterable[Commit], tree: Oid) -> tuple[StoredPacket, ...]:
    """The packets of the first commit, in the order given, that has any for another tree than `tree`."""
    others = [commit for commit in commits if commit.tree != tree]
    notes = evidence.read(PACKETS, {commit.tree for commit in others})
    for commit in others:
        if packets := packets_of(notes.get(commit.tree)).packets:
            return packets
    return ()


def _finding(name: str, key: Oid, message: str) -> Finding:
    return Finding(name, WARN, key, message, code.next_step(name))
