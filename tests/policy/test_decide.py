"""The decision: its order, its exit statuses, and that losing evidence never helps."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.code import CODES, exit_of
from agentgate_git.policy.decide import RUN_CODES, Decision, Facts, decide

LOOKED_UP = Facts(has_packet=True, run_code="ALLOW")
GOOD = LOOKED_UP._replace(has_rerun=True)

ROWS: dict[str, tuple[Facts, Decision]] = {
    "a packet and a run that agree": (GOOD, Decision("ALLOW", "REPRODUCED", 0)),
    "a packet that was only looked up": (LOOKED_UP, Decision("ALLOW", "", 0)),
    "a failed packet beside one that passed": (GOOD._replace(packet_codes=("E_TESTS_FAILED",)), decide(GOOD)),
    "nothing at all": (Facts(), Decision("E_NO_EVIDENCE", "", 4)),
    "only a packet of another tree": (Facts(has_nearest=True), Decision("E_STALE", "STALE", 5)),
    "drifted": (GOOD._replace(drifted=("tests",)), Decision("E_STALE", "STALE", 5)),
    "only failed packets": (Facts(packet_codes=("E_TESTS_FAILED",)), Decision("E_TESTS_FAILED", "FAILED", 1)),
    "failed again": (GOOD._replace(run_codes=("E_TESTS_FAILED",)), Decision("E_TESTS_FAILED", "FAILED", 1)),
    "passes were lost": (GOOD._replace(lost=1), Decision("E_NOT_REPRODUCED", "FAILED", 1)),
    "blocked by the gate": (GOOD._replace(gate_codes=("E_SKIP_MARKER",)), Decision("E_SKIP_MARKER", "", 1)),
    "no sealed run": (GOOD._replace(run_code="E_NO_EVIDENCE"), Decision("E_NO_EVIDENCE", "REPRODUCED", 4)),
    "a sealed run that is refused": (
        LOOKED_UP._replace(run_code="E_CREDIT_MISSING"),
        Decision("E_CREDIT_MISSING", "", 1),
    ),
    "blocked by the base": (
        GOOD._replace(base_codes=("E_TEST_SILENCED",)),
        Decision("E_TEST_SILENCED", "REPRODUCED", 1),
    ),
    "blocked by the base, with a packet looked up": (
        LOOKED_UP._replace(base_codes=("E_BASE_TESTS_FAIL",)),
        Decision("E_BASE_TESTS_FAIL", "", 1),
    ),
}


@pytest.mark.parametrize(("facts", "expected"), ROWS.values(), ids=ROWS)
def test_rows(facts: Facts, expected: Decision) -> None:
    assert expected == decide(facts)


ORDER: list[dict[str, Any]] = [
    {"gate_codes": ("E_SKIP_MARKER", "E_GUARDED_PATH")},
    {"drifted": ("tree",)},
    {"run_codes": ("E_TESTS_FAILED", "E_SELECTION_DRIFT", "E_RUN_INCOMPLETE")},
    {"lost": 3},
    {"run_code": "E_CREDIT_MISSING"},
    {"base_codes": ("E_BASE_TESTS_FAIL", "E_TEST_SILENCED")},
]
FIRST = [
    "E_GUARDED_PATH",
    "E_STALE",
    "E_RUN_INCOMPLETE",
    "E_NOT_REPRODUCED",
    "E_CREDIT_MISSING",
    "E_TEST_SILENCED",
    "ALLOW",
]


def test_the_first_check_that_objects_decides() -> None:
    for start, expected in enumerate(FIRST):
        fields = {name: value for row in ORDER[start:] for name, value in row.items()}
        assert expected == decide(GOOD._replace(**fields)).code


def test_a_code_nobody_knows_is_a_reject() -> None:
    assert 1 == exit_of("E_FROM_THE_FUTURE")
    assert "E_FROM_THE_FUTURE" == decide(GOOD._replace(run_codes=("E_FROM_THE_FUTURE",))).code


def test_the_default_of_every_field_is_no_pass() -> None:
    assert "ALLOW" != decide(Facts()).code


GATE_CODES = st.lists(st.sampled_from(sorted(set(CODES) - {"ALLOW"})), max_size=2).map(tuple)
ANY_FACTS = st.builds(
    Facts,
    GATE_CODES,
    st.booleans(),
    st.lists(st.sampled_from(RUN_CODES), max_size=2).map(tuple),
    st.booleans(),
    st.lists(st.sampled_from(["tree", "tests", "env"]), max_size=2, unique=True).map(tuple),
    st.booleans(),
    st.lists(st.sampled_from(RUN_CODES), max_size=2).map(tuple),
    st.integers(0, 2),
    st.sampled_from(["ALLOW", "E_NO_EVIDENCE", "E_CREDIT_MISSING"]),
    GATE_CODES,
)
RECORDS = ("has_packet", "packet_codes", "has_nearest", "has_rerun", "run_code")


@given(ANY_FACTS, st.sets(st.sampled_from(RECORDS), min_size=1))
def test_losing_a_record_never_turns_a_reject_into_allow(facts: Facts, lost: set[str]) -> None:
    without = facts._replace(**{name: Facts._field_defaults[name] for name in lost})
    if decide(facts).code != "ALLOW":
        assert "ALLOW" != decide(without).code


@given(ANY_FACTS)
def test_allow_is_the_only_success(facts: Facts) -> None:
    decision = decide(facts)
    assert (decision.code == "ALLOW") == (decision.exit_status == 0)
    assert decision.code in CODES
