"""The merge rule: the vectors, its order, and that nothing one takes away ever helps."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.code import CODES
from agentgate_git.model.instant import instant_of
from agentgate_git.model.role import CI, DOCS, HARNESS, LOCK, OTHER, TEST
from agentgate_git.model.role import PRODUCTION as PRODUCTION_ROLE
from agentgate_git.model.run_record import CHANGES, DOCS_ONLY, EMPTY, PRODUCTION, TESTS_ONLY
from agentgate_git.policy.runs.merge_rule import RunFacts, change_of, decide_run
from agentgate_git.wire.run_files import read_credit, read_freeze, read_run_record
from testing.run_cases import NOW, VECTORS, RunCase, as_bytes, decide_cases, good, merge_rule_cases

Members = dict[str, Any] | None
REVIEW_CLOCK = instant_of(NOW) or 0
FLAKY = "test_report_timezone_flake"


def answer(record: Members, credit: Members, freeze: Members = None, change: str = PRODUCTION) -> str:
    """The code for three files."""
    return code_of(RunCase("", as_bytes(record) or b"", as_bytes(credit), as_bytes(freeze), "", change))


def code_of(case: RunCase) -> str:
    record, credit = read_run_record(case.record), None if case.credit is None else read_credit(case.credit)
    freeze = None if case.freeze is None else read_freeze(case.freeze)
    return decide_run(RunFacts(record, credit, freeze, REVIEW_CLOCK, case.change)).code


@pytest.mark.parametrize("case", decide_cases(), ids=lambda case: case.id)
def test_vectors_of_decide(case: RunCase) -> None:
    assert case.expected == code_of(case)


@pytest.mark.parametrize("case", merge_rule_cases(), ids=lambda case: case.id)
def test_vectors_of_the_merge_rule(case: RunCase) -> None:
    assert case.expected == code_of(case)


ALLOWED: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]] = {
    "no test failed, and the record says so": ({"failed_tests": []}, {}, None),
    "a freeze that is not needed any more": ({"failed_tests": []}, {}, {"expires_at": "2026-10-01T00:00:00Z"}),
    "a freeze that ends a moment later": ({}, {}, {"expires_at": "2026-10-12T12:00:00.000000001Z"}),
    "a test that failed twice": ({"failed_tests": [FLAKY, FLAKY]}, {}, {}),
    "tests that cannot fail, beside others that can": ({}, {"tautologies": ["prop-always"]}, None),
    "jobs that are much alike": ({"author_job": "job-1", "runner_job": "job-11"}, {}, None),
}
REFUSED: dict[str, tuple[str, dict[str, Any], dict[str, Any], dict[str, Any] | None]] = {
    "jobs in other letters": ("E_SHARED_JOB", {"runner_job": "Model-Session-17"}, {}, None),
    "jobs in wide letters": ("E_SHARED_JOB", {"runner_job": "ｍodel-session-17"}, {}, None),
    "jobs that differ in what is not seen": ("E_SHARED_JOB", {"runner_job": "model-\u200bsession-17"}, {}, None),
    "jobs that differ in inner blanks": ("E_SHARED_JOB", {"runner_job": "model-session- 17"}, {}, None),
    "a job of blanks": ("E_JOB_MISSING", {"author_job": " \t"}, {}, None),
    "a job that is not seen": ("E_JOB_MISSING", {"author_job": "\u200b"}, {}, None),
    "a job that is a number": ("E_JOB_MISSING", {"runner_job": 88}, {}, None),
    "a digest that is sealed in other letters": ("E_DIGEST_OPEN", {"digest_status": "SEALED"}, {}, None),
    "logs after the seal, as text": ("E_LOGS_EARLY", {"logs_after_seal": "true"}, {}, None),
    "logs of which nothing is said": ("E_LOGS_EARLY", {"logs_present": None, "logs_after_seal": None}, {}, None),
    "a pass as text": ("E_CREDIT_MISSING", {}, {"pass": "true"}, None),
    "a pass as a number": ("E_CREDIT_MISSING", {}, {"pass": 1}, None),
    "credit for no symbol": ("E_CREDIT_MISSING", {}, {"credited": []}, None),
    "credit by no test": ("E_CREDIT_MISSING", {}, {"test_ids": []}, None),
    "credit that says nothing of missing symbols": ("E_CREDIT_MISSING", {}, {"missing": None}, None),
    "credit that says nothing of tautologies": ("E_CREDIT_MISSING", {}, {"tautologies": None}, None),
    "credit by a tautology": ("E_CREDIT_MISSING", {}, {"tautologies": ["prop-tax-bounds"]}, None),
    "credit on no digest": ("E_CREDIT_MISSING", {}, {"digest": ""}, None),
    "credit without a name": ("E_CREDIT_MISSING", {}, {"credit_id": ""}, None),
    "a freeze by the author": ("E_SHARED_JOB", {}, {}, {"author_job": "model-session-17"}),
    "a freeze by the runner, named otherwise there": (
        "E_SHARED_JOB",
        {},
        {},
        {"author_job": "server-job-88", "runner_job": "x"},
    ),
    "a freeze by nobody": ("E_FREEZE_UNBOUND", {}, {}, {"author_job": " "}),
    "a freeze for no test": ("E_FREEZE_UNBOUND", {}, {}, {"test_id": ""}),
    "a freeze for another runner": ("E_FREEZE_UNBOUND", {}, {}, {"runner_job": "server-job-87"}),
    "a freeze for a credited test, with a blank": (
        "E_FREEZE_COVERS_CREDIT",
        {},
        {},
        {"test_id": "prop-tax-bounds "},
    ),
    "a freeze without an end": ("E_FREEZE_EXPIRED", {}, {}, {"expires_at": None}),
    "a freeze that ends on no day": ("E_FREEZE_EXPIRED", {}, {}, {"expires_at": "2027-02-29T00:00:00Z"}),
    "a credited test that failed": ("E_TESTS_FAILED", {"failed_tests": ["prop-tax-bounds"]}, {}, None),
    "two tests that failed, one frozen": ("E_TESTS_FAILED", {"failed_tests": [FLAKY, "other"]}, {}, {}),
    "a failed test without a name": ("E_TESTS_FAILED", {"failed_tests": [FLAKY, 1]}, {}, {}),
    "failed tests that are no list": ("E_TESTS_FAILED", {"failed_tests": FLAKY}, {}, {}),
    "a freeze of a whole file": (
        "E_TESTS_FAILED",
        {"failed_tests": ["tests/t.py::test_a"]},
        {},
        {"test_id": "tests/t.py"},
    ),
}


def changed(name: str, changes: dict[str, Any] | None) -> Members:
    return None if changes is None else good(name) | changes


@pytest.mark.parametrize(("record", "credit", "freeze"), ALLOWED.values(), ids=ALLOWED)
def test_what_is_allowed(record: dict[str, Any], credit: dict[str, Any], freeze: dict[str, Any] | None) -> None:
    assert "ALLOW" == answer(changed("record", record), changed("credit", credit), changed("freeze", freeze))


@pytest.mark.parametrize(("code", "record", "credit", "freeze"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(
    code: str, record: dict[str, Any], credit: dict[str, Any], freeze: dict[str, Any] | None
) -> None:
    assert code == answer(changed("record", record), changed("credit", credit), changed("freeze", freeze))


ORDER: list[tuple[str, dict[str, dict[str, Any]]]] = [
    ("E_JOB_MISSING", {"record": {"author_job": ""}}),
    ("E_SHARED_JOB", {"record": {"author_job": "server-job-88"}}),
    ("E_DIGEST_OPEN", {"record": {"digest_status": "open"}}),
    ("E_LOGS_EARLY", {"record": {"logs_after_seal": False}}),
    ("E_CREDIT_MISSING", {"credit": {"pass": False}}),
    ("E_SHARED_JOB", {"freeze": {"author_job": "server-job-88"}}),
    ("E_FREEZE_UNBOUND", {"freeze": {"runner_digest": "x"}}),
    ("E_FREEZE_COVERS_CREDIT", {"freeze": {"test_id": "prop-tax-bounds"}}),
    ("E_FREEZE_EXPIRED", {"freeze": {"expires_at": "2026-10-01T00:00:00Z"}}),
    ("E_TESTS_FAILED", {"record": {"failed_tests": ["another"]}}),
]


@pytest.mark.parametrize("start", range(len(ORDER)), ids=lambda start: f"{start}-{ORDER[start][0]}")
def test_the_first_check_that_objects_decides(start: int) -> None:
    files = {name: good(name) for name in ("record", "credit", "freeze")}
    for _, faults in reversed(ORDER[start:]):
        for name, members in faults.items():
            files[name] |= members
    assert ORDER[start][0] == answer(files["record"], files["credit"], files["freeze"])


def test_a_change_that_nobody_knows_needs_what_production_needs() -> None:
    assert "E_CREDIT_MISSING" == answer(good("record"), None, change="refactoring")
    assert "ALLOW" == answer(good("record"), good("credit"), change="refactoring")


def test_prose_needs_two_jobs_and_nothing_else() -> None:
    assert "ALLOW" == answer({"author_job": "a", "runner_job": "b"}, None, change=DOCS_ONLY)
    assert "E_SHARED_JOB" == answer({"author_job": "a", "runner_job": "a"}, None, change=DOCS_ONLY)


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ((), EMPTY),
        ((DOCS, DOCS), DOCS_ONLY),
        ((TEST, HARNESS, DOCS), TESTS_ONLY),
        ((TEST, PRODUCTION_ROLE), PRODUCTION),
        *(((DOCS, role), PRODUCTION) for role in (LOCK, CI, OTHER)),
    ],
)
def test_the_class_of_a_change(roles: tuple[str, ...], expected: str) -> None:
    assert expected == change_of(roles)


JOBS = st.sampled_from(["model-session-17", "server-job-88", "reviewer-job-2", "server-job-88 ", "", 7])
TESTS = st.lists(st.sampled_from([FLAKY, "prop-discount-bounds", "other", ""]), max_size=3)
FLAGS = st.sampled_from([True, False, None, "true"])
RECORDS = st.fixed_dictionaries(
    {"failed_tests": st.one_of(TESTS, st.sampled_from([None, "x", [1]]))},
    optional={
        "author_job": JOBS,
        "runner_job": JOBS,
        "digest_status": st.sampled_from(["sealed", "open", ""]),
        "logs_present": FLAGS,
        "logs_after_seal": FLAGS,
        "log_visibility": st.sampled_from(["hidden", "published"]),
    },
)
CREDITS = st.fixed_dictionaries(
    {},
    optional={
        "credit_id": st.sampled_from(["credit-014", ""]),
        "digest": st.sampled_from(["abc123", ""]),
        "credited": st.sampled_from([["a"], [], ["a", 1]]),
        "test_ids": st.sampled_from([["prop-discount-bounds"], [], None]),
        "missing": st.sampled_from([[], ["a"], None, "a"]),
        "tautologies": st.sampled_from([[], ["prop-discount-bounds"], ["x"], 1]),
        "pass": FLAGS,
    },
)
FREEZES = st.fixed_dictionaries(
    {},
    optional={
        "author_job": JOBS,
        "runner_job": JOBS,
        "runner_digest": st.sampled_from(["abc123", "abc124"]),
        "credit_id": st.sampled_from(["credit-014", "credit-013"]),
        "test_id": st.sampled_from([FLAKY, "prop-discount-bounds", ""]),
        "expires_at": st.sampled_from(["2026-10-19T00:00:00+00:00", "2026-10-19T00:00:00", "2026-10-01T00:00:00Z"]),
    },
)


def near_allow(name: str, mine: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Files that differ from good ones in a few members, or in all; most of the answers lie between the two."""
    few = st.tuples(mine, st.sets(st.sampled_from(sorted(good(name))), max_size=2))
    record = {"failed_tests": []} if name == "record" else {}
    return st.one_of(
        mine, few.map(lambda pair: record | good(name) | {key: pair[0][key] for key in pair[1] if key in pair[0]})
    )


