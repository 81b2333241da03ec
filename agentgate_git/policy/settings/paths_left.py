"""Paths that the runs of a file were given, and that no run of it is given any more while they are still there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.finding import BLOCK
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.globs import is_glob
from agentgate_git.policy.settings.run import TEST, Run

_PATHS = "paths: "
_LONG = 1_000

TYPE_CHECKING = False
if TYPE_CHECKING:
    Group = dict[tuple[str, str], list[Run]]


def paths_left_out(old: Iterable[Run], new: Iterable[Run], gone: Iterable[str]) -> Iterator[GateChange]:
    """What runs of tests were given by name and are given no more, where they are given nothing else in its stead.

    `gone` are the files that the change takes away: what moves is looked for elsewhere.
    """
    before, after = _grouped(old), _grouped(new)
    taken = {_bare(path) for runs in after.values() for run in runs for path in _paths(run)}
    away = {folder for path in gone for folder in _above(path)}
    for place, runs in before.items():
        had = {path for run in runs for path in _paths(run)}
        now = after.get(place, [])
        has = {path for run in now for path in _paths(run)}
        if not now or not has < had or not all(map(_paths, now)):
            continue
        for path in sorted(had - has):
            bare = _bare(path)
            is_open = path.startswith("-") or is_glob(path) or "$" in path or not bare
            if not (is_open or bare in away) and taken.isdisjoint(_above(bare)):
                yield GateChange(BLOCK, now[0].path, now[0].line, f"{now[0].shown()} no longer runs {path}")


def _grouped(runs: Iterable[Run]) -> Group:
    """The runs of tests that count, by their file and tool."""
    found: Group = {}
    for run in runs:
        if run.kind == TEST and run.is_counted():
            found.setdefault((run.path, run.tool()), []).append(run)
    return found


def _paths(run: Run) -> list[str]:
    return [mark.removeprefix(_PATHS) for mark in run.marks if mark.startswith(_PATHS)]


def _bare(path: str) -> str:
    return path.partition("::")[0].removeprefix("./").rstrip("/")


def _above(path: str) -> Iterator[str]:
    """A path and the folders that it stands in; of a long one itself alone."""
    if len(path) > _LONG:
        yield path
        return
    while path:
        yield path
        path = path.rpartition("/")[0]
