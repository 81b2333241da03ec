"""E_TEST_SILENCED: tests that spoke at the base and do not speak at the head, by what two runs say.

The binding form of E_SKIP_MARKER: how a test was silenced does not matter here, only that it was. The inventories of
the changed files serve to recognise a test that moved or was renamed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

from agentgate_git.model.code import TEST_SILENCED, next_step
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.inventory import CONDITIONAL, TEST, CollectedTest, Inventory
from agentgate_git.model.packet import SKIPPED, XFAILED
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import MAX_NAMED
from agentgate_git.policy.runs.run_outcomes import IS_RED, SPEAKS, RunOutcomes

_NAMED = 10

Place = tuple[str, str]
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Silenced(Record):
    """One test: `what` completes "it …"; `line` is where it stands at the head, 0 where it stands no more."""

    test: str
    what: str
    severity: str
    line: int = 0


def place_of(test: str) -> Place:
    """The file and the qualified name of a node id, without its parameters."""
    path, _, name = test.partition("::")
    return path, name.partition("[")[0]


class Sources(Record):
    """What the two trees say: inventories of the files that changed, and the paths that are the same in both."""

    before: tuple[Inventory, ...]
    after: tuple[Inventory, ...]
    unchanged: frozenset[str]


def silenced_tests(base: RunOutcomes, head: RunOutcomes, sources: Sources) -> tuple[Silenced, ...]:
    """The tests that ran at the base and not at the head, sorted by id."""
    comparison = _Comparison(base, head, sources)
    found = (comparison.judge(test) for test, outcome in sorted(base.outcomes.items()) if outcome in SPEAKS)
    return tuple(one for one in found if one is not None)


def silenced_findings(silenced: Iterable[Silenced]) -> tuple[Finding, ...]:
    """One finding a file and severity; its message says of each test what happened to it."""
    groups = _grouped(((one.severity, place_of(one.test)[0]), one) for one in silenced)
    return tuple(_finding(severity, path, tests) for (severity, path), tests in sorted(groups.items()))


class _Comparison:
    def __init__(self, base: RunOutcomes, head: RunOutcomes, sources: Sources) -> None:
        self._base = base
        self._head = head
        self._before = _by_place(sources.before)
        self._after = _by_place(sources.after)
        self._unchanged = sources.unchanged
        self._dropped_names = {_last(place) for place in self._before.keys() - self._after.keys()}
        self._at_head = _ids_by_place(head.outcomes)
        self._deselected = {place_of(test) for test in head.deselected}
        new = self._at_head.keys() - _ids_by_place(base.outcomes).keys()
        self._new_by_name = _grouped((_last(place), place) for place in new)
        self._new_by_body = _grouped((self._after[place].body, place) for place in new if place in self._after)

    def judge(self, test: str) -> Silenced | None:
        outcome = self._head.outcomes.get(test)
        if outcome is not None:
            return self._of_outcome(test, test, outcome)
        place = place_of(test)
        if test in self._head.deselected or (place in self._deselected and place not in self._at_head):
            return self._lost(test, "is deselected")
        if place in self._at_head:
            return self._of_parameters(test, place)
        return self._of_absent(test, place)

    def _of_outcome(self, test: str, now: str, outcome: str) -> Silenced | None:
        """A test that is there, as itself or as the one it became."""
        became = "" if now == test else f" as {now}"
        if outcome == SKIPPED:
            return self._lost(test, f"is skipped{became}", now)
        if outcome == XFAILED:
            if self._base.outcomes[test] in IS_RED and now in self._head.strict_xfails:
                return None  # it failed, and now says so in a way that has to be taken back with the repair
            return self._lost(test, f"is expected to fail{became}", now)
        return None

    def _of_parameters(self, test: str, place: Place) -> Silenced | None:
        """Other parameter sets of the same test are there; silent are all of them, or none."""
        outcomes = [(other, self._head.outcomes[other]) for other in self._at_head[place]]
        if any(outcome not in (SKIPPED, XFAILED) for _, outcome in outcomes):
            return None
        return self._of_outcome(test, *outcomes[0])

    def _of_absent(self, test: str, place: Place) -> Silenced | None:
        heirs = [self._of_parameters(test, heir) for heir in self._heirs(place)]
        if heirs:
            return None if None in heirs else heirs[0]
        is_inherited = _last(place) in self._dropped_names
        if place in self._after or (place[0] in self._unchanged and not is_inherited):
            return self._lost(test, "is no longer collected")
        if self._has_body_elsewhere(place):
            return self._lost(test, "is no longer collected where its body stands now")
        return Silenced(test, "is gone", WARN)

    def _heirs(self, place: Place) -> tuple[Place, ...]:
        """The tests of the head that this one can have become: new ids with its body, or with its own last name."""
        body = self._body_of(place)
        by_body = self._new_by_body.get(body, []) if body else []
        by_name = self._new_by_name.get(_last(place), []) if place not in self._after else []
        return (*by_body, *by_name)

    def _body_of(self, place: Place) -> str:
        return self._before[place].body if place in self._before else ""

    def _has_body_elsewhere(self, place: Place) -> bool:
        body = self._body_of(place)
        idle = self._after.keys() - self._at_head.keys() - self._before.keys()
        return bool(body) and any(self._after[other].body == body for other in idle)

    def _lost(self, test: str, what: str, now: str = "") -> Silenced:
        """Blocks, unless a test that was red already got a condition for all to see."""
        known = self._after.get(place_of(now or test))
        is_open = known is not None and known.state == CONDITIONAL and self._base.outcomes[test] in IS_RED
        return Silenced(test, what, WARN if is_open else BLOCK, known.line if known else 0)


def _by_place(inventories: Iterable[Inventory]) -> dict[Place, CollectedTest]:
    return {
        (inventory.path, test.name): test for inventory in inventories for test in inventory.tests if test.kind == TEST
    }


def _last(place: Place) -> str:
    return place[1].rpartition("::")[2]


def _ids_by_place(tests: Iterable[str]) -> dict[Place, list[str]]:
    return _grouped((place_of(test), test) for test in tests)


def _grouped(pairs: Iterable[tuple[_Key, _Value]]) -> dict[_Key, list[_Value]]:
    groups: dict[_Key, list[_Value]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return dict(groups)


def _finding(severity: str, path: str, tests: list[Silenced]) -> Finding:
    named = "; ".join(f"{one.test} {one.what}" for one in tests[:_NAMED])
    more = f"; and {len(tests) - _NAMED} more" if len(tests) > _NAMED else ""
    count = f"{len(tests)} test{'' if len(tests) == 1 else 's'} that ran at the base"
    return Finding(
        TEST_SILENCED,
        severity,
        path,
        f"{count} no longer speak{'s' if len(tests) == 1 else ''}: {named}{more}",
        next_step(TEST_SILENCED),
        tests[0].line,
        tests=tuple(one.test for one in tests) if len(tests) <= MAX_NAMED else (),
    )
