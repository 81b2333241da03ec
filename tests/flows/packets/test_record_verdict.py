"""A verdict kept as a note on the tree says all that was answered."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from agentgate_git.flows.packets.record_verdict import record_verdicts
from agentgate_git.model.evidence import VERDICTS
from agentgate_git.model.verdict import VerifyResult
from agentgate_git.wire.verdict_statement import VerdictStatement, Verification, read_verdict
from testing.proposals import SKIPPING, TEST_FILE, WORKFLOW, opened, store_packet, verified, with_topic
from testing.records import open_ledger
from testing.repo_builder import RepoBuilder

NOW = "2026-01-02T03:04:05Z"
POLICY = "version: 1\nmode: lenient\n"


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"})
    return repo


def record(repo: RepoBuilder, *results: VerifyResult, now: str = NOW) -> int:
    with opened(repo) as workspace:
        return record_verdicts(workspace, results, "urn:somebody", now)


def recorded(repo: RepoBuilder, rev: str = "HEAD") -> list[Verification]:
    tree = repo.tree(rev)
    with open_ledger(repo) as ledger:
        notes = ledger.read(VERDICTS, [tree])
    statements = [read_verdict(line.envelope) for line in notes[tree].lines] if tree in notes else []
    assert all(isinstance(statement, VerdictStatement) and tree == statement.subject for statement in statements)
    return [statement.verification for statement in statements if isinstance(statement, VerdictStatement)]


def test_an_allowed_proposal(topic: RepoBuilder) -> None:
    line = store_packet(topic)
    result = verified(topic)
    assert 1 == record(topic, result)
    (verification,) = recorded(topic)
    assert result == verification.result
    assert ("urn:somebody", NOW, "builtin") == (
        verification.verifier,
        verification.verified_at,
        verification.policy_uri,
    )
    assert sha256(line).hexdigest() == verification.result.evidence[0].sha256
    assert sha256(b"").hexdigest() == verification.policy_sha256


def test_the_policy_of_the_base_is_named_by_its_bytes(topic: RepoBuilder) -> None:
    topic.git("checkout", "-q", "main")
    base = topic.commit({".agentgate/policy.yaml": POLICY})
    topic.git("checkout", "-q", "-B", "topic")
    topic.commit({".agentgate/policy.yaml": POLICY + "agents: [x@y.z]\n"})
    record(topic, verified(topic))
    (verification,) = recorded(topic)
    assert sha256(POLICY.encode()).hexdigest() == verification.policy_sha256
    assert base in verification.policy_uri


def test_every_answer_can_be_recorded(topic: RepoBuilder, tmp_path: Path) -> None:
    """Refused, stale, without evidence, of a root commit, and undecided for want of a base."""
    store_packet(topic)
    topic.commit({"core.py": "ONE = 3 - 2\n"})
    results = [verified(topic), verified(topic, "main")]
    topic.commit_as_agent({WORKFLOW: "on: never\n", TEST_FILE: SKIPPING})
    results.append(verified(topic))
    assert ["E_STALE", "E_NO_EVIDENCE", "E_GUARDED_PATH"] == [result.decision for result in results]
    assert 3 == record(topic, *results)
    assert results[2:] == [one.result for one in recorded(topic)]
    assert results[1:2] == [one.result for one in recorded(topic, "main")]

    topic.git("clone", "-q", "--depth=1", f"file://{topic.path}", str(tmp_path / "shallow"))
    shallow = RepoBuilder(tmp_path / "shallow", topic.environment)
    undecided = verified(shallow)
    assert ("E_BASE_MISSING", 1) == (undecided.decision, record(shallow, undecided))
    assert [undecided] == [one.result for one in recorded(shallow)]


def test_b35_a_finding_on_a_name_that_is_no_utf8(topic: RepoBuilder) -> None:
    name = ".github/bad\udce5.yml"
    topic.commit_as_agent({name: "on: never\n"})
    result = verified(topic)
    assert [name] == [finding.path for finding in result.findings]
    record(topic, result)
    assert [result] == [one.result for one in recorded(topic)]


def test_the_same_verdict_is_one_line_and_another_time_is_another(topic: RepoBuilder) -> None:
    result = verified(topic)
    assert (1, 0) == (record(topic, result), record(topic, result))
    assert 1 == record(topic, result, now="2026-01-03T00:00:00Z")
    assert 2 == len(recorded(topic))


def test_no_results_are_no_note(topic: RepoBuilder) -> None:
    assert 0 == record(topic)
    assert "" == topic.git("for-each-ref", "refs/notes")


def test_a_verdict_is_no_evidence(topic: RepoBuilder) -> None:
    """Recording that all is well makes nothing well."""
    store_packet(topic)
    record(topic, verified(topic))
    topic.git("update-ref", "-d", "refs/notes/agentgate/packets")
    topic.git("update-ref", "-d", "refs/agentgate/kept/packets")
    assert ("E_NO_EVIDENCE", 4) == (verified(topic).decision, verified(topic).exit_status)
