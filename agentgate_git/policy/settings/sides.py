"""The settings of one side of a change set, as checks of keys look at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from agentgate_git.model.facts import FileFacts, Setting

# How a switch of Gradle says that it is of a task that a build makes beside `test`.
OF_TASK = " of task "


class Settings:
    """Settings by path, and how often each stands in the whole change set."""

    def __init__(self, files: Iterable[FileFacts]) -> None:
        files = tuple(files)
        self.by_path = {facts.path: facts.settings for facts in files}
        self.suites = frozenset(test.name.partition("::")[0] for facts in files for test in facts.tests.tests)
        self.names = frozenset(path.rpartition("/")[2] for path in self.by_path)
        self.all = Counter((one.key, one.value) for settings in self.by_path.values() for one in settings)
        self.keys = Counter(key for key, _ in self.all.elements())
        self.selections: Counter[str] = Counter()
        self.has_fresh_selection = False
        self._named: dict[tuple[str, str], list[Setting]] = {}
        for path, settings in self.by_path.items():
            for one in settings:
                self._named.setdefault((path, one.key), []).append(one)
        self._beyond: dict[tuple[str, str], bool] = {}
        self._left: frozenset[str] | None = None
        self._times: dict[str, Counter[tuple[str, str]]] = {}
        self._groups: dict[tuple[str, str, bool], tuple[str, ...]] = {}
        self._adopted: dict[tuple[str, str], bool] = {}

    @cached_property
    def folders(self) -> frozenset[str]:
        """The paths of the change set that are there, and every folder of them."""
        return _with_folders(self.by_path)

    @cached_property
    def tasks_taking(self) -> dict[str, set[str]]:
        """Which tasks beside `test` take tests by a word, by that word."""
        found: dict[str, set[str]] = {}
        for key, value in self.all:
            name, sign, task = key.partition(OF_TASK)
            if sign and name.startswith("exclude > gradle > include"):
                found.setdefault(value, set()).add(task)
        return found

    def folders_left(self, other: Settings) -> frozenset[str]:
        """The same of those that are here and not there."""
        if self._left is None:
            self._left = _with_folders(path for path in self.by_path if path not in other.by_path)
        return self._left

    def of(self, path: str) -> tuple[Setting, ...]:
        """The settings of a file; none where it is not there."""
        return self.by_path.get(path, ())

    def named(self, path: str, key: str) -> list[Setting]:
        """The settings of a file with one key."""
        return self._named.get((path, key), [])

    def has_beyond(self, other: Settings, path: str, key: str) -> bool:
        """True where a key has a value here that it has not there."""
        place = (path, key)
        if place not in self._beyond:
            values = [Counter(one.value for one in side.named(path, key)) for side in (self, other)]
            self._beyond[place] = bool(values[0] - values[1])
        return self._beyond[place]

    def times(self, path: str, key: str, value: str) -> int:
        """How often a file gives a value to a key."""
        if path not in self._times:
            self._times[path] = Counter((one.key, one.value) for one in self.of(path))
        return self._times[path][key, value]

    def groups(self, other: Settings, path: str, tool: str, *, is_of_group: bool) -> tuple[str, ...]:
        """What groups of tests take that did so nowhere there: those of a file, of its other tools, of new files.

        The groups that a tool itself sets apart in the file count for what one of them leaves out (`is_of_group`).
        """
        place = (path, tool, is_of_group)
        if place not in self._groups:
            found = self.named(path, f"apart > {tool} > takes")[:] if is_of_group else []
            found += (one for one in self.of(path) if _tool_of(one) not in ("", tool))
            fresh = (one for one in self.by_path if one not in other.by_path)
            found += (one for file in fresh for one in self.of(file) if _tool_of(one))
            self._groups[place] = tuple(one.value for one in found if not other.all[one.key, one.value])
        return self._groups[place]

    def is_adopted(self, prefix: str, path: str, base: Settings) -> bool:
        """True where a tool is told anything for the first time, and more than what to leave out."""
        place = (prefix, path)
        if place not in self._adopted:
            is_told = any(one.key.startswith(prefix) and not one.key.endswith("omit") for one in self.of(path))
            self._adopted[place] = is_told and not any(key.startswith(prefix) for key in base.keys)
        return self._adopted[place]


def _tool_of(one: Setting) -> str:
    """The tool that a setting gives tests to, else empty."""
    return one.key.split(" > ")[1] if one.key.startswith("include > ") else ""


def _with_folders(paths: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for path in paths:
        while path and path not in found:
            found.add(path)
            path = path.rpartition("/")[0]
    return frozenset(found)