def losses(files: dict[str, dict[str, Any]]) -> list[tuple[str, str]]:
    """Everything that can be taken away: a whole file, or one member; what failed has to be told."""
    members = [(name, key) for name, file in files.items() for key in file if key != "failed_tests"]
    return [("record", ""), ("credit", ""), ("freeze", ""), *members]


@given(near_allow("record", RECORDS), near_allow("credit", CREDITS), near_allow("freeze", FREEZES), st.data())
def test_taking_anything_away_never_gives_allow(
    record: dict[str, Any], credit: dict[str, Any], freeze: dict[str, Any], data: st.DataObject
) -> None:
    files = {"record": record, "credit": credit, "freeze": freeze}
    is_allowed = "ALLOW" == answer(record, credit, freeze)
    for name, key in data.draw(st.lists(st.sampled_from(losses(files)), min_size=1, max_size=3)):
        kept = {one: value for one, value in files.get(name, {}).items() if one != key}
        files = {one: file for one, file in files.items() if one != name} | ({name: kept} if key else {})
    after = answer(files.get("record"), files.get("credit"), files.get("freeze"))
    assert is_allowed or "ALLOW" != after


@pytest.mark.parametrize("failed", [[], [FLAKY], ["another"], [FLAKY, "another"]], ids=len)
def test_taking_one_thing_away_from_any_row_never_gives_allow(failed: list[str]) -> None:
    """Exhaustively: every row of the vectors that is made of members, with what failed added to it."""
    for row in VECTORS["rows"]:
        record = good("record") | {"failed_tests": failed} | row.get("record", {})
        files = {"record": record, "credit": good("credit") | row.get("credit", {}), "freeze": row.get("freeze") or {}}
        if "ALLOW" == answer(files["record"], files["credit"], row.get("freeze")):
            continue
        for name, key in losses(files):
            kept = {one: value for one, value in files[name].items() if one != key} if key else None
            left: dict[str, Members] = {**files, "freeze": row.get("freeze"), name: kept}
            assert "ALLOW" != answer(left["record"], left["credit"], left["freeze"]), (row["id"], name, key)


@given(
    near_allow("record", RECORDS),
    near_allow("credit", CREDITS),
    near_allow("freeze", FREEZES),
    st.sampled_from(CHANGES),
)
def test_every_answer_is_a_code_that_is_known(
    record: dict[str, Any], credit: dict[str, Any], freeze: dict[str, Any], change: str
) -> None:
    assert answer(record, credit, freeze, change) in CODES
