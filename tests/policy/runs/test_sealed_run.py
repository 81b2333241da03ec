"""Runs from lines of evidence: who has to have signed them, and which freezes help."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.instant import instant_of
from agentgate_git.model.run_record import DOCS_ONLY, SEALED, Credit, Freeze, RunRecord
from agentgate_git.policy.runs.merge_rule import RunFacts
from agentgate_git.policy.runs.sealed_run import RunSigning, decide_sealed, run_signing_problem

SEAL = "5" * 64
CREDIT = Credit("credit-014", SEAL, ("tax",), ("t::credited",), (), (), True)
NOW = instant_of("2026-10-12T12:00:00Z") or 0
FREEZE = Freeze("reviewer", "runner", SEAL, "credit-014", "t::flaky", "2026-10-19T00:00:00Z")
RUNNER = ("runner",)


def facts(*failed: str, **changes: Any) -> RunFacts:
    record = RunRecord("author", "runner", SEALED, logs_present=False, failed_tests=failed)
    return RunFacts(record, CREDIT, None, NOW)._replace(**changes)


ROWS: dict[str, tuple[RunFacts, tuple[Freeze, ...], tuple[str, ...], str]] = {
    "nothing failed": (facts(), (), (), "ALLOW"),
    "nothing failed, and a freeze that has ended": (facts(), (FREEZE._replace(expires_at=""),), (), "ALLOW"),
    "what failed is frozen": (facts("t::flaky"), (FREEZE,), (), "ALLOW"),
    "two failed, each has its freeze": (
        facts("t::flaky", "t::other"),
        (FREEZE, FREEZE._replace(test_id="t::other")),
        (),
        "ALLOW",
    ),
    "a freeze that holds beside one that has ended": (
        facts("t::flaky"),
        (FREEZE._replace(expires_at="2026-01-01T00:00:00Z"), FREEZE),
        (),
        "ALLOW",
    ),
    "prose without credit": (facts(credit=None, change=DOCS_ONLY), (), (), "ALLOW"),
    "prose, whatever failed": (facts("t::flaky", change=DOCS_ONLY), (), ("E_RUN_INCOMPLETE",), "ALLOW"),
    "one of two is frozen": (facts("t::flaky", "t::other"), (FREEZE,), (), "E_TESTS_FAILED"),
    "nobody told what failed": (
        facts()._replace(record=facts().record._replace(failed_tests=None)),
        (),
        (),
        "E_TESTS_FAILED",
    ),
    "a freeze of another run": (facts("t::flaky"), (FREEZE._replace(runner_digest="x"),), (), "E_FREEZE_UNBOUND"),
    "a freeze that has ended": (facts("t::flaky"), (FREEZE._replace(expires_at=""),), (), "E_FREEZE_EXPIRED"),
    "a freeze for what earned credit": (
        facts("t::credited"),
        (FREEZE._replace(test_id="t::credited"),),
        (),
        "E_FREEZE_COVERS_CREDIT",
    ),
    "a run that came to no end": (facts(), (), ("E_TESTS_FAILED", "E_RUN_INCOMPLETE"), "E_RUN_INCOMPLETE"),
    "a code nobody knows": (facts(), (), ("E_FROM_THE_FUTURE",), "E_FROM_THE_FUTURE"),
    "a shared job, whatever came of the run": (
        facts()._replace(record=facts().record._replace(runner_job="author")),
        (),
        ("E_RUN_INCOMPLETE",),
        "E_SHARED_JOB",
    ),
    "no credit, and a freeze": (facts("t::flaky", credit=None), (FREEZE,), (), "E_CREDIT_MISSING"),
}


@pytest.mark.parametrize(("run", "freezes", "codes", "expected"), ROWS.values(), ids=ROWS)
def test_rows_of_sealed_runs(run: RunFacts, freezes: tuple[Freeze, ...], codes: tuple[str, ...], expected: str) -> None:
    assert expected == decide_sealed(run, freezes, codes).code


FREEZES = st.lists(
    st.builds(
        FREEZE.__class__,
        st.sampled_from(["reviewer", "author", ""]),
        st.sampled_from(["runner", "other"]),
        st.sampled_from([SEAL, "x"]),
        st.just("credit-014"),
        st.sampled_from(["t::flaky", "t::other", "t::credited", ""]),
        st.sampled_from(["2026-10-19T00:00:00Z", "2026-01-01T00:00:00Z"]),
    ),
    max_size=4,
)


def test_every_test_that_failed_without_leave_is_counted() -> None:
    decision = decide_sealed(facts("t::flaky", "t::a", "t::b", "t::c", "t::d"), (FREEZE,), ())
    assert "4 test(s) failed that no freeze covers: t::a, t::b, t::c and 1 more" == decision.reason


@given(FREEZES, st.lists(st.sampled_from(["t::flaky", "t::other", "t::credited", ""]), max_size=3), st.data())
def test_taking_freezes_away_never_gives_allow(freezes: list[Freeze], failed: list[str], data: st.DataObject) -> None:
    kept = [freeze for freeze in freezes if data.draw(st.booleans())]
    before = decide_sealed(facts(*failed), tuple(freezes), ()).code
    assert "ALLOW" == before or "ALLOW" != decide_sealed(facts(*failed), tuple(kept), ()).code


TRUSTED: dict[str, RunSigning] = {
    "one runner signed all of it": RunSigning((("runner:ci",), ("runner:ci",)), (), RUNNER),
    "others signed beside it": RunSigning((("runner:ci", "human:pat"), ("runner:b", "runner:ci")), (), RUNNER),
    "an author signed beside it": RunSigning((("runner:ci", "runner:a"),), ("runner:a",), RUNNER),
    "anyone may": RunSigning((("human:pat",),), (), ("anyone",)),
}
UNTRUSTED: dict[str, tuple[RunSigning, str]] = {
    "nothing": (RunSigning(), "E_NOTE_UNTRUSTED"),
    "nobody signed": (RunSigning(((), ()), (), RUNNER), "E_NOTE_UNTRUSTED"),
    "a line is not signed": (RunSigning((("runner:ci",), ()), (), RUNNER), "E_NOTE_UNTRUSTED"),
    "two runners signed a line each": (RunSigning((("runner:a",), ("runner:b",)), (), RUNNER), "E_NOTE_UNTRUSTED"),
    "a human signed it": (RunSigning((("human:pat",),), (), RUNNER), "E_NOTE_UNTRUSTED"),
    "an agent signed it": (RunSigning((("agent:x",),), (), RUNNER), "E_NOTE_UNTRUSTED"),
    "the author's key is on it": (RunSigning((("runner:ci",),), ("runner:ci",), RUNNER), "E_SHARED_JOB"),
}


@pytest.mark.parametrize("signing", TRUSTED.values(), ids=TRUSTED)
def test_a_run_that_is_trusted(signing: RunSigning) -> None:
    assert run_signing_problem(signing) is None


@pytest.mark.parametrize(("signing", "expected"), UNTRUSTED.values(), ids=UNTRUSTED)
def test_a_run_that_is_not_trusted(signing: RunSigning, expected: str) -> None:
    problem = run_signing_problem(signing)
    assert problem is not None
    assert expected == problem.code
