"""What flows need from the world, as interfaces; the real ones stand in evidence/, small ones in tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from agentgate_git.model.evidence import AppendReport, Entry, MergeReport, Note
from agentgate_git.model.oid import Oid


class EvidenceReader(Protocol):
    """Records by kind and object."""

    def has_ref(self, kind: str) -> bool:
        """False when nothing of that kind was ever stored or fetched here."""

    def read(self, kind: str, objects: Iterable[Oid]) -> Mapping[Oid, Note]:
        """The notes of these objects, in bulk; those without one are absent."""

    def read_all(self, kind: str) -> Iterator[Note]:
        """Every note, streamed."""

    def introduced_by(self, kind: str, key: Oid, sha256: str, /) -> Oid | None:
        """The first notes commit that holds a line, None when none does or there are no commits."""


class Ledger(EvidenceReader, Protocol):
    """Records that may be added to, never taken away."""

    def append(self, kind: str, entries: Iterable[Entry]) -> AppendReport:
        """Store lines, all or none; lines that are there already are not written again."""


class SharedLedger(Ledger, Protocol):
    """A ledger that other clones have copies of, each with a notes commit per kind."""

    def settle(self, kind: str) -> Oid | None:
        """The notes commit of a kind with every line in it, None where there is none."""

    def merge(self, kind: str, theirs: Oid) -> MergeReport:
        """Bring in every line of another notes commit, which is an ancestor of ours afterwards."""
