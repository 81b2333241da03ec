"""Runs of base and head: each run of the base is found again at the head, and compared with what it is now.

A run is looked for in its own job first, then in its file, then anywhere in the change set, then as another tool of
the same kind; each run of the head answers for one of the base. So a run that moved, was renamed or was replaced by
another tool is nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.model.record import Record
from agentgate_git.policy.settings.bypasses import bypasses
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.given import given_files
from agentgate_git.policy.settings.globs import is_glob, lost
from agentgate_git.policy.settings.split_runs import is_taken
from agentgate_git.policy.settings.triggers import BY_CHANGE

# Files of tasks that are at hand for whoever works on the project: what has to run stands in a pipeline.
_AT_HAND = frozenset(("pyproject.toml", "hatch.toml", "pixi.toml"))
_TEST, _LINT, _HOOKS = "test", "lint", "hooks"
_STOPS = ("ignored", "off", "hollow", "rewrites")
_EXCLUDES_BY_NAME = ("not ", "--deselect", "!~", "!=", "--skip ", "--ignore", "--exclude", "invert", "excludeTests")


class Run(Record):
    """One run of a file: `marks` are what softens it."""

    path: str
    kind: str
    place: str
    name: str
    marks: frozenset[str]
    line: int


def run_changes(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> Iterator[GateChange]:
    """What became of the runs of the changed files."""
    before, after = tuple(before), tuple(after)
    old, new = tuple(runs_of(before)), tuple(runs_of(after))
    matcher = _Matcher(old, new)
    removed = _Removed(before, after, old, new)
    options = _options(after)
    spare = _options(before) - options
    idle = idle_paths(after) - idle_paths(before)
    started = frozenset(one.name for one in new if one.path not in idle)
    folders = _folders(new)
    for run, now, is_same_tool in matcher.pairs():
        if now is None:
            yield from removed.changes(run)
            continue
        if run.path != now.path and now.path in idle and run.kind == _TEST and now.name not in started:
            message = f"{_shown(now)} is no longer started by any change: it stood in {run.path}"
            yield GateChange(BLOCK, now.path, now.line, message)
        yield from _elsewhere(run, now, old, folders)
        yield from _hollow_entry(run, now, new)
        yield from given_files(now.marks - run.marks, frozenset(one.path for one in before), after)
        for change, text in _softened(run, now, is_same_tool, matcher, options):
            if spare[text] > 0:
                spare[text] -= 1  # the option stood in the configuration before
            else:
                yield change
    yield from _arrivals(old, matcher, frozenset(facts.path for facts in before))
    yield from bypasses(before, after)


def runs_of(files: Iterable[FileFacts]) -> Iterator[Run]:
    """The runs of files, in their order."""
    for facts in files:
        for setting in facts.settings:
            parts = setting.key.split(" > ")
            if parts[0] == "run" and len(parts) == 4:
                marks = frozenset(filter(None, setting.value.split("\n")))
                yield Run(facts.path, parts[1], parts[2], parts[3], marks, setting.line)


def _elsewhere(run: Run, now: Run, old: tuple[Run, ...], folders: set[str]) -> Iterator[GateChange]:
    """A run that left its folder for one that had a run of its own: what it tested is tested no more."""
    left, entered = _folders((run,)) - _folders((now,)), _folders((now,)) - _folders((run,))
    if run.kind != _TEST or not left or not entered or run.path != now.path:
        return
    if not left & folders and entered <= _folders(tuple(one for one in old if one.name == run.name)):
        message = (
            f"{_shown(now)} no longer runs in {', '.join(sorted(left))}, and once more in {', '.join(sorted(entered))}"
        )
        yield GateChange(BLOCK, now.path, now.line, message)


def _hollow_entry(run: Run, now: Run, new: tuple[Run, ...]) -> Iterator[GateChange]:
    """A run that stands behind another script now, which is started in its stead and lets a failure of it go."""
    if run.path != now.path or run.place == now.place or not _is_counted(run) or not _is_counted(now):
        return
    beside = [one for one in new if (one.path, one.kind, one.place) == (run.path, run.kind, run.place)]
    starting = [one for one in beside if one.name.rpartition(" ")[2] == now.place]
    if not beside or any(_is_counted(one) for one in beside):
        return
    for one in starting[:1]:
        text = next(mark.partition(": ")[2] for mark in sorted(one.marks) if mark.startswith(("ignored: ", "off: ")))
        yield GateChange(BLOCK, one.path, one.line, f"{_shown(one)}: {_says('ignored', text)}")


def _folders(runs: tuple[Run, ...]) -> set[str]:
    return {mark[4:] for run in runs for mark in run.marks if mark.startswith("at: ")}


def idle_paths(files: Iterable[FileFacts]) -> frozenset[str]:
    """Pipelines that no change starts: by hand, by the clock, or after something else."""
    found: set[str] = set()
    for facts in files:
        events = {one.value for one in facts.settings if one.key == "trigger > event"}
        if events and events.isdisjoint(BY_CHANGE):
            found.add(facts.path)
    return frozenset(found)


class _Matcher:
    """Pairs of runs, found in rounds from the surest to the loosest likeness."""

    def __init__(self, old: tuple[Run, ...], new: tuple[Run, ...]) -> None:
        self._old = old
        self.unmatched = list(new)
        self._pairs: dict[int, tuple[Run, bool]] = {}
        self.is_measured = any(mark.startswith("measured: ") for run in new for mark in run.marks)
        self._names = Counter((run.path, run.place, run.name) for run in old)
        self._spare_marks = ""
        self._spare_tools: frozenset[str] = frozenset()

    def pairs(self) -> Iterator[tuple[Run, Run | None, bool]]:
        """Each run of the base with the run of the head it became, and whether that is the same tool."""
        rounds: tuple[tuple[Callable[[Run], tuple[object, ...]], bool], ...] = (
            (lambda run: (run.path, run.kind, run.place, run.name, run.marks), True),
            (lambda run: (run.path, run.kind, run.place, run.name), True),
            (lambda run: (run.path, run.kind, run.name, run.marks), True),
            (lambda run: (run.path, run.kind, run.name), True),
            (lambda run: (run.kind, run.name, run.marks), True),
            (lambda run: (run.kind, run.name), True),
            (lambda run: (run.path, run.kind, run.place, _program(run)), True),
            (lambda run: (run.path, run.kind, run.place, _tool(run)), False),
            (lambda run: (run.path, run.kind, run.place), False),
            (lambda run: (run.path, run.kind), False),
            (lambda run: (run.kind,), False),
        )
        for likeness, is_same_tool in rounds:
            self._match(likeness, is_same_tool)
        self._spare_marks = "\n".join(mark for run in self.unmatched for mark in run.marks)
        self._spare_tools = frozenset(_tool(run) for run in self.unmatched if run.kind == _TEST)
        for position, run in enumerate(self._old):
            found = self._pairs.get(position)
            yield run, (found[0] if found else None), bool(found and found[1])

    def is_covered(self, text: str) -> bool:
        """True for a text in a mark of a run of the head that answers for none of the base."""
        return text in self._spare_marks

    def has_other_tests(self, tool: str) -> bool:
        """True where such a run is one of tests by this tool."""
        return tool in self._spare_tools

    def takes(self, path: str, text: str) -> bool:
        """True where a run of tests beside it, which answers for none of the base, takes what a mark leaves out."""
        beside = (run.marks for run in self.unmatched if run.kind == _TEST and run.path == path)
        return is_taken(text, beside)

    def _match(self, likeness: Callable[[Run], tuple[object, ...]], is_same_tool: bool) -> None:
        waiting: dict[tuple[object, ...], list[int]] = {}
        for position, run in enumerate(self._old):
            if position not in self._pairs:
                waiting.setdefault(likeness(run), []).append(position)
        left: list[Run] = []
        for run in sorted(self.unmatched, key=lambda one: len(one.marks)):
            # A copy of what the base already had there replaces nothing else.
            is_copy = not is_same_tool and self._names[(run.path, run.place, run.name)] > 0
            positions = waiting.get(likeness(run))
            if positions and not is_copy:
                self._pairs[positions.pop(0)] = (run, is_same_tool)
            else:
                left.append(run)
        self.unmatched = left


def _program(run: Run) -> str:
    """The script or the program of tests that is started, whatever it is given; other runs are known by their names."""
    tool = _tool(run)
    return tool if "/" in tool or "." in tool else run.name


def _tool(run: Run) -> str:
    return run.name.partition(" ")[0]


def _options(files: Iterable[FileFacts]) -> Counter[str]:
    """Options that a configuration gives to every run."""
    prefix = "pytest > addopts > "
    return Counter(one.value for facts in files for one in facts.settings if one.key.startswith(prefix))


def _softened(
    run: Run, now: Run, is_same_tool: bool, matcher: _Matcher, options: Counter[str]
) -> Iterator[tuple[GateChange, str]]:
    """Each mark for the worse, with its text."""
    fresh = now.marks - run.marks
    for mark in sorted(fresh):
        kind, _, text = mark.partition(": ")
        if any(one.startswith(f"{kind}: ") for one in run.marks) and kind in ("ignored", "off"):
            continue  # it was so before for another reason
        severity = _severity(kind, text, run, now, is_same_tool, matcher)
        if severity == WARN and text == "--if-present" and any(one.startswith("paths: -") for one in fresh):
            severity = BLOCK  # somewhere else, and only if there is any
        if severity:
            yield GateChange(severity, now.path, now.line, f"{_shown(now)}: {_says(kind, text)}"), text
    for mark in sorted(run.marks - now.marks) if is_same_tool and run.kind == _TEST else ():
        kind, _, text = mark.partition(": ")
        if kind == "wider" and not matcher.is_covered(text) and not options[text]:
            severity = ADVICE if text.startswith("-W") else WARN
            yield GateChange(severity, now.path, now.line, f"{_shown(now)} no longer has {text}"), ""
        if kind == "spared" and any(one.startswith("retried: ") for one in now.marks):
            yield GateChange(WARN, now.path, now.line, f"{_shown(now)} runs failures again that {text} left red"), ""
        if kind == "measured" and not matcher.is_measured and not any(one.startswith("--cov") for one in options):
            yield GateChange(WARN, now.path, now.line, f"{_shown(now)} no longer measures coverage, with {text}"), ""


def _severity(kind: str, text: str, run: Run, now: Run, is_same_tool: bool, matcher: _Matcher) -> str:
    """How bad a new mark of a run is; empty for one that says nothing."""
    if kind in _STOPS:
        if run.kind == "tidy":
            return ADVICE
        is_there = is_same_tool or (run.path, run.place, kind) == (now.path, now.place, "off")
        return BLOCK if is_there and _is_counted(run) else WARN
    if run.kind == "tidy":
        return ""
    if kind in ("narrowed", "filtered"):
        return _selection(kind, text, run, now, is_same_tool, matcher)
    if kind == "paths":
        return _paths(text, run, now, is_same_tool, matcher)
    if kind == "retried" and _is_fewer(text, run):
        return ""
    return {"retried": WARN, "unplugged": WARN, "condition": WARN}.get(kind, "") if is_same_tool else ""


def _is_fewer(text: str, run: Run) -> bool:
    """True for a number of retries that is lower than it was."""
    option, _, now = text.rpartition(" ")
    before = [mark.rpartition(" ")[2] for mark in run.marks if mark.startswith(f"retried: {option} ")]
    return now.isdigit() and any(one.isdigit() and int(one) > int(now) for one in before)


def _is_counted(run: Run) -> bool:
    return not any(mark.startswith(("ignored: ", "off: ")) for mark in run.marks)


def _selection(kind: str, text: str, run: Run, now: Run, is_same_tool: bool, matcher: _Matcher) -> str:
    """What a run leaves out may be what a new run beside it takes."""
    if run.kind == _HOOKS:
        return BLOCK if is_same_tool and now.place == "hooks" else ""
    if run.kind == _LINT or not is_same_tool:
        return ADVICE if run.kind == _LINT and is_same_tool else ""
    option, _, value = text.partition(" ")
    had = tuple(mark.partition(" ")[2].partition(" ")[2] for mark in run.marks if mark.startswith(f"{kind}: {option}"))
    if had:  # another value of an option that was there
        return BLOCK if is_glob(value) and option == "-p" and lost(had, (value,)) else ADVICE
    if any(mark.startswith(("narrowed: ", "filtered: ")) for mark in run.marks - now.marks):
        return WARN  # another selection in the place of one that was there
    if matcher.takes(now.path, text):
        return ""
    if matcher.has_other_tests(_tool(now)):
        return WARN
    return BLOCK


def _paths(text: str, run: Run, now: Run, is_same_tool: bool, matcher: _Matcher) -> str:
    """Paths that a run is now limited to, of a run that had none or wider ones."""
    if run.kind != _TEST or not is_same_tool:
        return ""
    before = {mark.partition(": ")[2] for mark in run.marks if mark.startswith("paths: ")}
    beside = {mark.partition(": ")[2] for mark in now.marks if mark.startswith("paths: ")}
    if before & beside or len(beside) > len(before) + 1:
        return ""
    is_one_test = "::" in text
    is_one_file = text.endswith((".py", ".js", ".ts", ".rb", ".php", "_test.go", ".bats", ".ex", ".exs"))
    if not before and (is_one_test or is_one_file):
        return BLOCK if is_one_test else WARN
    is_inside = any(text.startswith((f"{one.rstrip('/.')}/", f"{one}::")) for one in before)
    is_inside = is_inside or ("*" not in text and any("*" in one and fnmatchcase(text, one) for one in before))
    if any(text.startswith(f"{one.rstrip('/.')}/**/") for one in before):
        return ""  # all of a folder, as a pattern
    if is_inside:
        is_alone = (
            is_one_file
            and not any("*" in one for one in before)
            and len(before) == len(beside) == 1
            and not matcher.has_other_tests(_tool(now))
        )
        return BLOCK if is_one_test or is_alone else WARN
    if not text.startswith("-") or before:
        return ""
    return ADVICE if text.partition(" ")[0] in ("-p", "--package", "-pl", "--projects") else WARN


def _says(kind: str, text: str) -> str:
    return {
        "ignored": f"a failure no longer counts, {text}",
        "off": f"it no longer runs, {text}",
        "hollow": f"its checks do nothing, {text}",
        "rewrites": f"it writes what it should compare with, {text}",
        "narrowed": f"it leaves tests out by name, {text}",
        "filtered": f"it leaves out a group, {text}",
        "paths": f"it is limited to {text}",
        "retried": f"it runs failures again, {text}",
        "unplugged": f"it runs without {text}",
        "condition": f"it runs less often, {text}",
    }.get(kind, text)


def _shown(run: Run) -> str:
    return f"`{run.name}` in {run.place}" if run.place else f"`{run.name}`"


class _Removed:
    """Runs that are gone, with nothing of their kind in their stead."""

    def __init__(
        self, before: tuple[FileFacts, ...], after: tuple[FileFacts, ...], old: tuple[Run, ...], new: tuple[Run, ...]
    ) -> None:
        self._old = old
        self._kinds = frozenset(run.kind for run in new)
        self._names = frozenset((run.name, run.kind) for run in new)
        self._beside = frozenset((run.path, run.kind) for run in new)
        self._present = frozenset(facts.path for facts in after)
        known = {run.name for run in old}
        self._arrived = frozenset(run.kind for run in new if run.name not in known and _is_counted(run))
        commands = [Counter((one.path, *pair) for one in files for pair in _commands(one)) for files in (before, after)]
        self._unknown = frozenset((path, place) for path, place, _ in (commands[1] - commands[0]))

    def changes(self, run: Run) -> Iterator[GateChange]:
        """What to say about a run of the base that the head has nowhere."""
        if not _is_counted(run) or run.kind == "tidy":
            return
        if (run.name, run.kind) in self._names or run.kind in self._arrived:
            return
        if run.path not in self._present:
            if run.kind not in self._kinds and _is_first(run, self._old):
                yield GateChange(WARN, run.path, 0, f"{_shown(run)} is gone with its file")
            return
        message = f"{_shown(run)} is gone, and nothing of its kind came in its stead"
        yield GateChange(self._severity(run), run.path, 0, message)

    def _severity(self, run: Run) -> str:
        if run.kind == _HOOKS:
            return BLOCK if "agentgate" in run.name else WARN
        if run.kind == _LINT:
            return ADVICE if (run.path, _LINT) in self._beside or run.place == "hooks" else WARN
        is_last = (run.path, _TEST) not in self._beside
        if run.path.rpartition("/")[2] in _AT_HAND:
            return WARN
        return BLOCK if is_last and (run.path, run.place) not in self._unknown else WARN


def _commands(facts: FileFacts) -> Iterator[tuple[str, str]]:
    for one in facts.settings:
        if one.key.startswith("command > "):
            yield one.key.removeprefix("command > "), one.value


def _is_first(run: Run, old: tuple[Run, ...]) -> bool:
    return next(one for one in old if one.path == run.path and one.kind == run.kind) == run


def _arrivals(old: tuple[Run, ...], matcher: _Matcher, known: frozenset[str]) -> Iterator[GateChange]:
    """A new file whose run leaves tests out by their names; other new runs are what their author made them."""
    if any(one.kind == _TEST for one in old):
        return
    for run in matcher.unmatched:
        if run.kind != _TEST or run.path in known:
            continue
        for mark in sorted(run.marks):
            kind, _, text = mark.partition(": ")
            if kind == "narrowed" and any(one in text for one in _EXCLUDES_BY_NAME):
                yield GateChange(WARN, run.path, run.line, f"{_shown(run)} is new, and {_says(kind, text)}")
