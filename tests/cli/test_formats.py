"""The answers of `verify` as text and as JSON, field by field."""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import pytest

from testing.command_line import agentgate
from testing.proposals import (
    NOTES_REF,
    RUNNING,
    TEST_FILE,
    WORKFLOW,
    copy_of,
    store_packet,
    stored_packets,
    with_topic,
)
from testing.repo_builder import RepoBuilder

PYTHON = ("--python", sys.executable)
RESULT_FIELDS = [
    *("rev", "commit", "tree", "base", "base_tree", "decision", "verdict", "drifted", "drift_detail", "rung"),
    *("evidence", "findings", "authorship", "reran", "with_base", "sealed_run", "message", "next", "policy", "exit"),
]


@pytest.fixture(scope="module")
def captured_once(tmp_path_factory: pytest.TempPathFactory) -> RepoBuilder:
    directory = tmp_path_factory.mktemp("captured")
    repo = with_topic(RepoBuilder.create(directory / "repo", directory / "home"))
    repo.commit({"core.py": "ONE = 2 - 1\n"}, "honest")
    done = agentgate(repo, "capture", "HEAD", *PYTHON, "--author-job", "job-7")
    assert (0, True) == (done.status, "1 passed in" in done.stdout), "the output of pytest itself comes through"
    assert "passed: 1 passed; recorded, UNSIGNED" in done.stderr
    return repo


@pytest.fixture
def captured(captured_once: RepoBuilder, tmp_path: Path) -> RepoBuilder:
    return copy_of(captured_once, tmp_path / "repo")


def test_every_field_of_a_reproduced_packet(captured: RepoBuilder) -> None:
    done = agentgate(captured, "verify", "topic", *PYTHON, "--format", "json")
    answer = done.json()
    assert (0, "", 1) == (done.status, done.stderr, done.stdout.count("\n"))
    assert (["schema", "results", "exit"], "agentgate.verify/1", 0) == (
        list(answer),
        answer["schema"],
        answer["exit"],
    )
    (result,) = answer["results"]
    assert RESULT_FIELDS == list(result)
    base, tip = captured.git("rev-parse", "main"), captured.git("rev-parse", "topic")
    told = {name: result[name] for name in ("rev", "commit", "tree", "base", "base_tree", "decision", "verdict")}
    assert told == {
        "rev": "topic",
        "commit": tip,
        "tree": captured.tree(),
        "base": base,
        "base_tree": captured.tree("main"),
        "decision": "ALLOW",
        "verdict": "REPRODUCED",
    }
    assert ([], {}, "tree", [], True, 0) == tuple(
        result[name] for name in ("drifted", "drift_detail", "rung", "findings", "reran", "exit")
    )
    line = agentgate(captured, "ledger", "cat", "packets", captured.tree()).stdout.strip()
    assert [
        {
            "kind": "packets",
            "object": captured.tree(),
            "commit": tip,
            "sha256": sha256(line.encode()).hexdigest(),
            "signed_by": None,
            "recorded_in": captured.git("rev-parse", NOTES_REF),
        }
    ] == result["evidence"]
    assert [("human", "U_DEFAULT", tip)] == [(row["class"], row["rule"], row["id"]) for row in result["authorship"]]
    assert all(result[name] for name in ("message", "next", "policy"))
    assert "job-7" == stored_packets(captured)[0].author_job


def test_a_verdict_that_is_none_is_null(captured: RepoBuilder) -> None:
    (result,) = agentgate(captured, "verify", "--depth", "lookup", "--format", "json").json()["results"]
    assert ("ALLOW", None, False) == (result["decision"], result["verdict"], result["reran"])


def test_every_field_of_a_stale_packet(captured: RepoBuilder) -> None:
    earlier = captured.git("rev-parse", "HEAD")
    captured.commit({TEST_FILE: RUNNING + "\n\ndef test_two():\n    assert 1\n"})
    done = agentgate(captured, "verify", *PYTHON, "--format", "json")
    (result,) = done.json()["results"]
    assert (5, 5, "E_STALE", "STALE") == (done.status, result["exit"], result["decision"], result["verdict"])
    assert ["tree", "tests", "node_count"] == result["drifted"]
    detail = result["drift_detail"]
    assert {"tree", "tests", "node_count", "files", "added", "removed"} == detail.keys()
    assert {"recorded": captured.tree(earlier), "derived": captured.tree()} == detail["tree"]
    assert {"recorded": "1", "derived": "2"} == detail["node_count"]
    assert [
        {
            "path": TEST_FILE,
            "recorded_count": 1,
            "derived_count": 2,
            "added": [f"{TEST_FILE}::test_two"],
            "removed": [],
        }
    ] == detail["files"]
    assert ([f"{TEST_FILE}::test_two"], []) == (detail["added"], detail["removed"])
    assert ("none", earlier, False) == (result["rung"], result["evidence"][0]["commit"], result["reran"])


