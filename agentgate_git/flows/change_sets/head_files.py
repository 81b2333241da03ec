"""The files of the head that did not change, where a test that did rests on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.change import GITLINK, SYMLINK
from agentgate_git.model.oid import Oid, empty_tree
from agentgate_git.model.role import HARNESS
from agentgate_git.repo.history import TreeDiff
from agentgate_git.repo.objects import Objects
from agentgate_git.source.roles import role_of
from agentgate_git.source.test_names import language_of

# What sets or names a variable is a pipeline, a script, a configuration or a page: few and small files.
MAX_TEXTS = 600
MAX_TEXT = 256 << 10


class HeadFiles:
    """Files that are at hand, by their path."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def find(self, path: str) -> bytes | None:
        """The bytes of a file, None when there is none."""
        return self._files.get(path)

    def texts(self) -> Iterator[bytes]:
        """The files that are no code: what sets variables, and what tells of them."""
        return (self._files[path] for path in _told(self._files))


class HeadTree:
    """Files of a tree, which are read when they are asked for."""

    def __init__(self, objects: Objects, diff: TreeDiff, tree: Oid) -> None:
        self._objects = objects
        self._diff = diff
        self._tree = tree

    def find(self, path: str) -> bytes | None:
        """The bytes of a file, None when there is none."""
        return self._objects.file_at(self._tree, path)

    def texts(self) -> Iterator[bytes]:
        """The files that are no code: what sets variables, and what tells of them."""
        rows = {row.path: row for row in self._diff.rows(empty_tree(self._tree), self._tree)}
        for path in _told(rows):
            if rows[path].new_mode not in (GITLINK, SYMLINK):
                yield self._objects.read(rows[path].new_oid, "blob")


def _told(paths: Iterable[str]) -> list[str]:
    found = [path for path in paths if role_of(path) == HARNESS or language_of(path) in ("", "shell")]
    return found[:MAX_TEXTS]


def is_set_in(files: HeadFiles | HeadTree, name: str) -> bool:
    """True when some file that is no code has the name of a variable in it."""
    wanted = name.encode()
    return any(wanted in text for text in files.texts() if len(text) <= MAX_TEXT)
