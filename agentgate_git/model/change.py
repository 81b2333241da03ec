"""Change sets: the raw-diff rows between two trees; a rename is a delete and an add."""

from __future__ import annotations

from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record

GITLINK = "160000"
SYMLINK = "120000"
ABSENT = "000000"


def is_file(mode: str) -> bool:
    """True for the modes of files, executable or not; not for links, gitlinks and what is absent."""
    return mode.startswith("100")


class Change(Record):
    """One row: `path` is surrogateescape text, modes are six octal digits, `000000` when absent."""

    path: str
    status: str
    old_mode: str
    new_mode: str
    old_oid: Oid
    new_oid: Oid


class TreeEntry(Record):
    """One file, link or gitlink of a tree, listed recursively."""

    path: str
    mode: str
    oid: Oid
