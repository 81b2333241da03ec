"""What `verify` answers: the gate first, then the evidence, then what can be derived again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from agentgate_git.flows.verify import RERUN, exit_status_of
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.verdict import VerifyResult
from testing.command_line import agentgate
from testing.hooked_repo import by_agent
from testing.proposals import (
    FILES,
    SKIPPING,
    TEST_FILE,
    WORKFLOW,
    line_of,
    on_main,
    store_line,
    store_packet,
    stored_packets,
    told,
    verified,
    with_topic,
)
from testing.records import some_packet
from testing.repo_builder import RepoBuilder

NOTES = "refs/notes/agentgate/packets"
KEPT = "refs/agentgate/kept/packets"
NOWHERE = "/nonexistent/python"
FAILED: dict[str, Any] = {"codes": ("E_TESTS_FAILED",), "failed": ("tests/test_a.py::test_1",)}
POLICY_FILE = ".agentgate/policy.yaml"


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    """A proposal of one honest commit, without evidence."""
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"}, "honest")
    return repo


def answer(result: VerifyResult) -> tuple[str, str, int]:
    return result.decision, result.verdict, result.exit_status


# No evidence


def test_b28_nothing_fetched_and_nothing_there_are_told_apart(topic: RepoBuilder) -> None:
    never = verified(topic)
    store_packet(topic, "main")
    nothing = verified(topic)
    assert ("E_NO_EVIDENCE", "", 4) == answer(never) == answer(nothing)
    assert f"there is no {NOTES} here" in never.message
    assert "no packet for this tree" in nothing.message
    assert ("none", ()) == (nothing.rung, nothing.evidence)
    assert "run `git agentgate capture`, or sync and retry" == nothing.next_step


def test_what_is_to_be_captured_is_named_where_it_is_not_the_work_tree(topic: RepoBuilder, tmp_path: Path) -> None:
    assert "run `git agentgate capture main`, or sync and retry" == verified(topic, "main").next_step
    topic.git("clone", "-q", "--bare", str(topic.path), str(tmp_path / "bare.git"))
    bare = RepoBuilder(tmp_path / "bare.git", topic.environment)
    assert "run `git agentgate capture HEAD`, or sync and retry" == verified(bare).next_step


def test_where_a_sealed_run_is_demanded_the_next_step_is_a_run(repo: RepoBuilder) -> None:
    demanding = on_main(with_topic(repo), {POLICY_FILE: "version: 1\nsealed_run: required\n"})
    demanding.commit({"core.py": "ONE = 2 - 1\n"}, "honest")
    store_packet(repo)
    assert "have a runner seal and run it" in verified(repo).next_step


def test_a_packet_of_the_base_is_none_of_the_proposal(topic: RepoBuilder) -> None:
    store_packet(topic, "main")
    assert ("E_NO_EVIDENCE", "", 4) == answer(verified(topic))


def test_b33_the_empty_tree_has_no_evidence(repo: RepoBuilder) -> None:
    repo.commit(message="nothing")
    assert ("E_NO_EVIDENCE", "", 4) == answer(verified(repo))


def test_b29_a_packet_that_was_copied_to_another_tree(topic: RepoBuilder) -> None:
    line = store_packet(topic, "main")
    store_line(topic, topic.tree(), line)
    result = verified(topic)
    assert ("E_NO_EVIDENCE", "", 4) == answer(result)
    assert [("E_SUBJECT_MISMATCH", "warn", topic.tree())] == told(result.findings)


def test_b29_a_commit_that_was_amended_keeps_the_evidence_of_its_tree(topic: RepoBuilder) -> None:
    store_packet(topic)
    before = topic.git("rev-parse", "HEAD")
    topic.git("commit", "-q", "--amend", "-m", "in other words")
    result = verified(topic)
    assert ("ALLOW", "", 0) == answer(result)
    assert (before, topic.git("rev-parse", "HEAD")) == (result.evidence[0].commit, result.commit)


# Runs with arguments that are not the policy's


def test_a_run_of_a_part_is_no_evidence_without_running_anything_either(topic: RepoBuilder) -> None:
    store_packet(topic, argv=("-k", "one"))
    result = verified(topic)
    assert ("E_STALE", "STALE", 5) == answer(result)
    assert ("argv",) == result.drifted
    assert "run `git agentgate capture` without arguments behind `--`" in result.next_step


def test_a_run_of_a_part_beside_one_of_the_whole_changes_nothing(topic: RepoBuilder) -> None:
    store_packet(topic, "HEAD")
    for part in ("one", "two", "three"):
        store_packet(topic, argv=("-k", part))
        store_packet(topic, argv=("-m", part), codes=("E_RUN_INCOMPLETE",))
    assert ("ALLOW", "", 0) == answer(verified(topic))


def test_what_a_run_of_the_whole_failed_with_is_not_hidden_by_one_of_a_part(topic: RepoBuilder) -> None:
    store_packet(topic, **FAILED)
    for part in ("one", "two", "three"):
        store_packet(topic, argv=("-k", part), codes=("E_RUN_INCOMPLETE",))
    assert "E_TESTS_FAILED" == verified(topic).decision


def test_the_policy_names_the_arguments(repo: RepoBuilder) -> None:
    policy = "version: 1\ncapture:\n  pytest_args: [services/billing]\n"
    topic = on_main(with_topic(repo), {POLICY_FILE: policy})
    topic.commit({"core.py": "ONE = 2 - 1\n"}, "honest")
    store_packet(topic, argv=("services/billing",))
    assert ("ALLOW", "", 0) == answer(verified(topic))


# The nearest packet


def test_the_nearest_packet_of_a_proposal(topic: RepoBuilder) -> None:
    topic.commit({"core.py": "ONE = 3 - 2\n"})
    topic.commit({"core.py": "ONE = 4 - 3\n"})
    store_packet(topic, "HEAD~2")
    nearest = store_packet(topic, "HEAD~1")
    store_packet(topic, "main")
    result = verified(topic)
    assert ("E_STALE", "STALE", 5) == answer(result)
    assert (("tree",), "none") == (result.drifted, result.rung)
    assert topic.git("rev-parse", "HEAD~1") == result.evidence[0].commit
    assert nearest.decode()[:10] == line_of(stored_packets(topic, "HEAD~1")[0]).decode()[:10]
    (detail,) = result.drift_detail
    assert ("tree", topic.tree("HEAD~1"), topic.tree()) == tuple(detail)
    assert "capture" in result.next_step


def test_without_a_target_earlier_first_parents_are_the_proposal(topic: RepoBuilder) -> None:
    topic.git("config", "--unset", "agentgate.target")
    store_packet(topic, "main")
    result = verified(topic)
    assert ("E_STALE", "STALE", 5) == answer(result)
    assert topic.git("rev-parse", "main") == result.evidence[0].commit
    assert "no target is known" in result.policy_note


def test_a_failed_packet_is_the_nearest_too(topic: RepoBuilder) -> None:
    store_packet(topic, **FAILED)
    topic.commit({"core.py": "ONE = 3 - 2\n"})
    assert ("E_STALE", "STALE", 5) == answer(verified(topic))


# Packets that are there


def test_a_packet_of_a_pass_allows_when_nothing_more_is_asked(topic: RepoBuilder) -> None:
    store_packet(topic)
    result = verified(topic)
    assert ("ALLOW", "", 0, "tree", False) == (*answer(result), result.rung, result.has_rerun)
    assert "not run again" in result.message
    (evidence,) = result.evidence
    assert ("packets", topic.tree(), "") == (evidence.kind, evidence.object, evidence.signed_by)
    assert topic.git("rev-parse", NOTES) == evidence.recorded_in


def test_only_packets_of_runs_that_failed(topic: RepoBuilder) -> None:
    store_packet(topic, codes=("E_TESTS_FAILED", "E_RUN_INCOMPLETE"), failed=("t",))
    result = verified(topic)
    assert ("E_RUN_INCOMPLETE", "FAILED", 1) == answer(result)
    assert "none of a run that passed" in result.message
    assert 1 == len(result.evidence)


def test_a_pass_beside_a_failure_is_what_counts(topic: RepoBuilder) -> None:
    store_packet(topic, **FAILED)
    store_packet(topic)
    result = verified(topic)
    assert ("ALLOW", "", 0) == answer(result)
    assert "beside 1 of runs that did not pass" in result.message


def test_lines_that_are_no_records_are_told_and_change_nothing(topic: RepoBuilder) -> None:
    tree = topic.tree()
    notes = ("notes", "--ref=agentgate/packets")
    topic.git(*notes, "add", "-m", "no record at all", tree)
    empty = verified(topic)
    assert ("E_NO_EVIDENCE", "", 4) == answer(empty)
    assert [("E_NOTE_MALFORMED", "warn", tree)] == told(empty.findings)
    store_packet(topic)
    topic.git(*notes, "append", "-m", '{"payload":"e30=","payloadType":"x","signatures":[]}', tree)
    topic.git(*notes, "append", "-m", "\x1b[2J" + "{" * 5000, tree)
    result = verified(topic)
    assert ("ALLOW", "", 0) == answer(result)
    assert {"E_NOTE_MALFORMED"} == {finding.code for finding in result.findings}
    assert "\x1b" not in agentgate(topic, "verify", "--depth", "lookup").stdout


@pytest.mark.parametrize("target", ["HEAD^{tree}", "HEAD:core.py", "HEAD"])
def test_a_notes_ref_that_holds_no_notes_is_no_crash(topic: RepoBuilder, target: str) -> None:
    topic.git("update-ref", NOTES, topic.git("rev-parse", target))
    result = verified(topic)
    assert result.decision in ("E_NO_EVIDENCE", "E_UNDECIDED")
    assert result.next_step


def test_a_note_that_is_a_folder_or_a_submodule_is_no_crash(topic: RepoBuilder) -> None:
    tree = topic.tree()
    commit = topic.git("rev-parse", "HEAD")
    for row in (f"160000 commit {commit}\t{tree}\n", f"040000 tree {tree}\t{tree}\n", f"120000 blob x\t{tree}\n"):
        blob = topic.git("hash-object", "-w", "--stdin", stdin=b"core.py")
        notes = topic.git("mktree", stdin=row.replace("blob x", f"blob {blob}").encode())
        topic.git("update-ref", NOTES, topic.git("commit-tree", "-m", "x", notes))
        assert verified(topic).exit_status in (3, 4)


def test_x01_a_symbolic_notes_ref_is_undecided(topic: RepoBuilder) -> None:
    topic.git("symbolic-ref", NOTES, "refs/heads/main")
    result = verified(topic)
    assert ("E_UNDECIDED", 3) == (result.decision, result.exit_status)
    assert "symbolic-ref" in result.next_step


# A packet from a file


def test_a_packet_from_a_file_of_the_same_tree(topic: RepoBuilder) -> None:
    packet = some_packet(tree=topic.tree(), commit=topic.git("rev-parse", "HEAD"))
    result = verified(topic, packet_file=line_of(packet))
    assert ("ALLOW", "", 0, "tree") == (*answer(result), result.rung)
    assert "" == result.evidence[0].recorded_in
    assert [] == topic.git("for-each-ref", "refs/notes").splitlines()


def test_a_packet_from_a_file_of_another_tree_is_stale(topic: RepoBuilder) -> None:
    result = verified(topic, packet_file=line_of(some_packet(tree=topic.tree("main"))))
    assert ("E_STALE", "STALE", ("tree",)) == (result.decision, result.verdict, result.drifted)


@pytest.mark.parametrize("data", [b"", b"garbage\n\xff", b"{}\n", b"\0" * 100])
def test_a_file_without_a_packet_is_no_evidence_even_beside_notes(topic: RepoBuilder, data: bytes) -> None:
    store_packet(topic)
    result = verified(topic, packet_file=data)
    assert ("E_NO_EVIDENCE", "", 4) == answer(result)
    assert "the file holds no packet" in result.message
    assert all("E_NOTE_MALFORMED" == finding.code for finding in result.findings)
    assert bool(data) == bool(result.findings)


# The gate goes before the evidence


def test_b33_a_tree_that_came_back_shares_the_run_and_not_the_verdict(topic: RepoBuilder) -> None:
    """The packet of the tree holds; what was done on the way to it is judged all the same."""
    store_packet(topic)
    assert ("ALLOW", "", 0) == answer(verified(topic))
    topic.commit_as_agent({WORKFLOW: "on: never\n"})
    topic.commit_as_agent({WORKFLOW: FILES[WORKFLOW]}, "revert")
    result = verified(topic)
    assert topic.tree("HEAD~2") == topic.tree()
    assert ("E_GUARDED_PATH", "", 1) == answer(result)
    assert "of the gate" in result.message
    assert result.findings[0].next_step == result.next_step


def test_b33_an_empty_commit_shares_the_run_and_not_the_verdict(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: SKIPPING})
    store_packet(topic)
    topic.commit(message="empty")
    assert ("E_SKIP_MARKER", "", 1) == answer(verified(topic))


def test_nothing_is_run_for_a_proposal_that_the_gate_refuses(topic: RepoBuilder) -> None:
    topic.commit_as_agent({WORKFLOW: "on: never\n"})
    store_packet(topic)
    assert ("E_GUARDED_PATH", "", 1) == answer(verified(topic, depth=RERUN, python=NOWHERE))


def test_in_report_mode_the_gate_tells_and_the_evidence_decides(repo: RepoBuilder) -> None:
    with_topic(repo)
    repo.git("checkout", "-q", "main")
    repo.commit({POLICY_FILE: "version: 1\nmode: report\n"})
    repo.git("checkout", "-q", "-B", "topic")
    repo.commit_as_agent({WORKFLOW: "on: never\n"})
    result = verified(repo)
    assert ("E_NO_EVIDENCE", "", 4) == answer(result)
    assert [("E_GUARDED_PATH", "warn", WORKFLOW)] == told(result.findings)


def test_b14_what_no_hook_saw_is_seen(topic: RepoBuilder) -> None:
    """`--no-verify`, a cherry-pick, a rebase and `am` run no hook of ours."""
    guarded = topic.commit_as_agent({WORKFLOW: "on: never\n"})
    patch = topic.git("format-patch", "-1", "--stdout")
    for bring in (("cherry-pick", guarded), ("am", "-q"), ("rebase", "-q", "--onto", "main", f"{guarded}~1", guarded)):
        topic.git("checkout", "-q", "--detach", "main")
        topic.git(*bring, stdin=os.fsencode(patch + "\n") if bring[0] == "am" else None)
        store_packet(topic)
        assert ("E_GUARDED_PATH", "", 1) == answer(verified(topic)), bring


def test_b62_replace_refs_and_grafts_hide_nothing(topic: RepoBuilder) -> None:
    innocent = topic.git("rev-parse", "HEAD")
    guilty = topic.commit_as_agent({WORKFLOW: "on: never\n", TEST_FILE: SKIPPING})
    topic.git("replace", guilty, innocent)
    for name in (WORKFLOW, TEST_FILE):
        topic.git("replace", "-f", *(topic.git("rev-parse", f"{rev}:{name}") for rev in (guilty, innocent)))
    (topic.path / ".git/info/grafts").write_text(f"{guilty}\n")
    result = verified(topic, guilty)
    assert ("E_GUARDED_PATH", 1) == (result.decision, result.exit_status)
    assert {"E_GUARDED_PATH", "E_SKIP_MARKER"} == {finding.code for finding in result.findings}
    assert topic.git("--no-replace-objects", "rev-parse", f"{guilty}^{{tree}}") == result.tree


def test_b66_a_trailer_anywhere_in_the_last_paragraphs_decides(topic: RepoBuilder) -> None:
    """Squash merges by forges put the trailers of the parts into the middle of one long message."""
    parts = (
        "Add x (#7)",
        "* part one",
        "co-authored-by: Claude <noreply@anthropic.com>",
        "* two",
        "Signed-off-by: P <p@x>",
    )
    topic.commit({WORKFLOW: "on: never\n"}, "\n\n".join(parts))
    store_packet(topic)
    result = verified(topic)
    assert ("E_GUARDED_PATH", 1) == (result.decision, result.exit_status)
    assert ["human", "agent"] == [commit.actor for commit in result.authorship]


def test_b65_a_merge_of_two_proposals_has_a_tree_that_nobody_tested(topic: RepoBuilder) -> None:
    store_packet(topic)
    topic.git("checkout", "-q", "-b", "other", "main")
    topic.commit({"other.py": "TWO = 2\n"})
    store_packet(topic)
    topic.git("checkout", "-q", "-b", "queue", "main")
    topic.git("merge", "-q", "--no-ff", "-m", "one", "topic")
    assert ("ALLOW", "", 0) == answer(verified(topic)), "the tree is the proposal's"
    topic.git("merge", "-q", "--no-ff", "-m", "two", "other")
    result = verified(topic)
    assert ("E_STALE", "STALE", 5, ("tree",)) == (*answer(result), result.drifted)


# What cannot be looked at


@pytest.mark.parametrize("rev", ["--all", "-1", "--output=x", "", "no-such-branch", "HEAD\n", "HEAD:core.py", "a\0b"])
def test_b42_a_revision_that_is_none(topic: RepoBuilder, rev: str) -> None:
    with pytest.raises(UsageFailure):
        verified(topic, rev)
    assert not (topic.path / "x").exists()


def test_an_object_that_was_tampered_with_is_undecided(topic: RepoBuilder) -> None:
    store_packet(topic)
    blob, other = (topic.git("rev-parse", f"HEAD:{name}") for name in (TEST_FILE, "core.py"))
    topic.commit({TEST_FILE: SKIPPING})
    blob = topic.git("rev-parse", f"HEAD:{TEST_FILE}")
    store = topic.path / ".git/objects"
    path = store / blob[:2] / blob[2:]
    path.chmod(0o644)
    path.write_bytes((store / other[:2] / other[2:]).read_bytes())
    result = verified(topic)
    assert ("E_UNDECIDED", "", 3) == answer(result)
    assert "fsck" in result.next_step


# Several answers


@pytest.mark.parametrize(
    ("statuses", "wanted"),
    [((), 0), ((0, 0), 0), ((0, 4), 4), ((4, 5), 5), ((5, 3, 4), 3), ((0, 1, 3, 4, 5), 1)],
)
def test_one_status_for_several_answers(topic: RepoBuilder, statuses: tuple[int, ...], wanted: int) -> None:
    result = verified(topic)
    assert wanted == exit_status_of(result._replace(exit_status=status) for status in statuses)


def test_who_made_it_is_told_whatever_the_answer(topic: RepoBuilder) -> None:
    by_agent(topic).commit({"core.py": "ONE = 3 - 2\n"})
    result = verified(topic)
    assert [("human", "U_DEFAULT"), ("agent", "A_IDENT")] == [(one.actor, one.rule) for one in result.authorship]
    assert [topic.git("rev-parse", "HEAD~1"), topic.git("rev-parse", "HEAD")] == [
        one.commit for one in result.authorship
    ]