def test_the_first_word_of_the_text_is_the_decision(captured: RepoBuilder) -> None:
    allowed = agentgate(captured, "verify", "--depth", "lookup")
    captured.commit({"core.py": "ONE = 3 - 2\n"})
    stale = agentgate(captured, "verify", "--depth", "lookup")
    captured.commit_as_agent({WORKFLOW: "on: never\n"})
    refused = agentgate(captured, "verify")
    nothing = agentgate(captured, "verify", "main")
    assert [("ALLOW", 0), ("E_STALE", 5), ("E_GUARDED_PATH", 1), ("E_NO_EVIDENCE", 4)] == [
        (done.stdout.split()[0], done.status) for done in (allowed, stale, refused, nothing)
    ]
    for done in (allowed, stale, refused, nothing):
        assert ("", True) == (done.stderr, done.stdout.splitlines()[-1].strip().startswith("next: "))
    assert "drifted: tree" in stale.stdout
    assert "E_GUARDED_PATH block .github/workflows/ci.yml" in refused.stdout
    assert "UNSIGNED" in allowed.stdout


def test_several_revisions_and_a_range(captured: RepoBuilder) -> None:
    captured.commit({"core.py": "ONE = 3 - 2\n"})
    done = agentgate(captured, "verify", "main", "main..topic", "--depth", "lookup", "--format", "json")
    answer = done.json()
    revs = captured.git("rev-list", "--reverse", "main..topic").splitlines()
    assert ["main", *revs] == [result["rev"] for result in answer["results"]]
    assert [(4, "E_NO_EVIDENCE"), (0, "ALLOW"), (5, "E_STALE")] == [
        (result["exit"], result["decision"]) for result in answer["results"]
    ]
    assert (5, 5) == (done.status, answer["exit"])
    text = agentgate(captured, "verify", "main", "main..topic", "--depth", "lookup")
    blocks = text.stdout.split("\n\n")
    assert (5, ["E_NO_EVIDENCE", "ALLOW", "E_STALE"]) == (text.status, [block.split()[0] for block in blocks])


def test_one_revision_that_cannot_be_looked_at_takes_no_answer_from_the_others(
    captured: RepoBuilder, tmp_path: Path
) -> None:
    captured.git("checkout", "-q", "--orphan", "alone")
    captured.commit(message="alone")
    done = agentgate(captured, "verify", "alone", "topic", "--depth", "lookup", "--format", "json")
    assert (3, ["E_BASE_MISSING", "ALLOW"]) == (done.status, [row["decision"] for row in done.json()["results"]])


def test_a_verdict_is_recorded_and_shown(captured: RepoBuilder) -> None:
    done = agentgate(captured, "verify", "topic", "main", "--depth", "lookup", "--record")
    assert 4 == done.status
    shown = agentgate(captured, "show").stdout.splitlines()
    assert ["packets", "verdicts"] == [line.split()[0] for line in shown]
    assert "(UNSIGNED): passed: 1 passed" in shown[0]
    assert "(UNSIGNED): ALLOW, verified 20" in shown[1]
    assert "E_NO_EVIDENCE, verified" in agentgate(captured, "show", "main").stdout
    newest, first = agentgate(captured, "log").stdout.splitlines()
    assert (
        f"{captured.git('rev-parse', 'HEAD')[:12]} {captured.tree()[:12]} 1 of 1 packets pass, 1 verdicts  honest"
        == newest
    )
    assert first.endswith("no packet, 1 verdicts  first")
    raw = agentgate(captured, "show", "--raw")
    kept = [agentgate(captured, "ledger", "cat", kind, captured.tree()) for kind in ("packets", "verdicts")]
    assert [(0, "")] * 3 == [(done.status, done.stderr) for done in (raw, *kept)]
    assert raw.stdout == "".join(done.stdout for done in kept)


def test_colour_and_cursor_of_a_terminal_are_left_alone(captured: RepoBuilder) -> None:
    """Bytes of the author reach neither: no escape, no carriage return, no bell, in any format."""
    evil = "\x1b[2J\x1b]0;owned\x07\r"
    captured.commit_as_agent({f".github/{evil}.yml": "on: push\n"}, f"subject {evil}")
    store_packet(captured, author_job=evil, interpreter=evil)
    for args in (
        ("check",),
        ("verify",),
        ("show",),
        ("log",),
        ("check", "--format", "json"),
        ("verify", "--format", "json"),
    ):
        done = agentgate(captured, *args)
        assert not {"\x1b", "\x07", "\r"} & set(done.stdout + done.stderr), args


def test_b35_json_is_ascii_whatever_the_names_are(captured: RepoBuilder) -> None:
    name = ".github/bad\udce5–.yml"
    captured.commit_as_agent({name: "on: push\n"})
    for verb in ("check", "verify"):
        done = agentgate(captured, verb, "--format", "json")
        assert done.stdout.isascii()
        answer = done.json()
        findings = answer["findings"] if verb == "check" else answer["results"][0]["findings"]
        assert [name] == [finding["path"] for finding in findings]
