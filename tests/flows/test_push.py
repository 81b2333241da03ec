"""What a push would publish: which commits, against which base, and what is none of our business."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.flows.push import PushedRef, check_push, outgoing_branches, read_pushed_refs
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.verdict import CheckResult
from testing.hooked_repo import by_agent, with_remote
from testing.proposals import SKIPPING, TEST_FILE, WORKFLOW, opened, told, with_topic
from testing.repo_builder import RepoBuilder

ZERO = "0" * 40
ONE = "1" * 40


@pytest.fixture
def shared(repo: RepoBuilder) -> RepoBuilder:
    """`main` is on the remote; `topic` is checked out and not there yet."""
    with_topic(repo)
    with_remote(repo)
    repo.git("push", "-q", "origin", "main")
    return repo


def pushed(repo: RepoBuilder, ref: str = "topic", known: str = ZERO, remote: str = "origin") -> CheckResult:
    """What a push of a branch to the same name finds."""
    name = f"refs/heads/{ref}"
    with opened(repo, is_clean=False) as workspace:
        return check_push(workspace, PushedRef(name, repo.git("rev-parse", ref), name, known), remote)


# git's list


def test_the_list_of_git() -> None:
    row = f"refs/heads/a {ONE} refs/heads/b {ZERO}\n".encode()
    deletion = f"(delete) {ZERO} refs/heads/c {ONE}\n".encode()
    assert () == read_pushed_refs(b"")
    assert (
        PushedRef("refs/heads/a", ONE, "refs/heads/b", ZERO),
        PushedRef("(delete)", ZERO, "refs/heads/c", ONE),
    ) == read_pushed_refs(row + deletion)


@pytest.mark.parametrize(
    "listed",
    [b"a", b"a b c d\n", f"refs/heads/a {ONE} refs/heads/b\n".encode(), f"a {ONE} b {ZERO} c\n".encode(), b"\xff\n"],
)
def test_a_list_that_git_would_not_write(listed: bytes) -> None:
    with pytest.raises(UsageFailure, match="no line of a push"):
        read_pushed_refs(listed)


def test_a_ref_whose_name_is_no_utf8_is_a_ref() -> None:
    (ref,) = read_pushed_refs(b"refs/heads/\xe5 %s refs/heads/\xe5 %s\n" % (ONE.encode(), ZERO.encode()))
    assert "refs/heads/\udce5" == ref.local_ref


# What goes out


def test_nothing_new_is_nothing(shared: RepoBuilder) -> None:
    assert ((), (), 0) == pushed(shared)[:3]


def test_only_what_the_remote_lacks_is_judged(shared: RepoBuilder) -> None:
    shared.commit_as_agent({WORKFLOW: "on: never\n"})
    there = shared.git("rev-parse", "HEAD")
    shared.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    assert [(told(pushed(shared).findings))] == [[("E_GUARDED_PATH", "block", WORKFLOW)]]
    assert ((), 0) == (pushed(shared, known=there).findings, pushed(shared, known=there).exit_status)
    shared.git("update-ref", "refs/remotes/origin/topic", there)
    assert 0 == pushed(shared).exit_status
    assert 1 == pushed(shared, remote="elsewhere").exit_status


def test_all_commits_and_the_whole_range_are_judged(shared: RepoBuilder) -> None:
    shared.commit({TEST_FILE: SKIPPING})
    first = shared.commit_as_agent({WORKFLOW: "on: never\n"})
    shared.commit_as_agent({WORKFLOW: "on: push\n"})
    result = pushed(shared)
    assert 1 == result.exit_status
    assert ["E_GUARDED_PATH", "E_GUARDED_PATH", "E_SKIP_MARKER"] == [finding.code for finding in result.findings]
    assert first == result.findings[0].commit


def test_a_merge_of_what_the_remote_has_brings_nothing_of_the_agent(shared: RepoBuilder) -> None:
    shared.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    shared.git("checkout", "-q", "main")
    shared.commit({WORKFLOW: "on: pull_request\n", TEST_FILE: SKIPPING})
    shared.git("push", "-q", "origin", "main")
    shared.git("checkout", "-q", "topic")
    by_agent(shared).git("merge", "-q", "--no-ff", "-m", "merge", "main")
    assert ((), 0) == (pushed(shared).findings, pushed(shared).exit_status)


def test_a_remote_that_was_never_fetched_gets_everything(shared: RepoBuilder) -> None:
    shared.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    result = pushed(shared, remote="https://example.org/other.git")
    assert 2 == len(result.commits)


def test_a_remote_id_that_is_not_here_is_no_excuse(shared: RepoBuilder) -> None:
    """A forced push over commits that were never fetched: all that our tracking refs do not show goes out."""
    shared.commit_as_agent({WORKFLOW: "on: never\n"})
    assert 1 == pushed(shared, known=ONE).exit_status


def test_a_remote_whose_name_is_a_pattern_matches_itself_only(shared: RepoBuilder) -> None:
    commit = shared.commit_as_agent({WORKFLOW: "on: never\n"})
    shared.git("update-ref", "refs/remotes/origin/topic", commit)
    assert 0 == pushed(shared).exit_status
    assert 1 == pushed(shared, remote="ori*").exit_status
    assert 1 == pushed(shared, remote="").exit_status


def test_x01_what_is_no_commit_and_what_is_deleted_brings_nothing(shared: RepoBuilder) -> None:
    shared.commit_as_agent({WORKFLOW: "on: never\n"})
    blob = shared.git("rev-parse", f"HEAD:{WORKFLOW}")
    tip = shared.git("rev-parse", "HEAD")
    with opened(shared, is_clean=False) as workspace:
        for ref in (
            PushedRef("(delete)", ZERO, "refs/heads/topic", tip),
            PushedRef("(delete)", "0" * 64, "refs/heads/topic", tip),
            PushedRef("refs/tags/blob", blob, "refs/tags/blob", ZERO),
            PushedRef("refs/notes/agentgate/packets", tip, "refs/notes/agentgate/packets", ZERO),
        ):
            assert ((), 0) == (check_push(workspace, ref, "origin").findings, 0), ref


def test_an_annotated_tag_brings_its_commits(shared: RepoBuilder) -> None:
    shared.commit_as_agent({WORKFLOW: "on: never\n"})
    shared.git("tag", "-a", "-m", "one", "v1")
    name = "refs/tags/v1"
    with opened(shared, is_clean=False) as workspace:
        result = check_push(workspace, PushedRef(name, shared.git("rev-parse", "v1"), name, ZERO), "origin")
    assert [("E_GUARDED_PATH", "block", WORKFLOW)] == told(result.findings)


def test_an_orphan_branch_is_judged_from_nothing(shared: RepoBuilder) -> None:
    shared.git("checkout", "-q", "--orphan", "alone")
    by_agent(shared).git("commit", "-q", "-m", "alone")
    assert [("E_GUARDED_PATH", "block", WORKFLOW)] == told(pushed(shared, "alone").findings)


def test_the_policy_is_that_of_what_the_remote_has(shared: RepoBuilder) -> None:
    shared.git("checkout", "-q", "main")
    shared.commit({".agentgate/policy.yaml": "version: 1\nguarded: [core.py]\n"})
    shared.git("push", "-q", "origin", "main")
    shared.git("checkout", "-q", "-B", "topic")
    shared.commit({".agentgate/policy.yaml": "version: 1\nmode: report\n"})
    shared.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    assert "core.py" in {finding.path for finding in pushed(shared).findings if finding.is_blocking()}


# Branches that nobody handed over


def test_every_branch_and_what_was_handed_over(shared: RepoBuilder) -> None:
    shared.git("tag", "-a", "-m", "one", "v1")
    with opened(shared, is_clean=False) as workspace:
        names = [ref.local_ref for ref in outgoing_branches(workspace, "refs/tags/v1")]
        assert ["refs/tags/v1", "refs/heads/main", "refs/heads/topic"] == names
        assert names[1:] == [ref.local_ref for ref in outgoing_branches(workspace, "refs/heads/main")]
        assert names[1:] == [ref.local_ref for ref in outgoing_branches(workspace, "")]


def test_a_linked_work_tree_pushes_the_same_branches(shared: RepoBuilder, tmp_path: Path) -> None:
    shared.commit_as_agent({WORKFLOW: "on: never\n"})
    shared.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "main")
    linked = RepoBuilder(tmp_path / "linked", shared.environment)
    assert 1 == pushed(linked).exit_status


def test_a_merge_of_several_branches_that_the_remote_has_brings_nothing_of_theirs(shared: RepoBuilder) -> None:
    """An octopus over an old branch of the remote and its main: neither is measured against the other."""
    shared.git("checkout", "-q", "-b", "old", "main")
    shared.commit({"old.py": "X = 1\n"})
    shared.git("checkout", "-q", "-b", "side", "main")
    shared.commit({"tests/test_side.py": SKIPPING.replace("skip", "xfail")})
    shared.git("checkout", "-q", "main")
    shared.commit({WORKFLOW: "on: pull_request\n", TEST_FILE: SKIPPING})
    shared.git("push", "-q", "origin", "main", "old", "side")
    shared.git("checkout", "-q", "topic")
    shared.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    for order in (("main", "old", "side"), ("side", "old", "main")):
        shared.git("checkout", "-q", "-B", "joined", "topic")
        by_agent(shared).git("merge", "-q", "--no-ff", "-m", "merge", *order)
        assert ((), 0) == (pushed(shared, "joined").findings, pushed(shared, "joined").exit_status), order


def test_b58_an_octopus_that_writes_itself_is_seen_in_a_push(shared: RepoBuilder) -> None:
    for name in ("old", "side"):
        shared.git("checkout", "-q", "-b", name, "main")
        shared.commit({f"{name}.py": "X = 1\n"})
    shared.git("push", "-q", "origin", "old", "side")
    shared.git("checkout", "-q", "topic")
    shared.git("merge", "-q", "--no-ff", "--no-commit", "old", "side")
    shared.commit({TEST_FILE: SKIPPING})
    assert [("E_SKIP_MARKER", "block", TEST_FILE)] == told(pushed(shared).findings)
