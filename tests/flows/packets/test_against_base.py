"""`verify` against the base: outcomes of two runs, and the base's tests on the head's code. Real pytest processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.flows.verify import LOOKUP, POLICY, RERUN
from agentgate_git.model.packet import Packet
from agentgate_git.model.verdict import REPLAY_GREEN, REPLAY_RED, VerifyResult
from testing.command_line import agentgate
from testing.keys import Keys
from testing.proposals import NOTES_REF, TEST_FILE, copy_of, line_of, store_line, stored_packets, told, verified
from testing.repo_builder import RepoBuilder

NOWHERE = "/nonexistent/python"
CODE = "OFF = False\n\n\ndef total(rows):\n    return sum(rows)\n"
TESTS = """import pytest

import core


def test_total():
    assert 3 == core.total([1, 2])


def test_switch():
    if core.OFF:
        pytest.skip("switched off")
    assert 0 == core.total([])
"""
OTHER_SUM = CODE.replace("sum(rows)", "sum(rows) + 1")
OTHER_EXPECTATION = TESTS.replace("assert 3 ==", "assert 4 ==").replace("assert 0 ==", "assert 1 ==")
SWITCHED_OFF = CODE.replace("False", "True")
TOTAL, SWITCH = f"{TEST_FILE}::test_total", f"{TEST_FILE}::test_switch"


@pytest.fixture(scope="module")
def main_once(tmp_path_factory: pytest.TempPathFactory, warm: str) -> RepoBuilder:
    """A main branch whose tests pass, with a packet, and a topic that starts there."""
    directory = tmp_path_factory.mktemp("main")
    repo = RepoBuilder.create(directory / "repo", directory / "home")
    repo.python = warm
    repo.commit({"core.py": CODE, TEST_FILE: TESTS, "README.md": "x\n"}, "first")
    repo.git("config", "agentgate.target", "main")
    capture(repo)
    repo.git("checkout", "-q", "-b", "topic")
    return repo


@pytest.fixture
def topic(main_once: RepoBuilder, tmp_path: Path) -> RepoBuilder:
    return copy_of(main_once, tmp_path / "repo")


def capture(repo: RepoBuilder, rev: str = "HEAD") -> None:
    done = agentgate(repo, "capture", rev, "--python", repo.python)
    assert done.status in (0, 1), done.stderr


def store(repo: RepoBuilder, packet: Packet) -> None:
    store_line(repo, repo.tree(), line_of(packet))


def forget_base(repo: RepoBuilder) -> None:
    for ref in (NOTES_REF, "refs/agentgate/kept/packets"):
        repo.git("update-ref", "-d", ref)


def propose(repo: RepoBuilder, files: dict[str, str], *, by_agent: bool = False) -> RepoBuilder:
    """Commit and capture a change."""
    (repo.commit_as_agent if by_agent else repo.commit)(files)
    capture(repo)
    return repo


class Watched:
    """Verifies and counts how often tests were run."""

    def __init__(self, repo: RepoBuilder, log: Path) -> None:
        self.repo = repo
        self.log = log
        self.runs = 0

    def verify(self, depth: str = RERUN, **request: bool) -> VerifyResult:
        self.log.write_text("")
        result = verified(self.repo, depth=depth, python=self.repo.python, log=str(self.log), **request)
        self.runs = self.log.read_text().count("test session starts")
        return result


@pytest.fixture
def watched(topic: RepoBuilder, tmp_path: Path) -> Watched:
    return Watched(topic, tmp_path / "log")


def answer(result: VerifyResult) -> tuple[str, str, int]:
    return result.decision, result.verdict, result.exit_status


# Outcomes


def test_what_runs_as_before_is_not_run_twice(watched: Watched) -> None:
    propose(watched.repo, {"core.py": CODE + "\n\nNEW = 1\n"})
    result = watched.verify()
    assert ("ALLOW", "REPRODUCED", 0) == answer(result)
    assert (1, "") == (watched.runs, result.with_base.replay)
    assert "compared with a packet of the base" in result.with_base.notes[0]


def test_b73_b74_a_test_that_production_switches_off(watched: Watched) -> None:
    """No line of a test changed; only the runs tell."""
    propose(watched.repo, {"core.py": SWITCHED_OFF})
    result = watched.verify()
    assert ("E_TEST_SILENCED", "REPRODUCED", 1) == answer(result)
    assert [("E_TEST_SILENCED", "block", TEST_FILE)] == told(result.findings)
    assert f"{SWITCH} is skipped" in result.findings[0].message
    assert 2 == watched.runs, "the base was run to make sure"
    assert "adopt" in result.next_step


def test_a_case_that_goes_from_a_file_that_changed_only_warns(topic: RepoBuilder) -> None:
    """No source names it, so what tells that it was taken away openly is that its file is another one."""
    cases = 'import core\n\nfor row in ({}):\n    globals()[f"test_{{row}}"] = lambda row=row: core.total([row])\n'
    topic.git("checkout", "-q", "main")
    topic.commit({TEST_FILE: cases.format("1, 2")}, "cases")
    capture(topic)
    topic.git("checkout", "-q", "-B", "topic")
    propose(topic, {TEST_FILE: cases.format("1,")})
    result = verified(topic, depth=LOOKUP, python=NOWHERE)
    assert ("ALLOW", "", 0) == answer(result)
    assert [("E_TEST_SILENCED", "warn", TEST_FILE)] == told(result.findings)
    assert f"{TEST_FILE}::test_2 is gone" in result.findings[0].message


def test_a_look_up_compares_packets_and_runs_nothing(topic: RepoBuilder) -> None:
    propose(topic, {"core.py": SWITCHED_OFF})
    result = verified(topic, depth=LOOKUP, python=NOWHERE)
    assert ("E_TEST_SILENCED", "", 1) == answer(result)


def test_a_packet_of_the_base_that_is_not_true_accuses_nobody(watched: Watched) -> None:
    """It was captured where another variable switched the test on; here it never ran."""
    repo = watched.repo
    tests = TESTS.replace("if core.OFF:", "if True:")
    repo.git("checkout", "-q", "-B", "main")
    repo.commit({TEST_FILE: tests}, "always off")
    capture(repo)
    (packet,) = stored_packets(repo)
    forget_base(repo)
    lines = tuple(line.replace("skipped", "passed") for line in packet.outcome_lines)
    store(repo, packet._replace(outcome_lines=lines))
    repo.git("checkout", "-q", "-B", "topic")
    propose(repo, {"README.md": "y\n"})
    assert ("ALLOW", "REPRODUCED", 0) == answer(watched.verify())
    assert 2 == watched.runs
    looked_up = watched.verify(LOOKUP)
    assert "E_TEST_SILENCED" == looked_up.decision, "where nothing may be run, the packet's word stands"


def test_packets_from_other_surroundings_only_warn_where_nothing_is_run(topic: RepoBuilder) -> None:
    (packet,) = stored_packets(topic)
    forget_base(topic)
    store(topic, packet._replace(interpreter="CPython 3.12.1"))
    propose(topic, {"core.py": SWITCHED_OFF})
    result = verified(topic, depth=LOOKUP)
    assert ("ALLOW", "", 0) == answer(result)
    assert [("E_TEST_SILENCED", "warn", TEST_FILE)] == told(result.findings)
    assert "other surroundings" in result.with_base.notes[0]


def test_without_a_packet_of_the_base_verify_says_so_and_goes_on(watched: Watched) -> None:
    forget_base(watched.repo)
    propose(watched.repo, {"core.py": SWITCHED_OFF})
    result = watched.verify()
    assert ("ALLOW", "REPRODUCED", 0) == answer(result)
    assert "there is no packet of it" in result.with_base.notes[0]
    assert 1 == watched.runs
    asked = watched.verify(runs_base=True)
    assert ("E_TEST_SILENCED", "REPRODUCED", 1) == answer(asked)
    assert 2 == watched.runs


def test_a_packet_that_kept_no_outcomes_is_said_to_say_nothing(topic: RepoBuilder) -> None:
    (packet,) = stored_packets(topic)
    forget_base(topic)
    store(topic, packet._replace(outcome_lines=()))
    propose(topic, {"core.py": SWITCHED_OFF})
    result = verified(topic, depth=LOOKUP)
    assert "ALLOW" == result.decision
    assert "kept no outcomes" in result.with_base.notes[0]


def test_a_root_commit_has_nothing_to_be_compared_with(repo: RepoBuilder) -> None:
    repo.commit({"core.py": CODE, TEST_FILE: TESTS}, "first")
    capture(repo)
    result = verified(repo, depth=LOOKUP)
    assert ("ALLOW", ("there is no base to compare with",)) == (result.decision, result.with_base.notes)


# Replay


def test_repaired_code_with_more_tests_is_green(watched: Watched) -> None:
    more = TESTS + "\n\ndef test_more():\n    assert 5 == core.total([5])\n"
    propose(watched.repo, {"core.py": CODE.replace("sum(rows)", "sum(list(rows))"), TEST_FILE: more}, by_agent=True)
    result = watched.verify(POLICY)
    assert ("ALLOW", "REPRODUCED", 0) == answer(result)
    assert (REPLAY_GREEN, 2) == (result.with_base.replay, watched.runs)


def test_tests_that_were_bent_to_the_code(watched: Watched) -> None:
    propose(watched.repo, {"core.py": OTHER_SUM, TEST_FILE: OTHER_EXPECTATION}, by_agent=True)
    result = watched.verify(POLICY)
    assert ("E_BASE_TESTS_FAIL", "REPRODUCED", 1) == answer(result)
    assert (REPLAY_RED, (SWITCH, TOTAL)) == (result.with_base.replay, result.with_base.failed)
    (finding,) = [one for one in result.findings if one.code == "E_BASE_TESTS_FAIL"]
    assert ("block", TEST_FILE) == (finding.severity, finding.path)
    assert TOTAL in finding.message
    assert SWITCH in finding.message
    assert 3 == watched.runs, "the base once more, to see whether the tests passed there"


def test_the_same_by_a_human_warns(watched: Watched) -> None:
    propose(watched.repo, {"core.py": OTHER_SUM, TEST_FILE: OTHER_EXPECTATION})
    result = watched.verify(RERUN)
    assert ("ALLOW", "REPRODUCED", 0) == answer(result)
    assert REPLAY_RED == result.with_base.replay
    assert ("E_BASE_TESTS_FAIL", "warn", TEST_FILE) in told(result.findings)


def test_the_policy_does_not_replay_a_human_s_work(watched: Watched) -> None:
    propose(watched.repo, {"core.py": OTHER_SUM, TEST_FILE: OTHER_EXPECTATION})
    assert ("ALLOW", "") == (watched.verify(POLICY).decision, watched.verify(POLICY).with_base.replay)
    asked = watched.verify(POLICY, replays_base=True)
    assert REPLAY_RED == asked.with_base.replay


def test_a_base_that_was_red_is_no_excuse_for_changing_its_test(watched: Watched) -> None:
    """Only the tests changed, so the base's run is the replay."""
    repo = watched.repo
    repo.git("checkout", "-q", "main")
    repo.commit({"core.py": OTHER_SUM}, "broken")
    repo.git("checkout", "-q", "-B", "topic")
    propose(repo, {TEST_FILE: OTHER_EXPECTATION}, by_agent=True)
    result = watched.verify(POLICY)
    assert ("E_BASE_TESTS_FAIL", (SWITCH, TOTAL)) == (result.decision, result.with_base.failed)
    assert 2 == watched.runs
    assert "red at the base too" in result.findings[-1].message


