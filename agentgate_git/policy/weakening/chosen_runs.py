"""Which tests the runs of pytest of a project choose: by the paths that they are given, and by marks."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import AS_LEFT, AS_MARKED, Offer
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.policy.settings.run import TEST, Run, runs_of

_PYTEST = "pytest"
# Tools that start what stands in a file of their own: that one has the run.
_HOSTS = {
    "tox": ("tox.ini", "tox.toml", "setup.cfg", "pyproject.toml"),
    "nox": ("noxfile.py",),
    "make": ("makefile", "gnumakefile"),
    "just": ("justfile", ".justfile"),
    "hatch": ("pyproject.toml", "hatch.toml"),
    "pdm": ("pyproject.toml",),
    "poe": ("pyproject.toml",),
    "pixi": ("pyproject.toml", "pixi.toml"),
}
# Runs of other languages, which collect no tests of Python.
_OF_OTHERS = frozenset(
    (
        *("npm", "npx", "yarn", "pnpm", "bun", "deno", "node", "jest", "vitest", "mocha", "ava", "karma", "cypress"),
        *("playwright", "cargo", "go", "gotestsum", "mvn", "gradle", "./gradlew", "dotnet", "phpunit", "rspec"),
        *("ctest", "bundle", "rake", "mix", "swift", "dart", "flutter", "sbt", "bats", "shellcheck", "sphinx-build"),
    )
)
# Commands that may start tests without saying so.
_MAY_TEST = pattern_of(
    r"test|check|verify|invoke|\binv\b|\btask\b|docker|podman|compose|bazel|pants|buck|earthly|dagger|conda|mamba|runner"
    r"|\.py\b|\.sh\b|\bci\b|scons|doit"
)
_OPEN = pattern_of(r"[$*?{}\[\]<>%`]")
_MAX_RUNS = 400
_BUILDS = ("pip", "python -m", "docker build", "docker login")


class _Taken(Record):
    """What one run takes: folders and files, or everything; each of the expressions over marks."""

    paths: tuple[str, ...]
    expressions: tuple[str, ...]
    shown: str

    def takes_path(self, path: str) -> bool:
        """True for a file that lies where it looks."""
        return not self.paths or any(path == one or path.startswith(f"{one}/") or not one for one in self.paths)


class ProjectRuns:
    """The runs of a head: settings of its `files`, what its conftests leave out, and the options somebody gives."""

    def __init__(self, files: Iterable[FileFacts], conftests: Iterable[FileFacts], given: frozenset[str]) -> None:
        files = tuple(files)
        self._given = given
        self._left = {one.path: _left_out(one) for one in conftests}
        self._base = [one.value for file in files for one in file.settings if one.key == "pytest > addopts > filtered"]
        self._roots = tuple(
            _plain(one.value) for file in files for one in file.settings if one.key == "pytest > testpaths"
        )
        found = [one for one in runs_of(files) if one.kind == TEST]
        if len(found) > _MAX_RUNS:
            self.is_open = True
            self._runs: tuple[_Taken, ...] = ()
            return
        self._runs = tuple(self._taken(one) for one in found if one.tool() == _PYTEST)
        self.is_open = any(self._is_unknown(one, found) for one in found) or any(_may_test(one, found) for one in files)
        if not self._runs:
            self._runs = (self._taken(Run("", TEST, "", _PYTEST, frozenset(), 0)),)

    def why_not(self, was: str, had: frozenset[str], path: str, marks: frozenset[str]) -> str:
        """Why no run chooses a test at `path` with `marks` that one chose as it was; empty where one does."""
        for mark in sorted(marks - had):
            told = self._left_by(mark, path)
            if told and not any(self._left_by(one, was) for one in had):
                return f"{AS_MARKED} {mark}, which {told} leaves out"
        if self.is_open:
            return ""
        chose = [one for one in self._runs if one.takes_path(was) and _hold(one.expressions, had)]
        if not chose or any(one.takes_path(path) and _hold(one.expressions, marks) for one in self._runs):
            return ""
        shown = chose[0].shown
        if marks == had:
            return f"{posixpath.dirname(path) or path}, where `{shown}` does not look"
        new, lost = (
            (f"marked {one}" for one in sorted(marks - had)),
            (f"no longer {one}" for one in sorted(had - marks)),
        )
        return f"it is {' and '.join((*new, *lost))}, which `{shown}` leaves out"

    def _left_by(self, mark: str, path: str) -> str:
        """The conftest above a test that leaves out those with a mark, as long as nobody gives it an option."""
        for place, left in self._left.items():
            folder = posixpath.dirname(place)
            is_above = not folder or path.startswith(f"{folder}/")
            if is_above and mark in left and self._given.isdisjoint(filter(None, left[mark].split("; "))):
                return place
        return ""

    def _taken(self, run: Run) -> _Taken:
        marks = sorted(run.marks)
        paths = [one.removeprefix("paths: ") for one in marks if one.startswith("paths: ")]
        chosen = [one.removeprefix("filtered: ") for one in marks if one.startswith("filtered: -m")]
        folders = run.folders()
        top = next(iter(folders)) if len(folders) == 1 else ""
        # Where it is told by variables or patterns, or in several folders, it may be anything.
        is_open = any(_OPEN.search(one) for one in (*paths, *folders)) or len(folders) > 1
        placed = tuple(_plain(posixpath.join(top, one)) for one in paths) or ((top,) if top else self._roots)
        expressions = tuple(chosen or self._base)
        shown = " ".join((run.name, *chosen, *paths)) if run.path else " ".join((_PYTEST, *expressions))
        return _Taken(() if is_open else placed, expressions, shown)

    def _is_unknown(self, run: Run, found: list[Run]) -> bool:
        """True for a run of which nobody can tell whether it takes tests of Python."""
        tool = run.tool()
        if tool == _PYTEST or tool in _OF_OTHERS:
            return False
        hosts = _HOSTS.get(tool, ())
        return not any(one.tool() == _PYTEST and posixpath.basename(one.path).lower() in hosts for one in found)


def _may_test(file: FileFacts, found: list[Run]) -> bool:
    """True for a pipeline with a command that may start tests, where no file has the run that it starts."""
    for one in file.settings:
        if one.key.startswith("command > "):
            hosts = _HOSTS.get(one.value.partition(" ")[0].rpartition("/")[2], ())
            if hosts:
                if not any(posixpath.basename(run.path).lower() in hosts for run in found):
                    return True
            elif _MAY_TEST.search(one.value) and not one.value.startswith(_BUILDS):
                return True
    return False


def _left_out(conftest: FileFacts) -> Mapping[str, str]:
    return {one.name: one.standing.condition for one in _marks_left(conftest)}


def _marks_left(conftest: FileFacts) -> Iterator[Offer]:
    return (one for one in conftest.tests.offers if one.how == AS_LEFT)


def options_asked(conftests: Iterable[FileFacts]) -> frozenset[str]:
    """The options and variables that let a mark in."""
    return frozenset(
        word for file in conftests for one in _marks_left(file) for word in one.standing.condition.split("; ") if word
    )


def _plain(path: str) -> str:
    """A path from the top, without what names a test in a file; empty for the top itself."""
    return posixpath.normpath(path.partition("::")[0]).removeprefix("./").removeprefix(".").rstrip("/")


def _hold(expressions: Iterable[str], marks: frozenset[str]) -> bool:
    """True where tests with these marks are chosen by each expression, or may be."""
    return all(_holds(one, marks) for one in expressions)


@lru_cache(maxsize=2048)
def _holds(option: str, marks: frozenset[str]) -> bool:
    text = option.removeprefix("-m").lstrip("= ").strip("\"'")
    try:
        node = ast.parse(text, mode="eval").body if text else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    try:
        return node is None or _value(node, marks) is not False
    except RecursionError:
        return True


def _value(node: ast.expr, marks: frozenset[str]) -> bool | None:
    """Whether an expression over marks holds; None where it says more than names."""
    match node:
        case ast.Name(id=name):
            return name in marks
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            value = _value(inner, marks)
            return None if value is None else not value
        case ast.BoolOp(op=op, values=values):
            found = [_value(one, marks) for one in values]
            decides = isinstance(op, ast.Or)
            if decides in found:
                return decides
            return None if None in found else not decides
        case _:
            return None
