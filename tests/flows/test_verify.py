"""What `verify` answers: the gate first, then the evidence, then what can be derived again."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from agentgate_git.flows.verify import COLLECT, POLICY, RERUN, exit_status_of
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.packet import Packet
from agentgate_git.model.verdict import VerifyResult
from testing.command_line import agentgate
from testing.hooked_repo import AGENT, write_script
from testing.proposals import (
    FILES,
    RUNNING,
    SKIPPING,
    TEST_FILE,
    WORKFLOW,
    copy_of,
    line_of,
    store_line,
    store_packet,
    stored_packets,
    told,
    verified,
    with_topic,
)
from testing.records import some_packet
from testing.repo_builder import RepoBuilder
from testing.suites import make_environment

NOTES = "refs/notes/agentgate/packets"
KEPT = "refs/agentgate/kept/packets"
NOWHERE = "/nonexistent/python"
FAILED = {"codes": ("E_TESTS_FAILED",), "failed": ("tests/test_a.py::test_1",)}
POLICY_FILE = ".agentgate/policy.yaml"


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    """A proposal of one honest commit, without evidence."""
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"}, "honest")
    return repo


@pytest.fixture(scope="module")
def captured_once(tmp_path_factory: pytest.TempPathFactory) -> RepoBuilder:
    """A proposal of one honest commit whose tests were run and recorded."""
    directory = tmp_path_factory.mktemp("captured")
    repo = with_topic(RepoBuilder.create(directory / "repo", directory / "home"))
    repo.commit({"core.py": "ONE = 2 - 1\n"}, "honest")
    capture(repo)
    return repo


@pytest.fixture
def captured(captured_once: RepoBuilder, tmp_path: Path) -> RepoBuilder:
    return copy_of(captured_once, tmp_path / "repo")


def capture(repo: RepoBuilder, *args: str) -> Packet:
    """Run and record the tests of HEAD; the packet."""
    done = agentgate(repo, "capture", "HEAD", "--python", sys.executable, *args)
    assert done.status in (0, 1), done.stderr
    return stored_packets(repo)[-1]


def forge(repo: RepoBuilder, **changes: object) -> Packet:
    """Put the one packet of HEAD's tree away and another one in its place."""
    (packet,) = stored_packets(repo)
    forget(repo)
    forged = packet._replace(**changes)  # type: ignore[arg-type]
    store_line(repo, repo.tree(), line_of(forged))
    return forged


def forget(repo: RepoBuilder) -> None:
    for ref in (NOTES, KEPT):
        repo.git("update-ref", "-d", ref)


def answer(result: VerifyResult) -> tuple[str, str, int]:
    return result.decision, result.verdict, result.exit_status


def again(repo: RepoBuilder, rev: str = "HEAD", *, depth: str = RERUN, base: str = "") -> VerifyResult:
    """Verify with the interpreter of these tests."""
    return verified(repo, rev, depth=depth, python=sys.executable, base=base)


# No evidence


def test_b28_nothing_fetched_and_nothing_there_are_told_apart(topic: RepoBuilder) -> None:
    never = verified(topic)
    store_packet(topic, "main")
    nothing = verified(topic)
    assert ("E_NO_EVIDENCE", "", 4) == answer(never) == answer(nothing)
    assert f"there is no {NOTES} here" in never.message
    assert "no packet for this tree" in nothing.message
    assert ("none", ()) == (nothing.rung, nothing.evidence)
    assert "capture" in nothing.next_step


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
    assert ("ALLOW", "", 0) == answer(verified(topic))


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


# Derived again


def test_every_depth_of_an_honest_packet(captured: RepoBuilder) -> None:
    collected, run = again(captured, depth=COLLECT), again(captured, depth=RERUN)
    assert ("ALLOW", "", 0, False) == (*answer(collected), collected.has_rerun)
    assert ("ALLOW", "REPRODUCED", 0, True) == (*answer(run), run.has_rerun)
    assert ((), (), ()) == (run.drifted, run.drift_detail, run.findings)
    assert ("ALLOW", "", 0) == answer(verified(captured, python=NOWHERE)), "a look-up starts nothing"