def test_where_only_code_changed_the_head_s_run_is_the_replay(watched: Watched) -> None:
    propose(watched.repo, {"core.py": CODE + "\n\nNEW = 1\n"}, by_agent=True)
    result = watched.verify(POLICY, replays_base=True)
    assert (REPLAY_GREEN, 1) == (result.with_base.replay, watched.runs)


def test_a_golden_file_that_was_bent_is_the_base_s(watched: Watched) -> None:
    repo = watched.repo
    golden = (
        "import json\nimport pathlib\n\nimport core\n\nGOLDEN = pathlib.Path(__file__).with_name('golden.json')\n\n\n"
        "def test_total():\n    assert json.loads(GOLDEN.read_text()) == core.total([1, 2])\n"
    )
    repo.git("checkout", "-q", "main")
    repo.commit({TEST_FILE: golden, "tests/golden.json": "3\n"}, "golden")
    repo.git("checkout", "-q", "-B", "topic")
    propose(repo, {"core.py": OTHER_SUM, "tests/golden.json": "4\n"}, by_agent=True)
    result = watched.verify(POLICY)
    assert ("E_BASE_TESTS_FAIL", (TOTAL,)) == (result.decision, result.with_base.failed)


def test_a_module_that_is_gone_names_the_tests_that_wanted_it(watched: Watched) -> None:
    moved = TESTS.replace("import core\n", "import kernel as core\n")
    watched.repo.git("mv", "core.py", "kernel.py")
    propose(watched.repo, {TEST_FILE: moved}, by_agent=True)
    result = watched.verify(POLICY)
    assert ("E_BASE_TESTS_FAIL", (SWITCH, TOTAL)) == (result.decision, result.with_base.failed)


