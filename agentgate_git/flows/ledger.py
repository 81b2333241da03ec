"""`ledger append|cat|list|import`: evidence as JSON lines on stdin and stdout, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.flows.ports import EvidenceReader, Ledger
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.evidence import AppendReport, Entry
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.oid import Oid, is_oid
from agentgate_git.repo.refs import resolve_tree
from agentgate_git.wire.canonical import Malformed, decode, encode

# A line of `cat` starts so; what follows up to the last brace is the stored line, and is stored again unchanged.
_HEAD = b'{"object":"%b","envelope":'


def object_of(workspace: Workspace, name: str) -> Oid:
    """The tree that a revision stands for; a full id of what is not here is taken as it is, since evidence outlives
    its tree."""
    if is_oid(name) and workspace.objects.find(name) is None:
        return name
    return resolve_tree(workspace.clone, name)


def append(ledger: Ledger, kind: str, key: Oid, lines: Iterable[bytes]) -> AppendReport:
    """Store envelope lines under one object; empty lines are skipped."""
    texts = (line.rstrip(b"\r\n") for line in lines)
    return ledger.append(kind, [Entry(key, text) for text in texts if text])


def cat(ledger: EvidenceReader, kind: str, key: Oid = "") -> Iterator[bytes]:
    """The envelope lines of one object; without one, a JSON object for each line of every note, as `load` reads it."""
    if key:
        for note in ledger.read(kind, (key,)).values():
            yield from (line.text for line in note.lines)
        return
    for note in ledger.read_all(kind):
        head = _HEAD % note.object.encode("ascii")
        yield from (head + line.text + b"}" for line in note.lines)


def summarise(ledger: EvidenceReader, kind: str) -> Iterator[bytes]:
    """One JSON object for each note: its object, how many lines it has, and how many that are no records."""
    for note in ledger.read_all(kind):
        yield encode({"object": note.object, "lines": len(note.lines), "bad_lines": len(note.bad_lines)})


def load(ledger: Ledger, kind: str, lines: Iterable[bytes]) -> AppendReport:
    """Store what `cat` wrote, all in one batch; nothing is stored when one line cannot be read."""
    rows = ((number, line.rstrip(b"\r\n")) for number, line in enumerate(lines, 1))
    return ledger.append(kind, [_entry(number, row) for number, row in rows if row.strip()])


def _entry(number: int, row: bytes) -> Entry:
    key = row[11:].partition(b'"')[0]
    head = _HEAD % key
    if row.startswith(head) and row.endswith(b"}"):
        return Entry(key.decode("ascii", "replace"), row[len(head) : -1])
    try:
        value = decode(row)
        if not isinstance(value, dict) or not isinstance(value.get("object"), str):
            raise Malformed("has no object id")
        return Entry(str(value["object"]), encode(value.get("envelope")))
    except Malformed as reason:
        raise UsageFailure(f"line {number} cannot be imported: it {reason}", "give what `ledger cat` wrote") from None