def test_the_policy_runs_again_what_makes_a_claim(captured: RepoBuilder) -> None:
    result = again(captured, depth=POLICY)
    assert ("ALLOW", "REPRODUCED", 0) == answer(result)
    assert "sampling: nightly (production-change)" in result.policy_note


def test_the_policy_spares_a_change_of_documentation_a_run(topic: RepoBuilder) -> None:
    topic.git("reset", "-q", "--hard", "main")
    topic.commit_as_agent({"README.md": "Words.\n", "docs/index.md": "More.\n"})
    store_packet(topic)
    result = verified(topic, depth=POLICY, python=NOWHERE)
    assert ("ALLOW", "", 0, False) == (*answer(result), result.has_rerun)
    assert "sampling: never (no-claim)" in result.policy_note
    topic.commit_as_agent({"conftest.py": "\n"})
    store_packet(topic)
    assert "E_UNDECIDED" == verified(topic, depth=POLICY, python=NOWHERE).decision


DRIFTS: dict[str, tuple[dict[str, object], tuple[str, ...]]] = {
    "interpreter": ({"interpreter": "CPython 3.8.1"}, ("interpreter",)),
    "env": ({"environment": (("TZ", "Asia/Tokyo"),)}, ("env",)),
    "manifest": ({"manifest_sha256": "0" * 64}, ("manifest",)),
    "argv": ({"argv": ("-k", "one")}, ("argv",)),
    "isolation": ({"isolation": "somewhere"}, ("isolation",)),
    "tests": ({"tests_sha256": "0" * 64}, ("tests",)),
    "node_count": ({"node_count": 2}, ("node_count",)),
    "all": (
        {"interpreter": "x", "environment": (), "argv": ("-x",), "isolation": "", "node_count": 0},
        ("node_count", "interpreter", "env", "argv", "isolation"),
    ),
}


@pytest.mark.parametrize("field", DRIFTS)
def test_a_field_that_no_longer_holds_is_named_and_nothing_is_run(captured: RepoBuilder, field: str) -> None:
    changes, drifted = DRIFTS[field]
    forge(captured, **changes)
    result = again(captured)
    assert ("E_STALE", "STALE", 5, drifted) == (*answer(result), result.drifted)
    assert (False, "tree") == (result.has_rerun, result.rung)
    assert drifted == tuple(detail.field for detail in result.drift_detail)
    assert all(detail.recorded != detail.derived for detail in result.drift_detail)


def test_a_run_in_place_and_one_in_scratch_are_as_good(captured: RepoBuilder) -> None:
    assert "scratch" == stored_packets(captured)[0].isolation
    forge(captured, isolation="in-place")
    assert ("ALLOW", "", 0) == answer(again(captured, depth=COLLECT))


def test_the_environment_is_what_the_base_s_policy_gives(captured: RepoBuilder) -> None:
    """The same tree, proposed to a branch whose policy gives another variable."""
    captured.git("checkout", "-q", "main")
    captured.commit({POLICY_FILE: "version: 1\ncapture:\n  environment: {TZ: Asia/Tokyo}\n"})
    captured.git("checkout", "-q", "--detach")
    captured.git("read-tree", "-u", "--reset", "topic")
    captured.git("commit", "-q", "-m", "the same tree")
    result = again(captured, depth=COLLECT, base="main")
    assert captured.tree("topic") == result.tree
    assert ("E_STALE", ("env",)) == (result.decision, result.drifted)
    assert ("TZ=UTC", "TZ=Asia/Tokyo") == result.drift_detail[0][1:]


def test_a_capture_with_arguments_of_its_own_is_another_run(captured: RepoBuilder) -> None:
    forget(captured)
    packet = capture(captured, "--", "-k", "one")
    result = again(captured, depth=COLLECT)
    assert (("-k", "one"), ("argv",)) == (packet.argv, result.drifted)
    assert ("-k one", "") == result.drift_detail[0][1:]


