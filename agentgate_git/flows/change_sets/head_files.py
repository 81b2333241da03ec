"""The files of the head that did not change, where a test that did rests on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from agentgate_git.model.change import GITLINK, SYMLINK, Change
from agentgate_git.model.inventory import FEATURE, NAMED, NO_PYTEST, NO_TAG, OLDER_PYTHON, OUT_OF_USE, SYSTEM
from agentgate_git.model.oid import Oid, empty_tree
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import CI, CONFIG, HARNESS
from agentgate_git.policy.weakening.left_out import leaves_out, takes_in
from agentgate_git.policy.weakening.no_files import matcher
from agentgate_git.policy.weakening.openers import needs_newer, never_opened, opens, pythons_in, speaks_of
from agentgate_git.repo.history import TreeDiff
from agentgate_git.repo.objects import Objects
from agentgate_git.source.roles import role_of
from agentgate_git.source.test_names import language_of

# What sets or names a variable is a pipeline, a script, a configuration or a page: few and small files.
MAX_TEXTS = 600
MAX_TEXT = 256 << 10
# Files in which a module is looked for that tests newly cannot do without.
MAX_SPOKEN = 4000
MAX_ASKED = 20
# What is decided by pipelines: where there are none, nobody knows who runs the tests, and how.
_OF_PIPELINES = (SYSTEM, OLDER_PYTHON, NO_PYTEST)
# Code that is made to set up tests or a build.
_SETS_UP = pattern_of(
    r"(?:^|/)(?:mix\.exs|build\.rs|package\.swift|test_main\.\w+|main_test\.go|[^/]*(?:set-?up|bootstrap|test_?helper"
    r"|spec_?helper|rails_helper|global|environment|\benv\b|preload)[^/]*"
    r"|[^/]*(?:conf|feature|platform|def|macro|setting|option|common|version|port|build|compiler|api|export)[^/]*\.h(?:h|pp|xx)?)$"
)


class HeadFiles:
    """Files that are at hand, by their path."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def find(self, path: str) -> bytes | None:
        """The bytes of a file, None when there is none."""
        return self._files.get(path)

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """What sets variables, and what tells of them, with its path."""
        return ((path, self._files[path]) for path in _told(self._files))

    def everything(self) -> Iterator[tuple[str, bytes]]:
        """All files, with their paths."""
        return iter(self._files.items())

    def paths(self) -> tuple[tuple[str, bool], ...]:
        """All paths, each with whether it may stand for files that are not here."""
        return tuple((path, False) for path in self._files)


class HeadTree:
    """Files of a tree, which are read when they are asked for."""

    def __init__(self, objects: Objects, diff: TreeDiff, tree: Oid) -> None:
        self._objects = objects
        self._diff = diff
        self._tree = tree

    def find(self, path: str) -> bytes | None:
        """The bytes of a file, None when there is none."""
        return self._objects.file_at(self._tree, path)

    def texts(self) -> Iterator[tuple[str, bytes]]:
        """What sets variables, and what tells of them, with its path."""
        rows = {row.path: row for row in self._rows}
        for path in _told(rows):
            if rows[path].new_mode not in (GITLINK, SYMLINK):
                yield path, self._objects.read(rows[path].new_oid, "blob")

    def everything(self) -> Iterator[tuple[str, bytes]]:
        """All files, with their paths."""
        for row in self._rows:
            if row.new_mode not in (GITLINK, SYMLINK):
                yield row.path, self._objects.read(row.new_oid, "blob")

    def paths(self) -> tuple[tuple[str, bool], ...]:
        """All paths, each with whether it may stand for files that are not here."""
        return tuple((row.path, row.new_mode in (GITLINK, SYMLINK)) for row in self._rows)

    @cached_property
    def _rows(self) -> tuple[Change, ...]:
        """All that the tree holds, listed once."""
        return self._diff.rows(empty_tree(self._tree), self._tree)


def empty_globs(files: HeadFiles | HeadTree, globs: Iterable[str]) -> frozenset[str]:
    """The patterns, of these, that no path of the head matches."""
    left = {one: matcher(one) for one in tuple(globs)[:MAX_ASKED]}
    for path, is_elsewhere in files.paths() if left else ():
        found = [
            one for one, known in left.items() if known.fullmatch(path) or (is_elsewhere and one.startswith(f"{path}/"))
        ]
        for one in found:
            del left[one]
    return frozenset(left)


def _told(paths: Iterable[str]) -> list[str]:
    found = [path for path in paths if not _is_code(path) or _SETS_UP.search(path.lower())]
    return found[:MAX_TEXTS]


def _is_code(path: str) -> bool:
    """True for code that is no configuration and no harness: only what it sets where it stands counts."""
    return role_of(path) not in (HARNESS, CONFIG, CI) and language_of(path) not in ("", "shell")


def unset_in(files: HeadFiles | HeadTree, names: Iterable[str]) -> frozenset[str]:
    """What tests wait for, of these, and no file sets or tells how to; the files are read once for all of them."""
    asked = frozenset(names)
    unspoken = _unspoken(files, frozenset(one for one in asked if one.startswith(NAMED)))
    left = {one for one in asked if not one.startswith(NAMED)}
    of_python = frozenset(one for one in left if one.startswith(OLDER_PYTHON))
    # No project of today runs a Python that is out of use; what one needs besides, it says itself.
    told = {one for one in of_python if one == OUT_OF_USE}
    has_pipeline = has_python = False
    for path, text in files.texts() if left else ():
        role = role_of(path)
        has_pipeline = has_pipeline or role == CI
        has_python = has_python or (len(text) <= MAX_TEXT and bool(of_python and pythons_in(text, role)))
        if len(text) <= MAX_TEXT:
            told.update(one for one in of_python if needs_newer(one, text))
            left -= {name for name in left if opens(name, role, text, is_code=_is_code(path))}
        if not left:
            break
    if not has_pipeline:
        left -= {name for name in left - told if name.startswith(_OF_PIPELINES)}
    if not has_python:
        left -= of_python - told
    is_told = any(one.startswith((FEATURE, NO_TAG)) for one in asked)
    never = never_opened(asked, files.texts()) if is_told else frozenset[str]()
    return unspoken | never | left


def _unspoken(files: HeadFiles | HeadTree, names: frozenset[str]) -> frozenset[str]:
    """Modules and programs that no file of the head names; none where there are too many files to be sure."""
    left = set(names) if len(names) <= MAX_ASKED else set()
    for count, (_, text) in enumerate(files.everything() if left else ()):
        left -= {name for name in left if len(text) > MAX_TEXT or speaks_of(name, text)}
        if not left or count > MAX_SPOKEN:
            return frozenset()
    return frozenset(left)


def left_out_by(files: HeadFiles | HeadTree, tags: Iterable[str]) -> dict[str, str]:
    """Words by which a file leaves tests out that no other file runs, each with the path of that file."""
    wanted = tuple(tags)
    found: dict[str, str] = {}
    taken: set[str] = set()
    for path, text in files.texts() if wanted else ():
        for tag in wanted if len(text) <= MAX_TEXT else ():
            if tag.encode() in text and leaves_out(tag).search(text):
                found.setdefault(tag, path)
            if tag.encode() in text and takes_in(tag).search(text):
                taken.add(tag)
    return {tag: path for tag, path in found.items() if tag not in taken}
