"""What a server repository says about itself, and what a commit would bring to its target."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.flows.clone.server import real_ref, server_limits, server_target
from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.oid import empty_tree
from agentgate_git.model.received import Limits, Target
from testing.hooked_repo import git_of
from testing.proposals import opened
from testing.repo_builder import RepoBuilder

MAIN = "refs/heads/main"
TARGETS = {
    "HEAD": ((), MAIN),
    "HEAD by name": (("config", "agentgate.target", "HEAD"), MAIN),
    "a branch": (("config", "agentgate.target", "release/1"), "refs/heads/release/1"),
    "a branch in full": (("config", "agentgate.target", "refs/heads/release/1"), "refs/heads/release/1"),
    "a branch that stands for another": (("symbolic-ref", "refs/heads/release/1", MAIN), MAIN),
}


@pytest.mark.parametrize(("command", "ref"), TARGETS.values(), ids=TARGETS)
def test_the_target_is_a_branch(repo: RepoBuilder, command: tuple[str, ...], ref: str) -> None:
    commit = repo.commit({"a": "1"})
    repo.git("branch", "release/1")
    repo.git("tag", "main", repo.git("commit-tree", "-m", "other", repo.tree()))
    if command:
        repo.git(*command)
    assert Target(ref, commit) == server_target(git_of(repo))


def test_a_target_without_commits_is_named(repo: RepoBuilder) -> None:
    assert Target(MAIN) == server_target(git_of(repo))
    repo.git("config", "agentgate.target", "refs/tags/v1")
    assert Target("refs/heads/refs/tags/v1") == server_target(git_of(repo))


def test_a_head_that_names_no_branch_is_undecided(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    repo.git("checkout", "-q", "--detach")
    with pytest.raises(Undecided, match="names no branch"):
        server_target(git_of(repo))


def test_symbolic_refs_are_followed_to_their_end_whether_or_not_it_is_there(repo: RepoBuilder) -> None:
    repo.git("symbolic-ref", "refs/heads/a", "refs/heads/b")
    repo.git("symbolic-ref", "refs/heads/b", "refs/notes/agentgate/packets")
    assert ["refs/notes/agentgate/packets", "refs/heads/c"] == [
        real_ref(git_of(repo), ref) for ref in ("refs/heads/a", "refs/heads/c")
    ]


def test_limits_are_built_in_or_set(repo: RepoBuilder) -> None:
    assert Limits() == server_limits(git_of(repo))
    for key, value in (("maxRefs", "1"), ("maxCommits", "2"), ("maxNotes", "3"), ("maxSeconds", "4")):
        repo.git("config", f"agentgate.{key}", value)
    assert Limits(1, 2, 3, 4) == server_limits(git_of(repo))


@pytest.mark.parametrize("value", ["0", "-1", "1k", "1" * 10, "٣"])
def test_a_limit_that_is_no_number_is_refused(repo: RepoBuilder, value: str) -> None:
    repo.git("config", "agentgate.maxNotes", value)
    with pytest.raises(UsageFailure, match=r"agentgate\.maxNotes"):
        server_limits(git_of(repo))


def test_what_a_commit_brings_to_a_target(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    base = repo.commit({"a": "1"})
    repo.git("checkout", "-q", "-b", "topic")
    tip = repo.commit({"b": "1"})
    repo.git("checkout", "-q", "main")
    target = repo.commit({"c": "1"})
    orphan = repo.git("commit-tree", "-m", "other", repo.tree())
    with opened(repo) as workspace:
        related = workspace.proposals.of_commit(tip, target, MAIN)
        unrelated = workspace.proposals.of_commit(orphan, target, MAIN)
        first = workspace.proposals.of_commit(tip, "", MAIN)
        nothing = workspace.proposals.of_commit(base, target, MAIN)
    assert (base, [tip], MAIN) == (related.base, [one.oid for one in related.commits], related.target)
    assert ("", empty_tree(tip), [orphan]) == (
        unrelated.base,
        unrelated.base_tree,
        [one.oid for one in unrelated.commits],
    )
    assert ("", [base, tip], "") == (first.base, [one.oid for one in first.commits], first.target)
    assert () == nothing.commits


def test_a_history_that_is_cut_off_is_undecided(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    repo.commit({"a": "2"})
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", str(tmp_path / "shallow"))
    shallow = RepoBuilder(tmp_path / "shallow", repo.environment)
    with opened(shallow) as workspace, pytest.raises(Undecided, match="shallow boundary"):
        workspace.proposals.of_commit(shallow.git("rev-parse", "HEAD"), "", MAIN)
