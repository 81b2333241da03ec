"""Folders of tests that are packages no more: unittest, and Django with it, looks into packages alone."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator

from agentgate_git.flows.change_sets.head_files import MAX_TEXT, HeadFiles, HeadTree
from agentgate_git.flows.change_sets.read_facts import read_facts
from agentgate_git.model.config_paths import config_format
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import NOT_COLLECTED, RUNS, CollectedTest
from agentgate_git.model.role import TEST
from agentgate_git.policy.settings.run import runs_of

_INIT = "__init__.py"
_MAX_FILES = 40
# What else may run the tests, and looks into every folder.
_OTHERS = (b"pytest", b"py.test", b"nose", b"stestr", b"zope.testrunner", b"twisted.trial")

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]


def packages_lost(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[str, ...]:
    """The folders of tests that were packages, and are none any more."""
    left = {one.path for one in after}
    gone = (one.path for one in before if one.role == TEST and one.path not in left)
    return tuple(posixpath.dirname(one) for one in gone if posixpath.basename(one) == _INIT)


def with_undiscovered(before: Side, after: Side, head: HeadFiles | HeadTree) -> tuple[Side, Side]:
    """Both sides, with the tests of folders that nothing looks into any more: as they were, and not collected.

    The same two where none are.
    """
    folders = packages_lost(before, after)
    known = {one.path for one in after}
    paths = [path for path, _ in head.paths() if path not in known] if folders else []
    beneath = [path for path in paths if path.endswith(".py") and posixpath.dirname(path) in folders]
    files = [one for one in beneath if posixpath.basename(one).startswith("test")][:_MAX_FILES]
    if not files or not _is_unittest(head, folders):
        return before, after
    read = tuple(read_facts(path, data) for path in files if (data := head.find(path)) is not None)
    return (*before, *read), (*after, *(_undiscovered(one) for one in read))


def _is_unittest(head: HeadFiles | HeadTree, folders: tuple[str, ...]) -> bool:
    """True where nothing but unittest can run the tests, and no run of it names one of the folders."""
    names = {posixpath.basename(one).encode() for one in folders}
    for path, text in (*head.texts(), *_tests(head)):
        if len(text) > MAX_TEXT or any(one in text for one in _OTHERS):
            return False
        is_run = config_format(path) and any(run.tool() == "unittest" for run in runs_of((read_facts(path, text),)))
        if is_run and any(one in text for one in names):
            return False
    return True


def _tests(head: HeadFiles | HeadTree) -> Iterator[tuple[str, bytes]]:
    paths = [path for path, _ in head.paths() if path.endswith(".py") and "test" in path]
    for path in paths[:_MAX_FILES]:
        data = head.find(path)
        if data is not None:
            yield path, data


def _undiscovered(file: FileFacts) -> FileFacts:
    folder = posixpath.dirname(file.path)
    tests = tuple(_stopped(one, folder) for one in file.tests.tests)
    return file._replace(tests=file.tests._replace(tests=tests))


def _stopped(test: CollectedTest, folder: str) -> CollectedTest:
    if test.state != RUNS or "::" not in test.name:
        return test
    return test._replace(state=NOT_COLLECTED, marker=f"{folder} is no package, and unittest looks into no other")
