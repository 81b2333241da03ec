"""Names to ids; a bad name is one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.model.failure import GitFailure, UsageFailure
from agentgate_git.repo.process import Git
from agentgate_git.repo.refs import (
    common_dir,
    git_dir,
    read_ref,
    resolve_commit,
    resolve_tree,
    symbolic_target,
    top_level,
    update_ref,
)
from testing.repo_builder import RepoBuilder, hermetic_environment


def git_in(repo: RepoBuilder, directory: Path | None = None) -> Git:
    return Git.in_repository(str(directory or repo.path), repo.environment)


def test_names_become_ids(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    oid = repo.commit({"a": "1"})
    repo.git("tag", "-a", "-m", "t", "v1")
    git = git_in(repo)
    assert [oid] * 4 == [resolve_commit(git, rev) for rev in ("HEAD", "main", "v1", oid[:8])]
    assert repo.tree() == resolve_tree(git, "v1")


@pytest.mark.parametrize("rev", ["--output=pwn", "-h", "", "a\nb", "no-such", "HEAD:a", "HEAD~9", "main..main"])
def test_b42_a_name_that_is_no_commit(repo: RepoBuilder, rev: str) -> None:
    repo.commit({"a": "1"})
    with pytest.raises(UsageFailure):
        resolve_commit(git_in(repo), rev)
    assert not (repo.path / "pwn").exists()


@pytest.mark.parametrize("name", ["main", "origin/main"])
def test_a_tag_does_not_pass_for_a_branch(repo: RepoBuilder, name: str) -> None:
    first, second = repo.commit({"a": "1"}), repo.commit({"a": "2"})
    repo.git("update-ref", "refs/remotes/origin/main", first)
    assert resolve_commit(git_in(repo), name)
    repo.git("config", "core.warnAmbiguousRefs", "false")
    repo.git("tag", name, second)
    with pytest.raises(UsageFailure, match="names more than one thing"):
        resolve_commit(git_in(repo), name)
    assert first == resolve_commit(git_in(repo), "refs/remotes/origin/main")


def test_a_tag_named_head_is_not_head(repo: RepoBuilder) -> None:
    first, second = repo.commit({"a": "1"}), repo.commit({"a": "2"})
    repo.git("update-ref", "refs/tags/HEAD", first)
    assert second == resolve_commit(git_in(repo), "HEAD")


def test_an_unborn_branch_is_said_so(repo: RepoBuilder) -> None:
    with pytest.raises(UsageFailure, match="no commit yet"):
        resolve_commit(git_in(repo), "HEAD")


def test_not_a_repository_is_said_so(tmp_path: Path, home: Path) -> None:
    git = Git.in_repository(str(tmp_path), hermetic_environment(home))
    with pytest.raises(UsageFailure, match="not in a git repository"):
        git_dir(git)


def test_a_broken_configuration_is_not_taken_for_no_repository(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    (repo.path / ".git" / "config").write_text("[core\n")
    with pytest.raises(GitFailure, match="bad config line 1"):
        git_dir(git_in(repo))


def test_compare_and_swap(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    one, two = repo.commit({"a": "1"}), repo.commit({"a": "2"})
    git, ref = git_in(repo), "refs/notes/agentgate/packets"
    assert update_ref(git, ref, one, "0" * len(one), "first")
    assert not update_ref(git, ref, two, "0" * len(one), "lost")
    assert update_ref(git, ref, two, one, "second")
    assert two == read_ref(git, ref)
    assert read_ref(git, "refs/notes/agentgate/seals") is None


def test_x01_a_symbolic_ref_is_seen(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    repo.git("symbolic-ref", "refs/notes/agentgate/packets", "refs/heads/main")
    assert "refs/heads/main" == symbolic_target(git_in(repo), "refs/notes/agentgate/packets")
    assert symbolic_target(git_in(repo), "refs/heads/main") is None


def test_directories_of_a_linked_work_tree(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.commit({"sub/a": "1"})
    repo.git("worktree", "add", "-q", str(tmp_path / "wt"), "-b", "w")
    git = git_in(repo, tmp_path / "wt" / "sub")
    assert str(tmp_path / "wt") == top_level(git)
    assert str(repo.path / ".git" / "worktrees" / "wt") == git_dir(git)
    assert str(repo.path / ".git") == common_dir(git)


def test_a_bare_repository_has_no_work_tree(tmp_path: Path, home: Path) -> None:
    bare = RepoBuilder.create(tmp_path / "bare.git", home, bare=True)
    with pytest.raises(UsageFailure, match="no work tree"):
        top_level(git_in(bare))
