"""Verdicts as SLSA verification summaries."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentgate_git.model.actor import Classification
from agentgate_git.model.code import ALLOW
from agentgate_git.model.finding import Finding
from agentgate_git.model.verdict import BaseComparison, DriftDetail, EvidenceRef, FileDrift, VerifyResult
from agentgate_git.wire.canonical import encode
from agentgate_git.wire.statement import Unreadable, unsigned
from agentgate_git.wire.verdict_statement import VerdictStatement, Verification, read_verdict, verdict_payload
from testing.records import SOME_SHA256, SOME_TREE

COMMIT = "c" * 40
EVIDENCE = EvidenceRef("packets", SOME_TREE, COMMIT, SOME_SHA256, "", "d" * 40)
ALLOWED = VerifyResult(
    rev="HEAD",
    commit=COMMIT,
    tree=SOME_TREE,
    base="b" * 40,
    base_tree="e" * 40,
    decision=ALLOW,
    verdict="REPRODUCED",
    message="reproduced",
    next_step="",
    exit_status=0,
    rung="tree",
    evidence=(EVIDENCE,),
    has_rerun=True,
)
STALE = ALLOWED._replace(
    decision="E_STALE",
    verdict="STALE",
    exit_status=5,
    drifted=("tests", "node_count"),
    drift_detail=(DriftDetail("node_count", "3", "4"),),
    test_drift=(FileDrift("tests/\udcff.py", 3, 4, ("t::new",), ()),),
    findings=(Finding("E_STALE", "block", "a.py", "changed", "capture again", 3, COMMIT),),
    authorship=(Classification(COMMIT, "human", "U_DEFAULT"),),
    base="",
    base_tree="",
    with_base=BaseComparison("REPLAY_RED", ("t.py::test_x",), ("core.py",), ("compared",)),
)


def verification(result: VerifyResult) -> Verification:
    return Verification(
        result,
        "https://example.org/agentgate-git",
        "0.1",
        "2026-01-01T00:00:00Z",
        "git+https://example.org/r",
        "git+https://example.org/r#.agentgate/policy.yaml",
        SOME_SHA256,
    )


@pytest.mark.parametrize("result", [pytest.param(ALLOWED, id="allowed"), pytest.param(STALE, id="stale")])
def test_a_verdict_survives(result: VerifyResult) -> None:
    expected = VerdictStatement(SOME_TREE, verification(result))
    assert expected == read_verdict(unsigned(verdict_payload(verification(result))))


def test_a_verdict_of_an_earlier_version_compared_nothing_with_the_base() -> None:
    value = json.loads(verdict_payload(verification(STALE)))
    del value["predicate"]["agentgate"]["with_base"]
    expected = VerdictStatement(SOME_TREE, verification(STALE._replace(with_base=BaseComparison())))
    assert expected == read_verdict(unsigned(encode(value)))


@pytest.mark.parametrize(
    ("result", "outcome", "levels"),
    [
        pytest.param(ALLOWED, "PASSED", ["AGENTGATE_REPRODUCED"], id="allowed"),
        pytest.param(STALE, "FAILED", [], id="stale"),
    ],
)
def test_any_reader_of_summaries_sees_the_outcome(result: VerifyResult, outcome: str, levels: list[str]) -> None:
    statement = json.loads(verdict_payload(verification(result)))
    predicate = statement["predicate"]
    assert "https://slsa.dev/verification_summary/v1" == statement["predicateType"]
    assert (outcome, levels) == (predicate["verificationResult"], predicate["verifiedLevels"])
    assert {"sha256": SOME_SHA256} == predicate["policy"]["digest"]
    assert {"id": "https://example.org/agentgate-git", "version": {"agentgate-git": "0.1"}} == predicate["verifier"]
    assert [{"uri": f"refs/notes/agentgate/packets:{SOME_TREE}", "digest": {"sha256": SOME_SHA256}}] == predicate[
        "inputAttestations"
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"verificationResult": "PASSED"}, "says another result than the record in it", id="turned green"),
        pytest.param({"inputAttestations": []}, "says another result than the record in it", id="evidence taken out"),
        pytest.param({"verifier": {}}, "has no id", id="no verifier"),
        pytest.param({"policy": {"uri": "x"}}, "has no sha256", id="no policy digest"),
        pytest.param({"timeVerified": 1}, "timeVerified is no text", id="a number for a time"),
        pytest.param({"agentgate": {}}, "rev is missing", id="an empty record"),
        pytest.param({"agentgate": 1}, "has no agentgate object", id="no record"),
    ],
)
def test_what_is_no_verdict(change: dict[str, Any], reason: str) -> None:
    value = json.loads(verdict_payload(verification(STALE)))
    value["predicate"].update(change)
    assert Unreadable(reason) == read_verdict(unsigned(encode(value)))
