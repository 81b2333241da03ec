"""Runs of base and head: each run of the base is found again at the head, and compared with what it is now.

So a run that moved, was renamed or was replaced by another tool is nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.around import AT_HAND, STARTED, told
from agentgate_git.policy.settings.bypasses import bypasses
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.given import given_files
from agentgate_git.policy.settings.paths_left import paths_left_out
from agentgate_git.policy.settings.run import HOOKS, LINT, TEST, TIDY, Run, runs_of, says
from agentgate_git.policy.settings.run_pairs import RunPairs
from agentgate_git.policy.settings.softened_runs import Softened
from agentgate_git.policy.settings.triggers import BY_CHANGE

# A runner that is only asked who it is.
_HOLLOW = pattern_of(r"pytest (?:--version|--help|-h|--collect-only|--co|--fixtures)")
_SCRIPTS = frozenset(("package.json", "composer.json", "deno.json", "deno.jsonc"))
_HOSTS = ("npm ", "yarn ", "pnpm ", "bun ", "composer ", "deno ")
# Scripts that stand for all that has to pass.
_ALL_CHECKS = pattern_of(
    r"(?:check|verify|validate|ci|all|prepush|pre-push|preflight)(?:[:_-](?:all|ci|full))?", re.IGNORECASE
)
_EXCLUDES_BY_NAME = ("not ", "--deselect", "!~", "!=", "--skip ", "--ignore", "--exclude", "invert", "excludeTests")


def run_changes(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> Iterator[GateChange]:
    """What became of the runs of the changed files."""
    before, after = tuple(before), tuple(after)
    old, new = tuple(runs_of(before)), tuple(runs_of(after))
    pairs = RunPairs(old, new)
    removed = _Removed(before, after, old, new)
    options = _options(after)
    spare = _options(before) - options
    idle = idle_paths(after) - idle_paths(before)
    started = frozenset(one.name for one in new if one.path not in idle)
    had: dict[str, set[str]] = {}
    for run in old:
        had.setdefault(run.name, set()).update(run.folders())
    has = {folder for run in new for folder in run.folders()}
    placed: dict[tuple[str, str, str], list[Run]] = {}
    for run in new:
        placed.setdefault((run.path, run.kind, run.place), []).append(run)
    known = frozenset(facts.path for facts in before)
    for run, now, is_same_tool in pairs.pairs():
        if now is None:
            yield from removed.changes(run)
            continue
        if run.path != now.path and now.path in idle and run.kind == TEST and now.name not in started:
            message = f"{now.shown()} is no longer started by any change: it stood in {run.path}"
            yield GateChange(BLOCK, now.path, now.line, message)
        yield from _elsewhere(run, now, had, has)
        yield from _hollow_entry(run, now, placed)
        yield from given_files(now.marks - run.marks, known, after)
        for change, text in Softened(run, now, is_same_tool, pairs).changes(options):
            if spare[text] > 0:
                spare[text] -= 1  # the option stood in the configuration before
            else:
                yield change
    yield from paths_left_out(old, new, known - frozenset(facts.path for facts in after))
    yield from _arrivals(old, pairs, known)
    yield from bypasses(before, after)


def _elsewhere(run: Run, now: Run, had: Mapping[str, set[str]], has: set[str]) -> Iterator[GateChange]:
    """A run that left its folder for one that had a run of its own: what it tested is tested no more.

    `had` are the folders of the base's runs by their names, `has` those of all runs of the head.
    """
    left, entered = run.folders() - now.folders(), now.folders() - run.folders()
    if run.kind != TEST or not left or not entered or run.path != now.path:
        return
    if not left & has and entered <= had[run.name]:
        message = (
            f"{now.shown()} no longer runs in {', '.join(sorted(left))}, and once more in {', '.join(sorted(entered))}"
        )
        yield GateChange(BLOCK, now.path, now.line, message)


def _hollow_entry(run: Run, now: Run, new: Mapping[tuple[str, str, str], list[Run]]) -> Iterator[GateChange]:
    """A run that stands behind another script now, which is started in its stead and lets a failure of it go.

    `new` are the runs of the head by their path, kind and place.
    """
    if run.path != now.path or run.place == now.place or not run.is_counted() or not now.is_counted():
        return
    beside = new.get((run.path, run.kind, run.place), [])
    starting = [one for one in beside if one.name.rpartition(" ")[2] == now.place]
    if not beside or any(one.is_counted() for one in beside):
        return
    for one in starting[:1]:
        text = next(mark.partition(": ")[2] for mark in sorted(one.marks) if mark.startswith(("ignored: ", "off: ")))
        yield GateChange(BLOCK, one.path, one.line, f"{one.shown()}: {says('ignored', text)}")


def idle_paths(files: Iterable[FileFacts]) -> frozenset[str]:
    """Pipelines that no change starts: by hand, by the clock, or after something else."""
    found: set[str] = set()
    for facts in files:
        events = {one.value for one in facts.settings if one.key == "trigger > event"}
        if events and events.isdisjoint(BY_CHANGE):
            found.add(facts.path)
    return frozenset(found)


def _options(files: Iterable[FileFacts]) -> Counter[str]:
    """Options that a configuration gives to every run."""
    prefix = "pytest > addopts > "
    return Counter(one.value for facts in files for one in facts.settings if one.key.startswith(prefix))


class _Removed:
    """Runs that are gone, with nothing of their kind in their stead."""

    def __init__(
        self, before: tuple[FileFacts, ...], after: tuple[FileFacts, ...], old: tuple[Run, ...], new: tuple[Run, ...]
    ) -> None:
        self._old = old
        self._kinds = frozenset(run.kind for run in new)
        self._names = frozenset((run.name, run.kind) for run in new)
        self._beside = frozenset((run.path, run.kind) for run in new)
        self._places = frozenset((run.path, run.place) for run in new if run.kind == TEST and run.is_counted())
        self._checks = frozenset((run.path, run.place) for run in new if run.kind == LINT)
        self._present = frozenset(facts.path for facts in after)
        known = {run.name for run in old}
        self._arrived = frozenset(run.kind for run in new if run.name not in known and run.is_counted())
        commands = [Counter((one.path, *pair) for one in files for pair in _commands(one)) for files in (before, after)]
        said = [_said(files) for files in (before, after)]
        self._stubbed = frozenset(place for place, count in said[1].items() if count > said[0][place])
        named = [Counter(pair for one in files for pair in _named(one)) for files in (before, after)]
        self._named = frozenset((path, place) for path, place, _ in (named[1] - named[0]))
        self._started = told(after, STARTED)
        self._unsure = frozenset((path, place) for path, place, said in commands[1] if not _HOLLOW.match(said))
        self._unknown = frozenset((path, place) for path, place, _ in (commands[1] - commands[0]))

    def changes(self, run: Run) -> Iterator[GateChange]:
        """What to say about a run of the base that the head has nowhere."""
        if not run.is_counted() or run.kind == TIDY:
            return
        if (run.name, run.kind) in self._names or run.kind in self._arrived:
            return
        if run.path not in self._present:
            if run.kind not in self._kinds and _is_first(run, self._old):
                yield GateChange(WARN, run.path, 0, f"{run.shown()} is gone with its file")
            return
        message = f"{run.shown()} is gone, and nothing of its kind came in its stead"
        yield GateChange(self._severity(run), run.path, 0, message)

    def _severity(self, run: Run) -> str:
        if run.kind == HOOKS:
            return BLOCK if "agentgate" in run.name else WARN
        if run.kind == LINT:
            is_beside = (run.path, LINT) in self._beside and not self._is_asked_no_more(run)
            return ADVICE if is_beside or run.place == "hooks" else WARN
        is_last = (run.path, TEST) not in self._beside
        if run.path.rpartition("/")[2] in AT_HAND:
            # They are at hand for whoever works on the project: what has to run stands in a pipeline.
            return BLOCK if run.place in self._started and (run.path, run.place) not in self._unsure else WARN
        if (run.path, run.place) in self._named and (run.path, run.place) not in self._places:
            return BLOCK  # a step of its job goes by the name of a test, and runs none
        if (run.path, run.place) in self._unknown:
            return WARN
        is_passed_by = is_last or (run.path, run.place) in self._stubbed or self._is_started_no_more(run)
        return BLOCK if is_passed_by else WARN

    def _is_asked_no_more(self, run: Run) -> bool:
        """True for a check that a script of tests started, which still starts these, and nothing else of its kind."""
        is_script = run.path.rpartition("/")[2] in _SCRIPTS and run.name.startswith(_HOSTS)
        return is_script and (run.path, run.place) in self._places and (run.path, run.place) not in self._checks

    def _is_started_no_more(self, run: Run) -> bool:
        """True for a script of tests that is still there, where the one that started it starts others all the same."""
        if run.path.rpartition("/")[2] not in _SCRIPTS or not run.name.startswith(_HOSTS):
            return False
        is_there = (run.path, run.name.rpartition(" ")[2]) in self._places
        return is_there and _ALL_CHECKS.fullmatch(run.place) is not None and (run.path, run.place) in self._places


def _said(files: tuple[FileFacts, ...]) -> Counter[tuple[str, str]]:
    """How many commands that only say something each place of each file has."""
    found: Counter[tuple[str, str]] = Counter()
    for facts in files:
        for one in facts.settings:
            if one.key.startswith("stub > "):
                found[facts.path, one.key.removeprefix("stub > ")] += int(one.value)
    return found


def _named(facts: FileFacts) -> Iterator[tuple[str, str, str]]:
    """The steps of each place that go by the name of a test, and run none."""
    for one in facts.settings:
        if one.key.startswith("named > "):
            yield facts.path, one.key.removeprefix("named > "), one.value


def _commands(facts: FileFacts) -> Iterator[tuple[str, str]]:
    for one in facts.settings:
        if one.key.startswith("command > "):
            yield one.key.removeprefix("command > "), one.value


def _is_first(run: Run, old: tuple[Run, ...]) -> bool:
    return next(one for one in old if one.path == run.path and one.kind == run.kind) == run


def _arrivals(old: tuple[Run, ...], pairs: RunPairs, known: frozenset[str]) -> Iterator[GateChange]:
    """A new file whose run leaves tests out by their names; other new runs are what their author made them."""
    if any(one.kind == TEST for one in old):
        return
    for run in pairs.unmatched:
        if run.kind != TEST or run.path in known:
            continue
        for mark in sorted(run.marks):
            kind, _, text = mark.partition(": ")
            if kind == "narrowed" and any(one in text for one in _EXCLUDES_BY_NAME):
                yield GateChange(WARN, run.path, run.line, f"{run.shown()} is new, and {says(kind, text)}")