def test_new_code_may_need_a_new_helper_of_the_test_side(watched: Watched) -> None:
    helper = "def add(rows):\n    return sum(rows)\n"
    code = "from testing.sums import add as total\n\nOFF = False\n"
    tests = TESTS + "\n\ndef test_more():\n    assert 5 == core.total([5])\n"
    files = {"core.py": code + "assert total\n", "testing/__init__.py": "", "testing/sums.py": helper, TEST_FILE: tests}
    propose(watched.repo, files, by_agent=True)
    result = watched.verify(POLICY)
    assert ("ALLOW", REPLAY_GREEN) == (result.decision, result.with_base.replay)


def test_a_test_file_of_an_odd_name_is_known_by_its_ids(watched: Watched) -> None:
    repo = watched.repo
    settings = "[pytest]\npython_files = check_*.py\n"
    repo.git("checkout", "-q", "main")
    repo.commit({"pytest.ini": settings, "check_core.py": TESTS, TEST_FILE: None}, "checks")
    capture(repo)
    repo.git("checkout", "-q", "-B", "topic")
    propose(repo, {"core.py": OTHER_SUM, "check_core.py": OTHER_EXPECTATION}, by_agent=True)
    result = watched.verify(POLICY)
    assert (REPLAY_RED, ()) == (result.with_base.replay, result.with_base.not_replayable)
    assert ("check_core.py::test_switch", "check_core.py::test_total") == result.with_base.failed