def test_tests_that_came_and_went_are_named_by_file(captured: RepoBuilder) -> None:
    text = RUNNING.replace("test_one", "test_other")
    captured.commit({TEST_FILE: text, "tests/test_more.py": "def test_more():\n    assert 1\n"})
    result = again(captured)
    assert ("E_STALE", ("tree", "tests", "node_count"), False) == (result.decision, result.drifted, result.has_rerun)
    core, more = result.test_drift
    assert (TEST_FILE, 1, 1, (f"{TEST_FILE}::test_other",), (f"{TEST_FILE}::test_one",)) == tuple(core)
    assert ("tests/test_more.py", 0, 1, ("tests/test_more.py::test_more",), ()) == tuple(more)


def test_no_second_is_spent_on_running_a_stale_packet(captured: RepoBuilder, tmp_path: Path) -> None:
    mark = tmp_path / "was-run"
    captured.commit({TEST_FILE: RUNNING + f"    open({str(mark)!r}, 'w')\n"})
    result = again(captured, depth=RERUN)
    assert ("E_STALE", ("tree",), False) == (result.decision, result.drifted, mark.exists())


def test_a_forged_pass_of_a_failing_tree_is_failed(captured: RepoBuilder) -> None:
    captured.commit({TEST_FILE: RUNNING.replace("1 == ONE", "2 == ONE")})
    packet = capture(captured)
    forge(captured, codes=(), failed=(), exit_status=0, outcomes=(("passed", 1),), outcome_lines=())
    assert ("E_TESTS_FAILED",) == packet.codes
    result = again(captured, depth=POLICY)
    assert ("E_TESTS_FAILED", "FAILED", 1, True) == (*answer(result), result.has_rerun)
    assert ["E_TESTS_FAILED"] == [finding.code for finding in result.findings]
    assert "test_one" in result.findings[0].message


def test_of_several_packets_the_one_that_holds_is_taken(captured: RepoBuilder) -> None:
    (packet,) = stored_packets(captured)
    for changes in ({"interpreter": "CPython 3.8.1"}, FAILED, {"argv": ("-x",)}):
        store_line(captured, captured.tree(), line_of(packet._replace(**changes)))  # type: ignore[arg-type]
    result = again(captured)
    assert ("ALLOW", "REPRODUCED", 0) == answer(result)
    assert 4 == len(stored_packets(captured))


def test_a_pass_that_does_not_come_again_is_not_reproduced(captured: RepoBuilder) -> None:
    """The run is green both times; one test that passed for the packet is skipped now."""
    captured.commit({"tests/test_late.py": "import pytest\n\n\ndef test_late():\n    pytest.skip('not here')\n"})
    packet = capture(captured)
    lines = tuple(line.replace("skipped ", "passed ") for line in packet.outcome_lines)
    for kept in (lines, ()):
        forge(captured, outcomes=(("passed", 2),), outcome_lines=kept)
        result = again(captured)
        assert ("E_NOT_REPRODUCED", "FAILED", 1) == answer(result)
        assert "1 test(s) that passed" in result.message


def test_a_suite_that_trims_itself_reproduces_no_pass(captured: RepoBuilder) -> None:
    """The recorded digests agree with what is left, and still it is no pass."""
    trim = "def pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n"
    more = RUNNING + "\n\ndef test_two():\n    assert 0\n"
    captured.commit({TEST_FILE: more, "conftest.py": trim})
    packet = capture(captured)
    assert "E_SELECTION_DRIFT" in packet.codes
    forge(captured, codes=(), trimmed=(), failed=(), exit_status=0)
    for depth in (COLLECT, RERUN):
        result = again(captured, depth=depth)
        assert ("E_SELECTION_DRIFT", "FAILED", 1) == answer(result), depth


# What cannot be looked at


def test_an_environment_without_pytest_is_undecided(captured: RepoBuilder, tmp_path: Path) -> None:
    python = make_environment(tmp_path / "bare", has_pytest=False)
    result = verified(captured, depth=COLLECT, python=python)
    assert ("E_UNDECIDED", "", 3) == answer(result)
    assert "pytest" in result.next_step
    assert "\n" not in result.message


