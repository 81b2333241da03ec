from __future__ import annotations

from hashlib import sha256

import pytest

from agentgate_git.model.code import FOREIGN_IMPORT, RUN_INCOMPLETE, SELECTION_DRIFT, TESTS_FAILED, UNSTABLE_IDS
from agentgate_git.model.packet import ERROR, FAILED, IN_PLACE, NOT_RUN, PASSED, SKIPPED, XFAILED, XPASSED, RunReport
from agentgate_git.runner.conclude import RunFacts, conclude, judge

PASS = RunReport(
    selected=("t.py::a", "t.py::b"),
    outcomes=(("t.py::a", PASSED), ("t.py::b", PASSED)),
    exit_status=0,
    session_status=0,
    main_status=0,
    is_finished=True,
)
FACTS = RunFacts(
    tree="1" * 40,
    base_tree="2" * 40,
    commit="3" * 40,
    author_job="job-1",
    argv=("-q",),
    isolation=IN_PLACE,
    nonce="n",
    tool="agentgate-git 0",
)


def with_outcome(outcome: str, status: int = 0) -> RunReport:
    return PASS._replace(
        outcomes=(("t.py::a", PASSED), ("t.py::b", outcome)),
        exit_status=status,
        session_status=status,
        main_status=status,
    )


@pytest.mark.parametrize(
    ("report", "codes"),
    [
        pytest.param(PASS, (), id="pass"),
        pytest.param(with_outcome(SKIPPED), (), id="a-skip-beside-a-pass"),
        pytest.param(with_outcome(XFAILED), (), id="an-expected-failure-beside-a-pass"),
        pytest.param(with_outcome(XPASSED), (), id="an-unexpected-pass-beside-a-pass"),
        pytest.param(with_outcome(FAILED, 1), (TESTS_FAILED,), id="failed"),
        pytest.param(with_outcome(ERROR, 1), (TESTS_FAILED,), id="error"),
        pytest.param(with_outcome(FAILED), (RUN_INCOMPLETE, TESTS_FAILED), id="failed-with-status-0"),
        pytest.param(with_outcome(PASSED, 1), (RUN_INCOMPLETE,), id="status-1-without-a-failure"),
        pytest.param(with_outcome(NOT_RUN), (RUN_INCOMPLETE,), id="one-did-not-run"),
        pytest.param(PASS._replace(is_finished=False), (RUN_INCOMPLETE,), id="no-finish-marker"),
        pytest.param(PASS._replace(exit_status=1), (RUN_INCOMPLETE,), id="process-disagrees"),
        pytest.param(PASS._replace(exit_status=-9), (RUN_INCOMPLETE,), id="killed"),
        pytest.param(PASS._replace(main_status=1), (RUN_INCOMPLETE,), id="main-disagrees"),
        pytest.param(PASS._replace(session_status=1), (RUN_INCOMPLETE,), id="session-disagrees"),
        pytest.param(PASS._replace(collect_errors=("u.py",)), (RUN_INCOMPLETE,), id="collect-error"),
        pytest.param(PASS._replace(problems=("it was cut",)), (RUN_INCOMPLETE,), id="problem"),
        pytest.param(PASS._replace(trimmed=("t.py::c",)), (SELECTION_DRIFT,), id="trimmed"),
        pytest.param(PASS._replace(unstable=("t.py::c",)), (UNSTABLE_IDS,), id="unstable"),
        pytest.param(PASS._replace(selected=(), outcomes=()), (RUN_INCOMPLETE,), id="nothing-selected"),
        pytest.param(PASS._replace(selected=("t.py::a",)), (RUN_INCOMPLETE,), id="more-ran-than-selected"),
        pytest.param(PASS._replace(selected=("t.py::a",) * 2), (RUN_INCOMPLETE,), id="once-instead-of-twice"),
        pytest.param(RunReport(), (RUN_INCOMPLETE,), id="nothing-known"),
    ],
)
def test_codes(report: RunReport, codes: tuple[str, ...]) -> None:
    assert codes == conclude(report, FACTS).codes