def test_examples_in_docstrings_are_replayed_in_place(watched: Watched) -> None:
    repo = watched.repo
    inline = '\n\ndef twice(x):\n    """Double.\n\n    >>> twice(2)\n    4\n    """\n    return 2 * x\n'
    repo.git("checkout", "-q", "main")
    repo.commit({"core.py": CODE + inline, "pytest.ini": "[pytest]\naddopts = --doctest-modules\n"}, "doctest")
    repo.git("checkout", "-q", "-B", "topic")
    propose(repo, {"core.py": CODE + inline.replace("4", "5").replace("2 * x", "2 * x + 1")}, by_agent=True)
    result = watched.verify(POLICY, replays_base=True)
    assert (REPLAY_RED, ("core.py::core.twice",)) == (result.with_base.replay, result.with_base.failed)
    assert () == result.with_base.not_replayable


def test_tests_beside_code_are_said_to_be_not_replayable(watched: Watched) -> None:
    repo = watched.repo
    inline = CODE + "\n\ndef test_inline():\n    assert 0 == total([])\n"
    repo.git("checkout", "-q", "main")
    repo.commit({"core.py": inline, "pytest.ini": "[pytest]\npython_files = *.py\n"}, "tests beside code")
    repo.git("checkout", "-q", "-B", "topic")
    propose(repo, {"core.py": inline + "    assert 1 == total([1])\n"}, by_agent=True)
    result = watched.verify(POLICY, replays_base=True)
    assert (REPLAY_GREEN, ("core.py",)) == (result.with_base.replay, result.with_base.not_replayable)


