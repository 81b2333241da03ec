"""What softens a run that base and head both have: each mark for the worse that it gained, and what it lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cached_property

from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.globs import is_glob, lost
from agentgate_git.policy.settings.run import HOOKS, LINT, TEST, TIDY, Run, says
from agentgate_git.policy.settings.run_pairs import RunPairs

# How cargo is told which parts of a crate to build.
_FEATURES = frozenset(("--all-features", "--features", "-F"))
_STOPS = ("ignored", "off", "hollow", "rewrites")
_OF_SPEED = pattern_of(r"(?i)bench|perf\b|profil")
# Options of which each value takes in more tests.
_ADDING = frozenset(("--project", "--testsuite", "-p", "--package", "--test", "--bin", "--example", "--bench"))
_BORDER = pattern_of(r"/|::")
_MOST_STARS = 100
# Goals of a build that test before they give something out.
_GIVES_OUT = pattern_of(r" (?:deploy|install|package|publish\w*|assemble|release\S*)$")
# A folder within the one in which a runner finds tests by itself.
_PART = pattern_of(
    r"(?:(?:\./)?(?:[\w.-]+/){0,4}(?:specs?|tests?|testing|unittests|t|features|__tests__)|src)/(?![*])[^.]*$"
)
# In the names of hooks that run tests.
_OF_TESTS = pattern_of(r"(?i)(?:^|[^a-z])(?:py)?(?:unit-?)?tests?(?:[^a-z]|$)|\b(?:tox|nox|coverage|unit|specs?)\b")
# How grave findings have to be to be told, by the words of all checkers; most tell all that are not mere hints.
_USUAL = 1
_GRADES = {
    **dict.fromkeys(("all", "undefined", "style", "info", "note", "hint", "suggestion"), 0),
    **dict.fromkeys(("medium", "moderate", "warning", "2"), 2),
    **dict.fromkeys(("high", "error", "3"), 3),
    **dict.fromkeys(("critical", "blocker", "fatal", "none"), 4),
}
_TEST_FILES = (".py", ".js", ".ts", ".rb", ".php", "_test.go", ".bats", ".ex", ".exs")


class Softened:
    """A run of the base and what it became at the head, which may be another tool of the same kind."""

    def __init__(self, run: Run, now: Run, is_same_tool: bool, pairs: RunPairs) -> None:
        self._run = run
        self._now = now
        self._is_same_tool = is_same_tool
        self._pairs = pairs
        self._had, self._has = _by_kind(run.marks), _by_kind(now.marks)
        self._fresh = now.marks - run.marks

    def changes(self, options: Counter[str]) -> Iterator[tuple[GateChange, str]]:
        """Each change with the text of the mark that came; `options` has what a configuration gives to every run."""
        for mark in sorted(self._fresh):
            kind, _, text = mark.partition(": ")
            if kind in ("ignored", "off") and kind in self._had:
                continue  # it was so before for another reason
            severity = self._severity(kind, text)
            if severity == WARN and text == "--if-present" and any(one.startswith("paths: -") for one in self._fresh):
                severity = BLOCK  # somewhere else, and only if there is any
            if severity:
                yield self._change(severity, f": {says(kind, text)}"), text
        if self._is_same_tool and self._run.kind in (TEST, LINT):
            for mark in sorted(self._run.marks - self._now.marks):
                for change in self._lost(mark, options):
                    yield change, ""

    def _lost(self, mark: str, options: Counter[str]) -> Iterator[GateChange]:
        kind, _, text = mark.partition(": ")
        if kind == "wider" and not (self._is_wide_otherwise(text) or self._pairs.is_covered(text) or options[text]):
            yield self._change(ADVICE if text.startswith("-W") else WARN, f" no longer has {text}")
        if kind == "spared" and "retried" in self._has:
            yield self._change(WARN, f" runs failures again that {text} left red")
        if kind == "measured" and not self._pairs.is_measured and not any(one.startswith("--cov") for one in options):
            yield self._change(WARN, f" no longer measures coverage, with {text}")

    def _is_wide_otherwise(self, text: str) -> bool:
        """True where an option has another value now, or one that takes in all of its kind stands in its place."""
        option, _, value = text.partition(" ")
        now = self._has.get("wider", frozenset())
        if value and any(one.partition(" ")[0] == option for one in now):
            return True
        return option in _FEATURES and any(one.partition(" ")[0] in _FEATURES for one in now)

    def _change(self, severity: str, what: str) -> GateChange:
        return GateChange(severity, self._now.path, self._now.line, f"{self._now.shown()}{what}")

    def _severity(self, kind: str, text: str) -> str:
        """How bad a new mark is; empty for one that says nothing."""
        run, now = self._run, self._now
        is_given_out = run.name == now.name and _GIVES_OUT.search(now.name) is not None
        if kind == "off" and is_given_out and self._pairs.is_tested_beside(now):
            return ""  # what goes out was tested by then
        if kind in _STOPS:
            if run.kind == TIDY:
                return ADVICE
            is_there = self._is_same_tool or (run.path, run.place, kind) == (now.path, now.place, "off")
            return BLOCK if is_there and run.is_counted() else WARN
        if run.kind == TIDY:
            return ""
        if kind == "merged":
            return self._late()
        if kind in ("narrowed", "filtered", "paths") and "off" in self._had:
            return ""  # it ran no tests of which some could be left out
        if kind in ("narrowed", "filtered"):
            return self._selection(kind, text)
        if kind == "paths":
            return self._path(text) if run.kind == TEST and self._is_same_tool and not self._has_same_paths else ""
        if kind == "retried" and self._is_fewer(text):
            return ""
        if kind == "graded":
            before = max(map(_grade, self._had.get(kind, ())), default=_USUAL)
            return WARN if self._is_same_tool and _grade(text) > before else ""
        return {"retried": WARN, "unplugged": WARN, "condition": WARN}.get(kind, "") if self._is_same_tool else ""

    def _late(self) -> str:
        """A run that waits until a change is merged; another of its tool may run before."""
        if not self._is_same_tool or not self._run.is_counted() or not {"merged", "condition"}.isdisjoint(self._had):
            return ""
        is_alone = self._run.kind == TEST and not self._pairs.has_other_tests(self._now.tool())
        return BLOCK if is_alone else WARN

    def _is_fewer(self, text: str) -> bool:
        """True for a number of retries that is lower than it was."""
        option, _, now = text.rpartition(" ")
        return now.isdigit() and int(now) < self._most_retries.get(option, 0)

    @cached_property
    def _most_retries(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for text in self._had.get("retried", ()):
            option, _, count = text.rpartition(" ")
            if count.isdigit():
                found[option] = max(found.get(option, 0), int(count))
        return found

    def _selection(self, kind: str, text: str) -> str:
        """What a run leaves out may be what a new run beside it takes."""
        run, now = self._run, self._now
        if run.kind == HOOKS:
            is_sure = _OF_TESTS.search(text) is not None if text.startswith("SKIP=") else now.place == "hooks"
            return BLOCK if self._is_same_tool and is_sure else ""
        if run.kind == LINT or not self._is_same_tool:
            return ADVICE if run.kind == LINT and self._is_same_tool else ""
        if _OF_SPEED.search(now.place):
            return WARN  # it measures, and the tests are run elsewhere
        option, _, value = text.partition(" ")
        had = self._chosen.get((kind, option))
        if had and option in _ADDING and self._run.marks <= self._now.marks and not value.startswith("!"):
            return ""  # one more of what it takes
        if had:  # another value of an option that was there
            return BLOCK if is_glob(value) and option == "-p" and lost(tuple(had), (value,)) else ADVICE
        if self._has_lost_a_selection or self._is_widened(text):
            return WARN  # another selection in the place of one that was there, or of single files
        if self._pairs.takes(now.path, text):
            return ""
        return WARN if self._pairs.has_other_tests(now.tool()) else BLOCK

    @cached_property
    def _chosen(self) -> dict[tuple[str, str], list[str]]:
        """The values of each option that selected tests before, by its kind and name."""
        found: dict[tuple[str, str], list[str]] = {}
        for kind in ("narrowed", "filtered"):
            for text in self._had.get(kind, ()):
                option, _, value = text.partition(" ")
                found.setdefault((kind, option), []).append(value)
        return found

    @cached_property
    def _has_lost_a_selection(self) -> bool:
        return any(mark.startswith(("narrowed: ", "filtered: ")) for mark in self._run.marks - self._now.marks)

    def _is_widened(self, text: str) -> bool:
        """True where single files were given, of which a mark leaves out none, and no path is given any more."""
        before = self._had.get("paths", frozenset())
        are_files = all(one.endswith(_TEST_FILES) and not is_glob(one) for one in before)
        if not before or "paths" in self._has or not are_files:
            return False
        return not any(one.rpartition("/")[2] in text for one in before)

    @cached_property
    def _has_same_paths(self) -> bool:
        """True where a path that it was given before is still given, or more are given than one for each of before."""
        before, beside = self._had.get("paths", frozenset()), self._has.get("paths", frozenset())
        return bool(before & beside) or len(beside) > len(before) + 1

    @cached_property
    def _lost_file(self) -> str:
        """A path that the patterns of before took, where those of now take a part of that and nothing else."""
        before, beside = self._had.get("paths", frozenset()), self._has.get("paths", frozenset())
        return lost(tuple(sorted(before)[:_MOST_STARS]), tuple(sorted(beside)[:_MOST_STARS]))

    @cached_property
    def _places(self) -> frozenset[str]:
        """The folders and files that it was limited to."""
        return frozenset(one.rstrip("/.") for one in self._had.get("paths", ()))

    def _path(self, text: str) -> str:
        """A path that a run of tests is now limited to, of a run that had none or wider ones."""
        before = self._had.get("paths", frozenset())
        stars = sorted(one for one in before if "*" in one)[:_MOST_STARS]
        is_one_test = "::" in text
        is_one_file = text.endswith(_TEST_FILES)
        if not before and (is_one_test or is_one_file):
            return BLOCK if is_one_test else WARN
        if not before and _PART.match(text):
            is_told = text != min(self._has["paths"]) or self._pairs.has_other_tests(self._now.tool())
            return "" if is_told else WARN
        if stars and is_glob(text) and self._lost_file:
            return WARN if self._pairs.has_other_tests(self._now.tool()) else BLOCK
        if text.partition("/**/")[0] in self._places and "/**/" in text:
            return ""  # all of a folder, as a pattern
        is_inside = any(text[: found.start()] in self._places for found in _BORDER.finditer(text))
        is_inside = is_inside or ("*" not in text and any(fnmatchcase(text, one) for one in stars))
        if is_inside:
            is_alone = (
                is_one_file
                and not stars
                and len(before) == len(self._has["paths"]) == 1
                and not self._pairs.has_other_tests(self._now.tool())
            )
            return BLOCK if is_one_test or is_alone else WARN
        if not text.startswith("-") or before:
            return ""
        if self._pairs.has_other_tests(self._now.tool()):
            return ADVICE  # what it takes no more, another run of its tool may take
        return ADVICE if text.partition(" ")[0] in ("-p", "--package", "-pl", "--projects") else WARN


def _grade(text: str) -> int:
    """How grave a finding has to be by an option, over all tools; the usual for a word that nobody knows."""
    return _GRADES.get(text.rpartition(" ")[2], _USUAL)


def _by_kind(marks: frozenset[str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for mark in marks:
        kind, _, text = mark.partition(": ")
        found.setdefault(kind, set()).add(text)
    return {kind: frozenset(texts) for kind, texts in found.items()}
