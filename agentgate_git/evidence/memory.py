"""A ledger that keeps its records in memory, with the rules of the real one and nothing of git."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.evidence.entries import check_kind, wanted_lines
from agentgate_git.model.evidence import AppendReport, Entry, Note
from agentgate_git.model.oid import Oid
from agentgate_git.wire.bundle import join_lines, read_note, split_lines


class MemoryLedger:
    """Notes by kind and object, as bytes, so that reading goes the same way as from git."""

    def __init__(self) -> None:
        self._kinds: dict[str, dict[Oid, bytes]] = {}

    def has_ref(self, kind: str) -> bool:
        """False when nothing of that kind was ever stored."""
        check_kind(kind)
        return kind in self._kinds

    def read(self, kind: str, objects: Iterable[Oid]) -> dict[Oid, Note]:
        """The notes of these objects; those without one are absent."""
        check_kind(kind)
        notes = self._kinds.get(kind, {})
        return {key: read_note(key, notes[key]) for key in objects if key in notes}

    def read_all(self, kind: str) -> Iterator[Note]:
        """Every note, by object."""
        return iter(self.read(kind, sorted(self._kinds.get(kind, {}))).values())

    def introduced_by(self, kind: str, _key: Oid, _sha256: str) -> Oid | None:
        """None: there are no commits here."""
        check_kind(kind)
        return None

    def append(self, kind: str, entries: Iterable[Entry]) -> AppendReport:
        """Store lines; those that are there already count as such."""
        wanted = wanted_lines(kind, entries)
        notes = self._kinds.setdefault(kind, {})
        written = 0
        for key, lines in wanted.items():
            present = set(split_lines(notes.get(key, b"")))
            notes[key] = join_lines(present | lines)
            written += len(lines - present)
        return AppendReport(written, sum(map(len, wanted.values())) - written, "")