def test_the_command_line_says_all_of_it(topic: RepoBuilder) -> None:
    propose(topic, {"core.py": OTHER_SUM, TEST_FILE: OTHER_EXPECTATION}, by_agent=True)
    args = ("verify", "--python", topic.python, "--base-run", "--replay-base", "--record")
    done = agentgate(topic, *args)
    assert 1 == done.status
    assert done.stdout.startswith("E_BASE_TESTS_FAIL REPRODUCED HEAD")
    assert "base: REPLAY_RED" in done.stdout
    compared = agentgate(topic, *args, "--format", "json").json()["results"][0]["with_base"]
    assert (REPLAY_RED, [SWITCH, TOTAL], []) == (compared["replay"], compared["failed"], compared["not_replayable"])
    assert 1 == len(compared["notes"])
    shown = agentgate(topic, "show")
    assert "E_BASE_TESTS_FAIL" in shown.stdout


def test_in_report_mode_it_is_told_and_nothing_blocks(topic: RepoBuilder) -> None:
    topic.git("checkout", "-q", "main")
    topic.commit({".agentgate/policy.yaml": "version: 1\nmode: report\n"})
    capture(topic)
    topic.git("checkout", "-q", "-B", "topic")
    propose(topic, {"core.py": SWITCHED_OFF})
    result = verified(topic, depth=LOOKUP)
    assert ("ALLOW", [("E_TEST_SILENCED", "warn", TEST_FILE)]) == (result.decision, told(result.findings))


# Adoption


def test_each_named_test_is_adopted_by_a_human_or_the_finding_blocks(watched: Watched, tmp_path: Path) -> None:
    repo, keys = watched.repo, Keys(tmp_path / "keys")
    repo.git("checkout", "-q", "main")
    signers = {
        ".agentgate/policy.yaml": "version: 1\nmode: lenient\n",
        ".agentgate/allowed_signers": keys.line("human:pat", "pat"),
    }
    repo.commit({**signers, "core.py": CODE + "\n\nENROLLED = 1\n"}, "enrol")
    repo.git("checkout", "-q", "-B", "topic")
    propose(repo, {"core.py": OTHER_SUM, TEST_FILE: OTHER_EXPECTATION}, by_agent=True)
    refused = watched.verify(RERUN)
    assert "E_BASE_TESTS_FAIL" == refused.decision
    assert "adopt --request --test" in refused.next_step
    (blocking,) = [one for one in refused.findings if one.is_blocking()]
    assert (SWITCH, TOTAL) == blocking.tests
    adopt = ("adopt", "--key", str(keys.path("pat")))
    assert 0 == agentgate(repo, *adopt, "--test", TOTAL).status
    assert "E_BASE_TESTS_FAIL" == watched.verify(RERUN).decision, "one of two is not enough"
    assert 0 == agentgate(repo, *adopt, "--test", TOTAL, "--test", SWITCH).status
    allowed = watched.verify(RERUN)
    assert ("ALLOW", REPLAY_RED) == (allowed.decision, allowed.with_base.replay)
    assert ["adoptions"] == [line.kind for line in allowed.evidence if line.kind != "packets"]
    assert "adopted by human:pat" in allowed.findings[-1].message
