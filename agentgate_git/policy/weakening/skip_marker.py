"""E_SKIP_MARKER: tests that ran at the base and are kept from running at the head.

Inventories are compared, not lines: adding, moving or rewording a marker that changes nothing is nothing. A
test is found again by its path and name, else by its body, so a test that was moved or renamed is the same test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model import code
from agentgate_git.model.finding import BLOCK, WARN, Finding, some_of
from agentgate_git.model.inventory import (
    CONDITIONAL,
    EXPECTED_FAIL,
    NO_RUN,
    NOT_COLLECTED,
    ON_DEMAND,
    RUNS,
    SETUP,
    SKIPPED,
    UNSPOKEN,
    CollectedTest,
    Inventory,
)
from agentgate_git.model.record import Record
from agentgate_git.policy.weakening.new_conditions import NewConditions
from agentgate_git.policy.weakening.set_apart import is_beside_tests, is_of_few_runs, is_of_other_system, takes_out

_LIVE = (RUNS, CONDITIONAL)
_STOPPED = (SKIPPED, EXPECTED_FAIL, NOT_COLLECTED)
_SHOWN = 5
_EXPECTED = "(expected="
_WAITS = ("nothing sets ", "it is true wherever CI runs")
_KEPT_FOR_OTHERS = (UNSPOKEN, NO_RUN)
_IS_NOW = {
    SKIPPED: "skipped",
    EXPECTED_FAIL: "expected to fail",
    NOT_COLLECTED: "not collected",
    CONDITIONAL: "skipped under a condition",
}
_STRICT, _LAX = "strict=True", "strict=False"
_ASK = "take it out, or ask a human to adopt the change"


class _Place(Record):
    path: str
    name: str


class _Loss(Record):
    """One test that runs less than before, and where the head says so."""

    path: str
    test: CollectedTest
    was: str
    severity: str


def skip_findings(base: Iterable[Inventory], head: Iterable[Inventory]) -> tuple[Finding, ...]:
    """Findings for a whole change set: inventories of the changed files at the base and at the head.

    One finding for each marker, which names the tests it stops. What stops an existing test blocks; a condition on
    one warns, and so does a new test that arrives switched off.
    """
    before, after = tuple(base), tuple(head)
    return tuple(_by_marker(_losses(before, after)))


def _losses(base: tuple[Inventory, ...], head: tuple[Inventory, ...]) -> Iterator[_Loss]:
    old, new = _by_place(base), _by_place(head)
    finder = _Finder(old, new, frozenset(name for one in head for name in one.inherits))
    found_again: set[_Place] = set()
    conditions = NewConditions(frozenset(one.path for one in (*base, *head)))
    freed: set[str] = set()
    for place, test in old.items():
        there = finder.find(place, test)
        if there is not None:
            found_again.add(there)
            if test.state == CONDITIONAL:
                freed.update(conditions.of(new[there], test))
            yield from _loss(test, new[there], there, conditions)
    unreadable = {one.path for one in base if one.problem}
    fresh = {one.path for one in head} - {one.path for one in base} - {place.path for place in found_again}
    for place, test in new.items():
        is_new = place not in old and place not in found_again and place.path not in unreadable
        if is_new and not (test.kind == SETUP and any(one in test.condition for one in freed)):
            yield from _arrival(test, place, frozenset(fresh), conditions)


def _by_place(inventories: Iterable[Inventory]) -> dict[_Place, CollectedTest]:
    """Tests by path and name; of several definitions of one name the last that is collected."""
    places: dict[_Place, CollectedTest] = {}
    shadowed = 0
    for inventory in inventories:
        for test in inventory.tests:
            place = _Place(inventory.path, test.name)
            other = places.get(place)
            if other is None:
                places[place] = test
                continue
            shadowed += 1
            kept, hidden = (other, test) if test.state == NOT_COLLECTED else (test, other)
            places[place] = kept
            places[_Place(inventory.path, f"{test.name} ({shadowed})")] = hidden
    return places


class _Finder:
    """Finds tests of the base at the head."""

    def __init__(
        self, old: Mapping[_Place, CollectedTest], new: Mapping[_Place, CollectedTest], inherited: frozenset[str]
    ) -> None:
        self._new = new
        self._running: set[str] = set()
        # Of the tests that arrived or stopped with a body: the first in whatever state, live, and not collected.
        self._arrived: dict[tuple[str, str, str], _Place] = {}
        for place, test in new.items():
            if test.state in _LIVE or place.name.rpartition("::")[0].rpartition("::")[2] in inherited:
                self._running.add(test.body)
            if test.body and (place not in old or old[place].state not in _LIVE):
                for state in ("", "live" if test.state in _LIVE else test.state):
                    self._arrived.setdefault((test.body, test.kind, state), place)

    def find(self, place: _Place, test: CollectedTest) -> _Place | None:
        """Where a test stands now; None when it is gone, or its body runs elsewhere.

        A test of the same name with another body is the same test, unless its old body went somewhere else and
        stopped there.
        """
        same = self._new.get(place)
        if same is not None and same.body == test.body:
            return self._inherited(place, same) or place
        arrived, running, hidden = (
            self._arrived.get((test.body, test.kind, state)) for state in ("", "live", NOT_COLLECTED)
        )
        if same is None and running is not None:
            return running
        if test.body in self._running:
            return None if same is None else place
        if same is None:
            return arrived
        return hidden if hidden is not None and test.state in _LIVE else place

    def _inherited(self, place: _Place, same: CollectedTest) -> _Place | None:
        """Where a test runs now that only stands in a mixin any more: in a class of its file that came with it."""
        other = self._arrived.get((same.body, same.kind, "live")) if same.state == NOT_COLLECTED else None
        if other is None or other.path != place.path:
            return None
        return other if other.name.rpartition("::")[2] == place.name.rpartition("::")[2] else None


def _loss(before: CollectedTest, after: CollectedTest, place: _Place, conditions: NewConditions) -> Iterator[_Loss]:
    was_live = before.state in _LIVE
    if was_live and after.state in _STOPPED:
        yield _Loss(place.path, after, before.state, BLOCK)
        return
    if before.state == after.state == EXPECTED_FAIL and _EXPECTED in before.marker and _EXPECTED not in after.marker:
        yield _Loss(place.path, after, before.state, BLOCK)  # any failure will do now
        return
    if before.state == after.state == EXPECTED_FAIL and _may_pass(before.marker, after.marker):
        yield _Loss(place.path, after, before.state, WARN)
    new = conditions.of(before, after) if was_live and after.state == CONDITIONAL else frozenset[str]()
    if new or (before.state == EXPECTED_FAIL and after.state in (SKIPPED, NOT_COLLECTED)):
        picks = conditions.pick(new, before, after, place.path)
        yield _Loss(place.path, after, before.state, BLOCK if picks else WARN)


def _may_pass(before: str, after: str) -> bool:
    """True for an xfail that was strict, or may have been by the configuration, and is so no more."""
    return (_STRICT in before and _STRICT not in after) or (_LAX in after and _LAX not in before)


def _may_turn_green(marker: str) -> bool:
    """True for an expected failure that nobody hears of once the test passes."""
    return "strict" not in marker or _LAX in marker


def _arrival(test: CollectedTest, place: _Place, fresh: frozenset[str], conditions: NewConditions) -> Iterator[_Loss]:
    """A new test that is switched off warns; a strict xfail says something, a condition is what new tests have.

    A new fixture or hook of a conftest, or a path that it ignores, stands before tests that ran without it: but not
    before those of a `fresh` file, which came with it.
    """
    if test.kind == SETUP:
        if test.state in _STOPPED:
            yield _Loss(place.path, test, "", WARN if _ignored_path(test, place) in fresh else BLOCK)
        elif test.state == CONDITIONAL and not is_of_other_system(test) and not is_beside_tests(test):
            is_named = conditions.pick_any(test.condition, place.path) and not is_of_few_runs(test.condition)
            picks = is_named or takes_out(test, place.path)
            yield _Loss(place.path, test, "", BLOCK if picks else WARN)
    elif test.condition.startswith(_KEPT_FOR_OTHERS):
        return  # a new test for what its author alone has
    elif test.condition.startswith(_WAITS) and (", which does " in test.marker or not place.path.endswith(".py")):
        return  # a new test that asks for what its author has at hand
    elif (test.state == SKIPPED and ON_DEMAND not in test.marker) or (
        test.state == EXPECTED_FAIL and _may_turn_green(test.marker)
    ):
        yield _Loss(place.path, test, "", WARN)


def _ignored_path(test: CollectedTest, place: _Place) -> str:
    """The path that a `collect_ignore` entry means, which counts from its conftest."""
    folder = place.path.rpartition("/")[0]
    entry = test.name.partition(" ")[2]
    return f"{folder}/{entry}" if folder else entry


def _by_marker(losses: Iterable[_Loss]) -> Iterator[Finding]:
    grouped: dict[tuple[str, int, str, str, str, bool], list[_Loss]] = {}
    for loss in losses:
        test = loss.test
        key = (loss.path, test.line, test.marker, test.state, loss.severity, bool(loss.was))
        grouped.setdefault(key, []).append(loss)
    for (path, line, *_), group in grouped.items():
        first = group[0]
        step = code.next_step(code.SKIP_MARKER) if first.severity == BLOCK else _ASK
        tests = tuple(f"{loss.path}::{loss.test.name}" for loss in group if loss.test.kind != SETUP)
        yield Finding(code.SKIP_MARKER, first.severity, path, _message(group), step, line=line, tests=tests)


def _message(group: list[_Loss]) -> str:
    first = group[0]
    test = first.test
    names = [loss.test.name for loss in group]
    shown = some_of(names, _SHOWN)
    cause = f"{test.marker}: {test.condition}" if test.condition else test.marker
    listed, _, ignored = test.name.partition(" ")
    if ignored and test.kind == SETUP and first.path.endswith(".py"):
        reason = f" ({test.condition})" if test.condition else ""
        return f"{listed} now keeps {ignored} from being collected{reason}"
    if test.kind == SETUP:
        return f"{shown} stands before tests that ran without it and leaves them {_IS_NOW[test.state]} ({cause})"
    if not first.was:
        return f"{shown} {'is' if len(names) == 1 else 'are'} new and {_IS_NOW[test.state]} ({cause})"
    if first.was == test.state == EXPECTED_FAIL:
        return f"{shown} had to fail and may pass unseen now ({cause})"
    return f"{shown} ran at the base and {'is' if len(names) == 1 else 'are'} now {_IS_NOW[test.state]} ({cause})"
