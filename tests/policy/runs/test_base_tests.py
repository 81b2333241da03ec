"""E_BASE_TESTS_FAIL: a replay, a run of the base and the head's own run."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import BASE_TESTS_FAIL
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.packet import RunReport
from agentgate_git.policy.runs.base_tests import FailingTest, base_tests_findings, failing_base_tests, is_red
from agentgate_git.policy.runs.run_outcomes import RunOutcomes

A, B = "tests/test_a.py::test_a", "tests/test_b.py::test_b"
GREEN = RunOutcomes({A: "passed", B: "passed"})


def report(*rows: tuple[str, str], errors: tuple[str, ...] = ()) -> RunReport:
    return RunReport(selected=tuple(test for test, _ in rows), outcomes=rows, collect_errors=errors)


ALL_GREEN = report((A, "passed"), (B, "passed"))
A_RED = report((A, "failed"), (B, "passed"))
ALLOWED: dict[str, tuple[RunReport, RunOutcomes, RunOutcomes]] = {
    "all pass": (ALL_GREEN, GREEN, GREEN),
    "skipped on the new code": (report((A, "skipped"), (B, "passed")), GREEN, GREEN),
    "red at the base and at the head": (A_RED, RunOutcomes({A: "failed"}), RunOutcomes({A: "error"})),
    "red at the base, and strictly expected to fail now": (
        A_RED,
        RunOutcomes({A: "failed"}),
        RunOutcomes({A: "xfailed"}, strict_xfails=frozenset((A,))),
    ),
    "expected to fail at the base, and repaired": (A_RED, RunOutcomes({A: "xfailed"}), GREEN),
    "strictly expected to fail, and passing": (
        A_RED._replace(strict_xfails=(A,)),
        RunOutcomes({A: "failed", B: "passed"}),
        GREEN,
    ),
    "skipped at the base": (A_RED, RunOutcomes({A: "skipped"}), GREEN),
    "an example that was red, in a docstring": (
        report(("core.py::core.total", "failed")),
        RunOutcomes({"core.py::core.total": "failed"}),
        RunOutcomes({"core.py::core.total": "passed"}),
    ),
    "a parameter set that the base does not have": (A_RED, RunOutcomes({B: "passed"}), GREEN),
}


@pytest.mark.parametrize(("replayed", "base", "head"), ALLOWED.values(), ids=ALLOWED.keys())
def test_what_does_not_count(replayed: RunReport, base: RunOutcomes, head: RunOutcomes) -> None:
    assert () == failing_base_tests(replayed, base, head)


COUNTED: dict[str, tuple[RunReport, RunOutcomes | None, tuple[FailingTest, ...]]] = {
    "fails": (A_RED, GREEN, (FailingTest(A),)),
    "cannot be set up": (report((A, "error")), GREEN, (FailingTest(A),)),
    "does not get to run": (report((A, "not_run")), GREEN, (FailingTest(A),)),
    "no run of the base excuses it": (A_RED, None, (FailingTest(A),)),
    "red at the base, and the head says it passes": (
        A_RED,
        RunOutcomes({A: "failed"}),
        (FailingTest(A, was_red=True),),
    ),
    "its file cannot be collected": (
        report((B, "passed"), errors=("tests/test_a.py",)),
        GREEN,
        (FailingTest(A),),
    ),
    "its file could not be collected before either": (
        report((B, "passed"), errors=("tests/test_a.py",)),
        RunOutcomes({B: "passed"}),
        (FailingTest("tests/test_a.py", was_red=True),),
    ),
    "nothing can be started": (report(), GREEN, (FailingTest(A), FailingTest(B))),
    "nothing can be started, and nothing is known": (report(), None, (FailingTest(""),)),
}


@pytest.mark.parametrize(("replayed", "base", "wanted"), COUNTED.values(), ids=COUNTED.keys())
def test_what_counts(replayed: RunReport, base: RunOutcomes | None, wanted: tuple[FailingTest, ...]) -> None:
    assert is_red(replayed)
    assert wanted == failing_base_tests(replayed, base, GREEN)


def test_a_green_replay_needs_no_run_of_the_base() -> None:
    assert not is_red(ALL_GREEN)


def test_agent_work_is_blocked_and_other_work_is_told() -> None:
    failing = (FailingTest(A), FailingTest(B, was_red=True))
    for is_by_agent, severity in ((True, BLOCK), (False, WARN)):
        findings = base_tests_findings(failing, is_by_agent=is_by_agent)
        assert [(BASE_TESTS_FAIL, severity, "tests/test_a.py"), (BASE_TESTS_FAIL, severity, "tests/test_b.py")] == [
            (finding.code, finding.severity, finding.path) for finding in findings
        ]
    assert f"1 test of the base fails on the head's code: {A}" == findings[0].message
    assert "red at the base too" in findings[1].message
    (whole,) = base_tests_findings((FailingTest(""),), is_by_agent=True)
    assert "could not be started" in whole.message
