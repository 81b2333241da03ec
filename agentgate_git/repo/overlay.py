"""A tree of our own making: entries of other trees put together, in a store of ours (repo/stores.py)."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentgate_git.model.change import TreeEntry
    from agentgate_git.model.oid import Oid
    from agentgate_git.repo.process import Git


def write_blob(git: Git, data: bytes) -> Oid:
    """Write a file's bytes."""
    return git.text("hash-object", "-w", "--stdin", stdin=data)


def write_tree(git: Git, entries: Iterable[TreeEntry]) -> Oid:
    """Write the tree of these entries through a private index beside the store's objects."""
    index = os.path.join(git.environment["GIT_OBJECT_DIRECTORY"], "..", "overlay.index")
    rows = b"".join(b"%b %b\t%b\0" % (e.mode.encode(), e.oid.encode(), os.fsencode(e.path)) for e in entries)
    extra = {"GIT_INDEX_FILE": os.path.abspath(index)}
    git.run("read-tree", "--empty", extra=extra)
    git.run("update-index", "-z", "--index-info", stdin=rows, extra=extra)
    return git.text("write-tree", "--missing-ok", extra=extra)
