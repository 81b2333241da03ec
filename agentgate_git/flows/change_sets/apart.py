"""Test files from which nothing leads to the production that changed beside them.

What a file imports is followed through files of the head. Where that does not tell all, it counts as if it did.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from agentgate_git.flows.change_sets.head_files import HeadFiles, HeadTree
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import TEST as A_TEST
from agentgate_git.model.role import PRODUCTION, TEST
from agentgate_git.policy.weakening.subject_changes import files_changed
from agentgate_git.source.python.imported import Modules, loads_more, names_imported
from agentgate_git.source.roles import is_test_side

# What a test rests on is looked for in so many files, of so many bytes each.
MAX_FILES = 60
MAX_FILE = 256 << 10
# Files of a tree that are more than can be told apart by their names.
MAX_PATHS = 20_000
# Test files of one change set that are asked about.
MAX_TESTS = 20

TYPE_CHECKING = False
if TYPE_CHECKING:
    Find = Callable[[str], bytes | None]


def apart_paths(
    paths: Iterable[str],
    before: tuple[FileFacts, ...],
    after: tuple[FileFacts, ...],
    head: HeadFiles | HeadTree,
    find_old: Find,
) -> frozenset[str]:
    """Those of the paths that are Python tests of the head and reach no production file that changed.

    `find_old` gives the bytes of a changed file of the base, None where there is none.
    """
    changed = files_changed(before, after)
    holders = {one.path for one in after if one.role == TEST and any(test.kind == A_TEST for test in one.tests.tests)}
    asked = [path for path in paths if path in holders and path.endswith(".py")][:MAX_TESTS]
    if not changed or not asked:
        return frozenset()
    tests = frozenset(one.path for one in after if one.role != PRODUCTION)
    # Most tests name what changed, or may load anything: for these the tree need not be listed.
    near = _Search(changed, Modules(changed), head.find, tests)
    asked = [path for path in asked if near.may_be_apart(path, find_old(path) or b"")]
    paths_there = tuple(path for path, _ in head.paths()) if asked else ()
    if len(paths_there) > MAX_PATHS:
        return frozenset()
    search = _Search(changed, Modules((*paths_there, *changed)), head.find, tests)
    return frozenset(path for path in asked if search.is_apart(path, find_old(path) or b""))


def with_apart(after: tuple[FileFacts, ...], paths: frozenset[str]) -> tuple[FileFacts, ...]:
    """The facts of a head, those at the paths marked."""
    return tuple(one._replace(is_apart=True) if one.path in paths else one for one in after) if paths else after


class _Search:
    """What test files rest on; each search ends at the first file that changed, or that may load anything."""

    def __init__(self, changed: frozenset[str], modules: Modules, find: Find, tests: frozenset[str]) -> None:
        self._changed = changed
        self._modules = modules
        self._find = find
        self._tests = tests
        self._led: dict[str, tuple[str, ...] | None] = {}

    def is_apart(self, path: str, old: bytes) -> bool:
        """True when some production that did not change is reached, and none that did; `old` is what the base has."""
        around = _around(path)
        before = self._leads(path, old)
        known = {path, *around, *(before or ())}
        waiting = deque((path, *around, *(before or ())))
        left = MAX_FILES
        while before is not None and waiting and self._changed.isdisjoint(known):
            led = self._led_from(waiting.popleft())
            left -= bool(led)
            if led is None or left < 0:
                return False
            fresh = [one for one in led if one not in known]
            known.update(fresh)
            waiting += fresh
        has_subject = any(not self._is_of_tests(one) for one in known.difference(around))
        return before is not None and has_subject and self._changed.isdisjoint(known)

    def may_be_apart(self, path: str, old: bytes) -> bool:
        """False where the file itself, or what is loaded before it, names what changed or may load anything."""
        led = [self._leads(path, old), *(self._led_from(one) for one in (path, *_around(path)))]
        return all(one is not None and self._changed.isdisjoint(one) for one in led)

    def _led_from(self, path: str) -> tuple[str, ...] | None:
        if path not in self._led:
            self._led[path] = self._leads(path, self._find(path) or b"")
        return self._led[path]

    def _leads(self, path: str, data: bytes) -> tuple[str, ...] | None:
        """The files of the tree that a file of these bytes loads, None where it may load any."""
        if len(data) > MAX_FILE or loads_more(data, is_test=self._is_of_tests(path)):
            return None
        named = (one for dotted in names_imported(data) for one in self._modules.found(path, dotted))
        return tuple(dict.fromkeys(named))

    def _is_of_tests(self, path: str) -> bool:
        return path in self._tests or is_test_side(path)


def _around(path: str) -> tuple[str, ...]:
    """What is loaded before a test file: the conftests and packages of the folders it lies in."""
    folders = path.split("/")[:-1]
    tops = ["".join(f"{one}/" for one in folders[:end]) for end in range(len(folders), -1, -1)]
    return tuple(f"{top}{name}" for top in tops for name in ("conftest.py", "__init__.py"))
