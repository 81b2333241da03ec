"""The index as a tree, whoever else works on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.model.failure import Undecided
from agentgate_git.repo.index import freeze
from agentgate_git.repo.process import Git
from testing.repo_builder import RepoBuilder


def staged(tmp_path: Path) -> tuple[RepoBuilder, Git]:
    repo = RepoBuilder.create(tmp_path / "repo", tmp_path / "home")
    repo.commit({"a.txt": "1\n"})
    repo.write({"a.txt": "2\n", "b.txt": "3\n"})
    repo.git("add", "-A")
    return repo, Git.in_repository(str(repo.path), repo.environment)


def test_what_is_staged_becomes_a_tree(tmp_path: Path) -> None:
    repo, git = staged(tmp_path)
    tree = freeze(git)
    assert repo.git("ls-tree", "--name-only", tree).split() == ["a.txt", "b.txt"]
    assert repo.git("show", f"{tree}:a.txt") == "2"


def test_b04_a_lock_that_another_git_holds_is_not_waited_for(tmp_path: Path) -> None:
    repo, git = staged(tmp_path)
    expected = freeze(git)
    (repo.path / ".git/index.lock").touch()
    assert expected == freeze(git)
    assert [] == [path.name for path in (repo.path / ".git").glob("index.agentgate-*")]


def test_paths_that_are_not_merged_are_told(tmp_path: Path) -> None:
    repo, git = staged(tmp_path)
    repo.git("commit", "-qm", "ours")
    repo.git("checkout", "-q", "-b", "other", "HEAD~1")
    repo.commit({"a.txt": "other\n"})
    repo.git("merge", "-q", "@{-1}", check=False)
    with pytest.raises(Undecided, match="unmerged"):
        freeze(git)
