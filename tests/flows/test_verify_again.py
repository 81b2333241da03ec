"""What `verify` derives again from the tree: ids, fields, and the run itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.cli.rerun_progress import BarOfTests
from agentgate_git.flows.verify import COLLECT, POLICY, RERUN
from agentgate_git.model.packet import Packet
from agentgate_git.model.transfer import Progress
from agentgate_git.model.verdict import VerifyResult
from testing.command_line import agentgate
from testing.hooked_repo import write_script
from testing.proposals import (
    NOTES_REF,
    RUNNING,
    TEST_FILE,
    copy_of,
    line_of,
    on_main,
    store_line,
    store_packet,
    stored_packets,
    verified,
    with_topic,
)
from testing.repo_builder import RepoBuilder
from testing.suites import make_environment

KEPT = "refs/agentgate/kept/packets"
NOWHERE = "/nonexistent/python"
POLICY_FILE = ".agentgate/policy.yaml"


@pytest.fixture(scope="module")
def captured_once(tmp_path_factory: pytest.TempPathFactory, warm: str) -> RepoBuilder:
    """A proposal of one honest commit whose tests were run and recorded."""
    directory = tmp_path_factory.mktemp("captured")
    repo = with_topic(RepoBuilder.create(directory / "repo", directory / "home"))
    repo.python = warm
    repo.commit({"core.py": "ONE = 2 - 1\n"}, "honest")
    capture(repo)
    return repo


@pytest.fixture
def captured(captured_once: RepoBuilder, tmp_path: Path) -> RepoBuilder:
    return copy_of(captured_once, tmp_path / "repo")


def capture(repo: RepoBuilder, *args: str) -> Packet:
    """Run and record the tests of HEAD; the packet."""
    done = agentgate(repo, "capture", "HEAD", "--python", repo.python, *args)
    assert done.status in (0, 1), done.stderr
    return stored_packets(repo)[-1]


def test_who_watches_is_told_how_many_tests_there_are_and_of_their_end(captured: RepoBuilder) -> None:
    shown: list[Progress] = []
    result = verified(captured, depth=RERUN, python=captured.python, observer=BarOfTests(shown.append))
    count = stored_packets(captured)[0].node_count
    assert "REPRODUCED" == result.verdict
    assert (Progress("tests", 0, count), Progress("tests", count, count)) == (shown[0], shown[-1])


def forge(repo: RepoBuilder, **changes: object) -> Packet:
    """Put the one packet of HEAD's tree away and another one in its place."""
    (packet,) = stored_packets(repo)
    forget(repo)
    forged = packet._replace(**changes)  # type: ignore[arg-type]
    store_line(repo, repo.tree(), line_of(forged))
    return forged


def forget(repo: RepoBuilder) -> None:
    for ref in (NOTES_REF, KEPT):
        repo.git("update-ref", "-d", ref)


def answer(result: VerifyResult) -> tuple[str, str, int]:
    return result.decision, result.verdict, result.exit_status


def again(repo: RepoBuilder, rev: str = "HEAD", *, depth: str = RERUN, base: str = "") -> VerifyResult:
    """Verify with the interpreter of these tests."""
    return verified(repo, rev, depth=depth, python=repo.python, base=base)


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


def test_a_change_of_documentation_is_run_again_too_while_nobody_signs(repo: RepoBuilder) -> None:
    topic = with_topic(repo)
    topic.commit_as_agent({"README.md": "Words.\n", "docs/index.md": "More.\n"})
    store_packet(topic)
    assert "E_UNDECIDED" == verified(topic, depth=POLICY, python=NOWHERE).decision
    assert "sampling: never (no-claim)" in verified(topic).policy_note


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
    tree = captured.tree()
    on_main(captured, {POLICY_FILE: "version: 1\ncapture:\n  environment: {TZ: Asia/Tokyo}\n"})
    captured.git("read-tree", "-u", "--reset", tree)
    captured.git("commit", "-q", "-m", "the same tree")
    result = again(captured, depth=COLLECT)
    assert tree == result.tree
    assert ("E_STALE", ("env",)) == (result.decision, result.drifted)
    assert ("TZ=UTC", "TZ=Asia/Tokyo") == result.drift_detail[0][1:]


def test_a_capture_with_arguments_of_its_own_is_another_run(captured: RepoBuilder) -> None:
    forget(captured)
    packet = capture(captured, "--", "-k", "one")
    result = again(captured, depth=COLLECT)
    assert (("-k", "one"), ("argv",)) == (packet.argv, result.drifted)
    assert ("-k one", "") == result.drift_detail[0][1:]
    said = "these are not the policy's arguments"
    command = ("capture", "HEAD", "--python", captured.python)
    assert said in agentgate(captured, *command, "--", "-k", "one").stderr
    assert said not in agentgate(captured, *command).stderr


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
    failed = packet._replace(codes=("E_TESTS_FAILED",), failed=(f"{TEST_FILE}::test_one",))
    for other in (packet._replace(interpreter="CPython 3.8.1"), failed, packet._replace(argv=("-x",))):
        store_line(captured, captured.tree(), line_of(other))
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


@pytest.mark.parametrize("order", [1, -1], ids=["claims more last", "claims more first"])
def test_a_packet_that_claims_too_much_takes_nothing_from_one_that_holds(captured: RepoBuilder, order: int) -> None:
    captured.commit({"tests/test_late.py": "import pytest\n\n\ndef test_late():\n    pytest.skip('not here')\n"})
    packet = capture(captured)
    lines = tuple(line.replace("skipped ", "passed ") for line in packet.outcome_lines)
    claimed = packet._replace(outcomes=(("passed", 2),), outcome_lines=lines)
    kept = [line_of(packet), line_of(claimed)][::order]
    (captured.path / "packets").write_bytes(b"\n".join(kept))
    done = agentgate(captured, "verify", "--python", captured.python, "--packet", "packets")
    assert done.stdout.startswith("ALLOW REPRODUCED")


def test_a_suite_that_trims_itself_reproduces_no_pass(captured: RepoBuilder) -> None:
    """The hook was there before, the recorded digests agree with what is left, and still it is no pass."""
    trim = "def pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n"
    more = RUNNING + "\n\ndef test_two():\n    assert 0\n"
    captured.commit({"conftest.py": trim})
    captured.commit({TEST_FILE: more})
    packet = capture(captured)
    assert "E_SELECTION_DRIFT" in packet.codes
    forge(captured, codes=(), trimmed=(), failed=(), exit_status=0)
    for depth in (COLLECT, RERUN):
        result = again(captured, depth=depth, base="HEAD~1")
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
    done = agentgate(captured, "verify", "--python", captured.python, "--record")
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
