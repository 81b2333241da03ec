"""A tree of our own making: entries of other trees put together, in an object store of ours and never in the clone."""

from __future__ import annotations

import os
import shutil
import tempfile

from agentgate_git.repo.process import Git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    from agentgate_git.model.change import TreeEntry
    from agentgate_git.model.oid import Oid


class OverlayStore:
    """A context manager that gives a `Git` which writes to a scratch object store and reads the room's as well."""

    def __init__(self, room: Git) -> None:
        self._room = room
        self._directory = ""

    def __enter__(self) -> Git:
        self._directory = tempfile.mkdtemp(prefix="agentgate-overlay-")
        objects = os.path.join(self._directory, "objects")
        try:
            os.mkdir(objects)
        except BaseException:  # a full disk, say: nobody else would take away what was begun
            shutil.rmtree(self._directory, ignore_errors=True)
            raise
        environment = dict(self._room.environment)
        sources = [environment.get("GIT_OBJECT_DIRECTORY", ""), environment.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", "")]
        environment["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = os.pathsep.join(filter(None, sources))
        environment["GIT_OBJECT_DIRECTORY"] = objects
        return Git(self._room.directory, environment)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        shutil.rmtree(self._directory, ignore_errors=True)


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
