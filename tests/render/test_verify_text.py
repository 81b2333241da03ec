"""A verdict for a person and for a machine: the decision is the first word, every record field has its JSON key."""

from __future__ import annotations

import json

import pytest

from agentgate_git.model.actor import Classification
from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.model.verdict import DriftDetail, EvidenceRef, FileDrift, VerifyResult
from agentgate_git.render.json_format import verify_json
from agentgate_git.render.text import verify_text

EVIL = "a\x1b[31m\n\r\x07\udce5b"
EVIDENCE = EvidenceRef("packets", "d" * 40, "c" * 40, "0123456789ab" + "0" * 52, "")
STALE = VerifyResult(
    rev="topic",
    commit="c" * 40,
    tree="d" * 40,
    base="b" * 40,
    base_tree="e" * 40,
    decision="E_STALE",
    verdict="STALE",
    message="the packet no longer holds",
    next_step="capture again",
    exit_status=5,
    drifted=("tests", "env"),
    drift_detail=(DriftDetail("tests", "1", "2"), DriftDetail("env", "TZ=UTC", "")),
    test_drift=(FileDrift("t.py", 1, 13, tuple(f"t.py::n{n}" for n in range(12)), ("t.py::old",)),),
    rung="tree",
    evidence=(EVIDENCE,),
    authorship=(
        Classification("1" * 40, "human", "U_DEFAULT"),
        Classification("2" * 40, "agent", "A_IDENT"),
        Classification("3" * 40, "human", "U_DEFAULT"),
    ),
    policy_note="built-in defaults",
)
ALLOWED = STALE._replace(
    decision="ALLOW", verdict="", drifted=(), drift_detail=(), test_drift=(), exit_status=0, authorship=(), evidence=()
)


def test_a_stale_verdict_line_by_line() -> None:
    lines = verify_text((STALE,)).splitlines()
    assert [
        "E_STALE STALE topic (tree dddddddddddd)",
        "    the packet no longer holds",
        "    drifted: tests, env",
        "      tests: 1 -> 2",
        "      env: TZ=UTC -> ",
        "      t.py: 1 -> 13 tests",
    ] == lines[:6]
    assert [f"        + t.py::n{n}" for n in range(10)] == lines[6:16]
    assert [
        "        + and 2 more",
        "        - t.py::old",
        "    evidence: packets 0123456789ab on tree dddddddddddd, commit cccccccccccc, UNSIGNED",
        "    authors: 1 agent (A_IDENT), 2 human (U_DEFAULT)",
        "    policy: built-in defaults",
        "    next: capture again",
    ] == lines[16:]


def test_several_answers_are_blocks_that_begin_with_the_decision() -> None:
    blocks = verify_text((ALLOWED, STALE)).split("\n\n")
    assert ["ALLOW topic (tree dddddddddddd)", "E_STALE STALE topic (tree dddddddddddd)"] == [
        block.splitlines()[0] for block in blocks
    ]
    assert "" == verify_text(())


def test_a_signature_is_named_and_its_absence_said() -> None:
    signed = ALLOWED._replace(evidence=(EVIDENCE._replace(signed_by="runner:one"),))
    assert "signed by runner:one" in verify_text((signed,))
    assert "authors: none" in verify_text((signed,))


def test_no_byte_of_the_author_reaches_the_terminal() -> None:
    result = STALE._replace(
        rev=EVIL,
        message=EVIL,
        next_step=EVIL,
        policy_note=EVIL,
        drift_detail=(DriftDetail("argv", EVIL, EVIL),),
        test_drift=(FileDrift(EVIL, 1, 1, (EVIL,), (EVIL,)),),
        evidence=(EVIDENCE._replace(signed_by=EVIL),),
        findings=(Finding("E_A", BLOCK, EVIL, EVIL, EVIL),),
    )
    text = verify_text((result,))
    assert not {"\x1b", "\r", "\x07", "\udce5"} & set(text)
    assert 15 > text.count("\n")


def test_json_has_every_field_and_null_for_what_is_not_there() -> None:
    answer = json.loads(verify_json((ALLOWED, STALE), 5))
    assert ("agentgate.verify/1", 5) == (answer["schema"], answer["exit"])
    allowed, stale = answer["results"]
    assert allowed.keys() == stale.keys()
    assert (None, [], {}, []) == tuple(allowed[name] for name in ("verdict", "drifted", "drift_detail", "evidence"))
    assert ("STALE", ["tests", "env"]) == (stale["verdict"], stale["drifted"])
    assert {"recorded": "TZ=UTC", "derived": ""} == stale["drift_detail"]["env"]
    assert (12, ["t.py::old"]) == (len(stale["drift_detail"]["added"]), stale["drift_detail"]["removed"])
    assert (None, None) == (stale["evidence"][0]["signed_by"], stale["evidence"][0]["recorded_in"])


@pytest.mark.parametrize("rev", [EVIL, "\ud800", "\0", '"\\', "日本"])
def test_json_is_one_line_of_ascii_whatever_stands_in_it(rev: str) -> None:
    text = verify_json((ALLOWED._replace(rev=rev),), 0)
    assert (True, 0) == (text.isascii(), text.count("\n"))
    assert rev == json.loads(text)["results"][0]["rev"]
