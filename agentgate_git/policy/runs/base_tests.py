"""E_BASE_TESTS_FAIL: tests of the base that are red on the code of the head, by what a replay says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.code import BASE_TESTS_FAIL, next_step
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.packet import NOT_RUN, PASSED, RunReport
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import MAX_NAMED
from agentgate_git.policy.runs.run_outcomes import IS_RED, SPEAKS, RunOutcomes

_NAMED = 10
_STILL_RED = frozenset((*IS_RED, NOT_RUN))


class FailingTest(Record):
    """One test of the base, or one of its files that could not be collected; `was_red` says that it failed there too.

    `test` is empty where the base's tests as a whole could not be started.
    """

    test: str
    was_red: bool = False


def is_red(replayed: RunReport) -> bool:
    """True when any test of the base did not come to a good end on the head's code.

    A test that was expected to fail strictly, and fails the run by passing, shows a repair.
    """
    repaired = frozenset(replayed.strict_xfails)
    has_red = any(test not in repaired for test in _red_ids(replayed))
    return has_red or not replayed.selected or bool(replayed.collect_errors)


def failing_base_tests(replayed: RunReport, base: RunOutcomes | None, head: RunOutcomes) -> tuple[FailingTest, ...]:
    """The tests that count against the head, sorted.

    `base` is a run of the base that we made ourselves; without one every red test counts, since nobody else's word
    excuses it. A test that was red at the base counts when the head does not call it red any more: then the head's
    tests were changed and not what they test.
    """
    judged = (_judge(test, base, head) for test in sorted(_red_tests(replayed, base)))
    return tuple(one for one in judged if one is not None)


def base_tests_findings(failing: Iterable[FailingTest], *, is_by_agent: bool) -> tuple[Finding, ...]:
    """One finding a file; agent work is blocked until a human has adopted the change of each test.

    Beyond MAX_NAMED tests one finding counts the rest: nobody can adopt what is not named.
    """
    every = tuple(failing)
    files: dict[str, list[FailingTest]] = {}
    for one in every[:MAX_NAMED]:
        files.setdefault(one.test.partition("::")[0], []).append(one)
    severity = BLOCK if is_by_agent else WARN
    rows = [(path, _message(tests), tuple(one.test for one in tests if one.test)) for path, tests in files.items()]
    if len(every) > MAX_NAMED:
        rows.append(("", f"{len(every) - MAX_NAMED} more tests of the base fail on the head's code", ()))
    step = next_step(BASE_TESTS_FAIL)
    return tuple(Finding(BASE_TESTS_FAIL, severity, path, text, step, tests=tests) for path, text, tests in rows)


def _red_tests(replayed: RunReport, base: RunOutcomes | None) -> set[str]:
    """Ids that are red, with those of files that could not be collected where the base's run knows them."""
    known = tuple(test for test, outcome in base.outcomes.items() if outcome in SPEAKS) if base else ()
    if not replayed.selected and not replayed.collect_errors:
        return set(known) or {""}
    red = set(_red_ids(replayed)) - set(replayed.strict_xfails)
    for place in replayed.collect_errors:
        red.update([test for test in known if test == place or test.startswith((f"{place}::", f"{place}/"))] or [place])
    return red


def _red_ids(replayed: RunReport) -> Iterator[str]:
    return (test for test, outcome in replayed.outcomes if outcome in _STILL_RED)


def _judge(test: str, base: RunOutcomes | None, head: RunOutcomes) -> FailingTest | None:
    if base is None:
        return FailingTest(test)
    before = base.outcomes.get(test)
    if before == PASSED:
        return FailingTest(test)
    if before in IS_RED:
        is_told = head.outcomes.get(test) in _STILL_RED or test in head.strict_xfails
        return None if is_told or _is_example(test) else FailingTest(test, was_red=True)
    is_whole_file = before is None and "::" not in test
    return FailingTest(test, was_red=True) if is_whole_file else None


def _is_example(test: str) -> bool:
    """True for a doctest. One that was red may itself have been wrong: words beside code change with the code."""
    path, _, name = test.partition("::")
    return path.endswith(".py") and "." in name.partition("[")[0]


def _message(tests: list[FailingTest]) -> str:
    if not tests[0].test:
        return "the base's tests could not be started on the head's code"
    words = [
        f"{one.test} (red at the base too, and the head no longer says so)" if one.was_red else one.test
        for one in tests
    ]
    more = f"; and {len(tests) - _NAMED} more" if len(tests) > _NAMED else ""
    count = f"{len(tests)} test{' of the base fails' if len(tests) == 1 else 's of the base fail'}"
    return f"{count} on the head's code: {'; '.join(words[:_NAMED])}{more}"
