"""Reading evidence: one `ls-tree` and one `cat-file --batch`, whatever the number of records.

The reader is told which notes commits to read. In the developer's repository that is what the refs hold now; in a
clean room, which has no refs, it is what was resolved before.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping

from agentgate_git.evidence.entries import check_kind
from agentgate_git.evidence.notes_tree import list_notes, possible_paths
from agentgate_git.evidence.union import contents, lacking
from agentgate_git.model.evidence import Note
from agentgate_git.model.oid import Oid
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from agentgate_git.wire.bundle import join_lines, read_note, split_lines


class StoredNotes(Mapping[Oid, Note]):
    """Notes by object, read from git already; the lines of one are parsed when it is looked up."""

    def __init__(self, stored: dict[Oid, bytes]) -> None:
        self._stored = stored

    def __getitem__(self, key: Oid) -> Note:
        return read_note(key, self._stored[key])

    def __iter__(self) -> Iterator[Oid]:
        return iter(self._stored)

    def __len__(self) -> int:
        return len(self._stored)


class NotesReader:
    """Reads the union of the notes commits that `commits_of` names by kind; there are none where there is no ref."""

    def __init__(self, git: Git, objects: Objects, commits_of: Callable[[str], tuple[Oid, ...]]) -> None:
        self._git = git
        self._objects = objects
        self._commits_of = commits_of

    def has_ref(self, kind: str) -> bool:
        """False when nothing of that kind was ever stored or fetched here."""
        check_kind(kind)
        return bool(self._commits_of(kind))

    def read(self, kind: str, objects: Iterable[Oid]) -> Mapping[Oid, Note]:
        """The notes of these objects; those without one are absent."""
        return StoredNotes(dict(self._contents(kind, frozenset(objects))))

    def read_all(self, kind: str) -> Iterator[Note]:
        """Every note, streamed."""
        return (read_note(key, data) for key, data in self._contents(kind, None))

    def introduced_by(self, kind: str, key: Oid, sha256: str) -> Oid | None:
        """The first notes commit, parents before children, that holds a line; who may push there vouches for it."""
        check_kind(kind)
        tips = self._commits_of(kind)
        if not tips:
            return None
        history = ("rev-list", "--full-history", "--topo-order", "--reverse", *tips, "--", *possible_paths(key))
        for commit in self._git.text(*history).split():
            for _, data in contents(self._objects, list_notes(self._git, commit, (key,))):
                if any(line.sha256 == sha256 for line in read_note(key, data).lines):
                    return commit
        return None

    def _contents(self, kind: str, keys: frozenset[Oid] | None) -> Iterator[tuple[Oid, bytes]]:
        check_kind(kind)
        first, *others = self._commits_of(kind) or ("",)
        if not first:
            return
        more: dict[Oid, set[bytes]] = {}
        for other in others:
            for key, lines in lacking(self._git, self._objects, first, other, keys).items():
                more.setdefault(key, set()).update(lines)
        for key, data in contents(self._objects, list_notes(self._git, first, keys)):
            extra = more.pop(key, None)
            yield key, join_lines(itertools.chain(split_lines(data), extra)) if extra else data
        for key, lines in more.items():
            yield key, join_lines(lines)