def test_foreign_imports_come_first() -> None:
    foreign = (("pkg", "/elsewhere/pkg.py"),)
    packet = conclude(with_outcome(FAILED, 1), FACTS._replace(foreign_imports=foreign))
    assert (FOREIGN_IMPORT, TESTS_FAILED) == packet.codes


def test_a_finding_names_tests_and_ends_with_the_next_step() -> None:
    (finding,) = judge(with_outcome(FAILED, 1))
    assert "1 test failed: t.py::b" == finding.message
    assert "repair the defect and capture again" == finding.next_step


def test_of_a_run_that_was_cut_short_it_is_not_said_that_tests_did_not_run() -> None:
    whole = PASS._replace(outcomes=tuple((test, NOT_RUN) for test, _ in PASS.outcomes))
    cut = whole._replace(is_finished=False)
    assert (True, False) == tuple("not known to have ended" in judge(one)[0].message for one in (cut, whole))
    assert (False, True) == tuple("tests did not run" in judge(one)[0].message for one in (cut, whole))


@pytest.mark.parametrize(
    ("report", "step"),
    [
        pytest.param(
            PASS._replace(problems=("the time limit of 3 s was reached",)), "faulthandler_timeout", id="hangs"
        ),
        pytest.param(PASS._replace(collect_errors=("t.py",)), "install the project", id="cannot-be-collected"),
        pytest.param(RunReport(exit_status=4), "install the project", id="a-conftest-that-cannot-be-imported"),
        pytest.param(
            RunReport(session_status=5, main_status=5, exit_status=5), "name the tests in `pytest_args`", id="none"
        ),
        pytest.param(PASS._replace(is_finished=False), "run the suite to its end", id="anything-else"),
    ],
)
def test_the_next_step_of_a_run_without_an_end_is_about_its_cause(report: RunReport, step: str) -> None:
    (finding,) = (one for one in judge(report) if one.code == RUN_INCOMPLETE)
    assert step in finding.next_step


def test_the_fields_of_a_packet() -> None:
    packet = conclude(with_outcome(SKIPPED)._replace(deselected=("t.py::c",), reruns=("t.py::a", "t.py::a")), FACTS)
    assert packet.is_pass()
    assert sha256(b"t.py::a\nt.py::b").hexdigest() == packet.tests_sha256
    assert (("t.py", 2, packet.tests_sha256[:16]),) == packet.tests_by_file
    assert ("passed t.py::a", "skipped t.py::b") == packet.outcome_lines
    assert sha256(b"passed t.py::a\nskipped t.py::b").hexdigest() == packet.outcomes_sha256
    assert ((PASSED, 1), (SKIPPED, 1)) == packet.outcomes
    assert (2, 1, ("t.py::a",)) == (packet.node_count, packet.deselected_count, packet.reruns)


def test_ids_that_utf8_cannot_write_are_hashed_all_the_same() -> None:
    one = conclude(PASS._replace(selected=("t\udc80.py::a",)), FACTS)
    other = conclude(PASS._replace(selected=("t\udc81.py::a",)), FACTS)
    assert one.tests_sha256 != other.tests_sha256


def test_order_of_the_ids_does_not_matter() -> None:
    swapped = PASS._replace(selected=PASS.selected[::-1], outcomes=PASS.outcomes[::-1])
    assert conclude(PASS, FACTS) == conclude(swapped, FACTS)


def test_lists_are_kept_within_what_a_line_may_hold() -> None:
    ids = tuple(f"test_{number}.py::test_{'x' * 100}" for number in range(20_000))
    report = PASS._replace(selected=ids, outcomes=tuple((test, FAILED) for test in ids), trimmed=ids, reruns=ids)
    packet = conclude(report, FACTS)
    assert () == packet.tests_by_file
    assert sum(map(len, (*packet.failed, *packet.trimmed, *packet.reruns))) < 256 << 10
    assert 20_000 == packet.node_count
