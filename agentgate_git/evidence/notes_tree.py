"""How a notes tree is laid out: one file per object, named by its id, with any fan-out.

Written is `xx/rest`; read is what git reads: a flat name, or directories of two digits each.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from agentgate_git.model.oid import Oid, is_oid
from agentgate_git.model.record import Record
from agentgate_git.repo.process import Git

# A few objects are named to ls-tree, so that it opens only their directories; for many it lists everything.
_FEW = 16


class NoteFile(Record):
    """Where one object's lines stand in a notes tree."""

    path: str
    blob: Oid


Notes = dict[Oid, tuple[NoteFile, ...]]


def note_path(key: Oid) -> str:
    """Where the lines of an object are written."""
    return f"{key[:2]}/{key[2:]}"


def possible_paths(key: Oid) -> tuple[str, ...]:
    """Everywhere the lines of an object may be found, flat first."""
    pairs = [key[at : at + 2] for at in range(0, len(key), 2)]
    return tuple("/".join((*pairs[:depth], "".join(pairs[depth:]))) for depth in range(len(pairs)))


def key_of(path: str, hash_length: int) -> Oid:
    """The object whose lines stand at a path, empty when the file is no note."""
    key = path.replace("/", "")
    if len(key) != hash_length or not is_oid(key):
        return ""
    return key if (path[2:3] == "/" and len(path) == hash_length + 1) or path in possible_paths(key) else ""


def _rows(listing: str, size: int) -> Iterator[tuple[str, str, Oid]]:
    """Path, blob and object of every note of a listing; trees as we write them are read by one pattern."""
    plain = re.findall(rf"100\d\d\d blob ([0-9a-f]{{{size}}})\t([0-9a-f]{{2}})/([0-9a-f]{{{size - 2}}})\0", listing)
    if len(plain) == listing.count("\0"):
        yield from ((f"{first}/{rest}", blob, first + rest) for blob, first, rest in plain)
        return
    for row in listing.split("\0"):
        key = key_of(row[13 + size :], size) if row.startswith("100") else ""
        if key:
            yield row[13 + size :], row[12 : 12 + size], key


def list_notes(git: Git, commit: Oid, keys: Collection[Oid] | None = None) -> Notes:
    """The files of a notes tree by object, of all objects or of those named; one `ls-tree`."""
    few = keys if keys is not None and len(keys) <= _FEW else ()
    paths = [path for key in few for path in possible_paths(key)]
    listing = git.run("ls-tree", "-r", "-z", "--full-tree", commit, *paths).decode("latin-1")
    notes: Notes = {}
    for path, blob, key in _rows(listing, len(commit)):
        if keys is None or key in keys:
            file = NoteFile(path, blob)
            notes[key] = (*notes[key], file) if key in notes else (file,)
    return notes
