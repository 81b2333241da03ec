"""The exit status says what is to be done, the same in every format: 0, 1, 2, 3, 4, 5."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.command_line import agentgate
from testing.proposals import SKIPPING, TEST_FILE, WORKFLOW, store_packet, with_topic
from testing.repo_builder import RepoBuilder

TEXT, JSON = (), ("--format", "json")


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"})
    return repo


def statuses(repo: RepoBuilder, *args: str) -> set[int]:
    """The status of both formats, and what the JSON says itself."""
    text, data = agentgate(repo, *args, *TEXT), agentgate(repo, *args, *JSON)
    return {text.status, data.status, *((data.json()["exit"],) if data.stdout else ())}


def test_0_nothing_stands_against_it(topic: RepoBuilder) -> None:
    store_packet(topic)
    for args in (("check",), ("check", "main..topic"), ("verify", "--depth", "lookup"), ("check", "--staged")):
        assert {0} == statuses(topic, *args), args


def test_1_rejected(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: SKIPPING})
    for args in (("check",), ("check", "main..topic"), ("verify",), ("verify", "main..topic")):
        assert {1} == statuses(topic, *args), args


def test_1_rejected_for_packets_of_failed_runs(topic: RepoBuilder) -> None:
    store_packet(topic, codes=("E_TESTS_FAILED",), failed=("t",))
    assert {1} == statuses(topic, "verify")


def test_2_usage_and_an_invalid_policy(topic: RepoBuilder) -> None:
    assert {2} == statuses(topic, "verify", "nowhere") == statuses(topic, "check", "nowhere")
    topic.git("checkout", "-q", "main")
    topic.commit({".agentgate/policy.yaml": "version: one\n"})
    topic.git("checkout", "-q", "-B", "topic")
    topic.commit({"core.py": "ONE = 3 - 2\n"})
    assert {2} == statuses(topic, "verify") == statuses(topic, "check") == statuses(topic, "check", "--staged")


def test_2_a_name_that_is_none_hides_no_answer(topic: RepoBuilder) -> None:
    store_packet(topic)
    for bad in ("nowhere", "nowhere..HEAD"):
        for revs in ((bad, "HEAD"), ("HEAD", bad)):
            done = agentgate(topic, "verify", "--depth", "lookup", "--format", "json", *revs)
            answer = done.json()
            assert (2, 2, ["HEAD"]) == (done.status, answer["exit"], [row["rev"] for row in answer["results"]])
            assert done.stderr.startswith("git agentgate: 'nowhere' names no commit here: check the spelling")
    topic.commit({TEST_FILE: SKIPPING})
    assert {1} == statuses(topic, "verify", "HEAD", "nowhere")


@pytest.mark.parametrize("ref", ["refs/notes/agentgate/packets", "refs/agentgate/remote/origin/packets"])
def test_3_a_notes_ref_to_a_commit_that_is_gone(topic: RepoBuilder, tmp_path: Path, ref: str) -> None:
    """As a copied .git without all of its objects has it."""
    topic.git("clone", "-q", "--bare", str(topic.path), str(tmp_path / "origin.git"))
    topic.git("remote", "add", "origin", str(tmp_path / "origin.git"))
    path = topic.path / ".git" / ref
    path.parent.mkdir(parents=True)
    path.write_text("1" * 40 + "\n")
    done = agentgate(topic, "sync")
    assert (3, "", 1) == (done.status, done.stdout, done.stderr.count("\n"))
    if "notes" in ref:
        assert {3} == statuses(topic, "verify") == {agentgate(topic, "show").status}


def test_3_undecided(topic: RepoBuilder, tmp_path: Path) -> None:
    topic.git("clone", "-q", "--depth=1", f"file://{topic.path}", str(tmp_path / "shallow"))
    shallow = RepoBuilder(tmp_path / "shallow", topic.environment)
    assert {3} == statuses(shallow, "verify") == statuses(shallow, "check")


def test_4_no_evidence_yet(topic: RepoBuilder) -> None:
    assert {4} == statuses(topic, "verify")
    assert 4 == agentgate(topic, "show").status
    assert 0 == agentgate(topic, "log").status


def test_5_stale(topic: RepoBuilder) -> None:
    store_packet(topic)
    topic.commit({"core.py": "ONE = 3 - 2\n"})
    assert {5} == statuses(topic, "verify", "--depth", "lookup")


def test_a_warning_is_no_reject(topic: RepoBuilder) -> None:
    topic.commit({"tests/test_new.py": SKIPPING.replace("test_one", "test_new")})
    done = agentgate(topic, "check")
    assert (0, True) == (done.status, "E_SKIP_MARKER warn" in done.stdout)


def test_the_hook_answers_as_check_does(topic: RepoBuilder) -> None:
    topic.write({TEST_FILE: SKIPPING, WORKFLOW: "on: never\n"})
    topic.git("add", "-A")
    check, hook = agentgate(topic, "check", "--staged"), agentgate(topic, "hook", "pre-commit")
    assert (1, 1, "") == (check.status, hook.status, hook.stdout)
    assert "E_SKIP_MARKER block" in check.stdout
    assert "E_SKIP_MARKER block" in hook.stderr


def test_a_range_that_is_cut_off_hides_no_other_answer(topic: RepoBuilder, tmp_path: Path) -> None:
    for number in range(3):
        topic.commit({"note.txt": f"{number}\n"})
    topic.git("clone", "-q", "--depth=2", f"file://{topic.path}", str(tmp_path / "cut"))
    cut = RepoBuilder(tmp_path / "cut", topic.environment)
    other = cut.git("commit-tree", "-m", "other", cut.tree())
    done = agentgate(cut, "verify", f"{other}..HEAD", "HEAD", "--base", "HEAD~1", "--depth", "lookup")
    assert (3, True) == (done.status, done.stdout.startswith("E_NO_EVIDENCE HEAD"))
    assert "beyond the shallow boundary: run `git fetch --unshallow`" in done.stderr