def test_an_interpreter_that_is_not_there_is_undecided(captured: RepoBuilder) -> None:
    result = verified(captured, depth=COLLECT, python=NOWHERE)
    assert ("E_UNDECIDED", "", 3) == answer(result)
    assert ("--python" in result.next_step, NOWHERE in result.message) == (True, True)


@pytest.mark.parametrize("depth", [COLLECT, RERUN])
def test_a_tree_whose_tests_cannot_be_collected_is_no_pass(captured: RepoBuilder, depth: str) -> None:
    """The recorded digests agree with what little was collected, and still it is no pass."""
    captured.commit({"tests/test_torn.py": "import no_such_module\n"})
    packet = capture(captured)
    assert packet.codes
    forge(captured, codes=(), failed=(), exit_status=0)
    result = again(captured, depth=depth)
    assert (1, "FAILED", "E_RUN_INCOMPLETE") == (result.exit_status, result.verdict, result.decision)
    assert result.findings


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


# The clone is not trusted


def test_a_hostile_clone_runs_nothing(captured: RepoBuilder, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    script = str(write_script(tmp_path / "evil", f'echo "$0 $*" >> "{mark}"\ncat >/dev/null\nexit 0\n'))
    for key in (
        *("core.fsmonitor", "core.sshCommand", "core.editor", "core.pager", "core.askPass", "core.gitProxy"),
        *("diff.external", "diff.evil.command", "diff.evil.textconv", "gpg.program", "credential.helper"),
        *("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "merge.evil.driver", "pager.rev-list"),
        *("interactive.diffFilter", "sequence.editor", "uploadpack.packObjectsHook", "pager.diff-tree"),
    ):
        captured.git("config", key, script)
    captured.git("config", "filter.evil.required", "true")
    captured.git("config", "extensions.worktreeConfig", "true")
    for name in ("rev-parse", "cat-file", "diff-tree", "rev-list", "checkout-index", "read-tree"):
        captured.git("config", f"alias.{name}", f"!{script}")
    (captured.path / ".git/info/attributes").write_text("* filter=evil diff=evil merge=evil\n")
    hooks = captured.path / ".git/evil-hooks"
    for name in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"):
        write_script(hooks / name, f'echo "$0" >> "{mark}"\n')
    captured.git("config", "core.hooksPath", str(hooks))
    done = agentgate(captured, "verify", "--python", sys.executable, "--record")
    assert (0, "ALLOW REPRODUCED") == (done.status, done.stdout[:16]), done
    assert not mark.exists(), mark.read_text()


def test_the_work_tree_and_the_index_are_left_alone(captured: RepoBuilder) -> None:
    captured.write({"core.py": "ONE = 5\n", "new.py": "x\n"})
    captured.git("add", "new.py")
    before = captured.git("status", "--porcelain"), captured.git("for-each-ref")
    index = (captured.path / ".git/index").read_bytes()
    assert ("ALLOW", "REPRODUCED", 0) == answer(again(captured))
    assert before == (captured.git("status", "--porcelain"), captured.git("for-each-ref"))
    assert index == (captured.path / ".git/index").read_bytes()


# Several answers


@pytest.mark.parametrize(
    ("statuses", "wanted"),
    [((), 0), ((0, 0), 0), ((0, 4), 4), ((4, 5), 5), ((5, 3, 4), 3), ((0, 1, 3, 4, 5), 1)],
)
def test_one_status_for_several_answers(topic: RepoBuilder, statuses: tuple[int, ...], wanted: int) -> None:
    result = verified(topic)
    assert wanted == exit_status_of(result._replace(exit_status=status) for status in statuses)


def test_who_made_it_is_told_whatever_the_answer(topic: RepoBuilder) -> None:
    topic.commit({"core.py": "ONE = 3 - 2\n"}, **AGENT)
    result = verified(topic)
    assert [("human", "U_DEFAULT"), ("agent", "A_IDENT")] == [(one.actor, one.rule) for one in result.authorship]
    assert [topic.git("rev-parse", "HEAD~1"), topic.git("rev-parse", "HEAD")] == [
        one.commit for one in result.authorship
    ]
