"""Many pairs of trees through one git, and commits in an order that a reader can follow."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import empty_tree
from agentgate_git.repo.diff import tree_changes
from agentgate_git.repo.history import TreeDiff, list_history
from agentgate_git.repo.process import Git
from testing.repo_builder import RepoBuilder


@pytest.fixture
def git(repo: RepoBuilder) -> Git:
    return Git.in_repository(str(repo.path), repo.environment)


@pytest.fixture
def diff(git: Git) -> Iterator[TreeDiff]:
    with TreeDiff(git) as diff:
        yield diff


def test_the_rows_of_many_pairs_are_those_of_one(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    trees = []
    for number in range(4):
        repo.commit({"a.py": f"{number}\n", f"folder/{number}.py": "x\n"})
        trees.append(repo.tree())
    git = Git.in_repository(str(repo.path), repo.environment)
    pairs = [(old, new) for old in (empty_tree(trees[0]), *trees) for new in trees]
    with TreeDiff(git) as diff:
        assert [tuple(tree_changes(git, *pair)) for pair in pairs] == [diff.rows(*pair) for pair in pairs]


@pytest.mark.parametrize("name", [".\n", "x\n.\n", "\n.\n", "a\n.\n.\n", ":100644\n", "bad\udce5", " x "])
def test_b35_a_name_that_looks_like_the_end_ends_nothing(repo: RepoBuilder, diff: TreeDiff, name: str) -> None:
    os.makedirs(repo.path / "d")
    for path in (repo.path / name, repo.path / "d" / name):
        path.write_bytes(b"x")
    repo.commit()
    nothing = empty_tree(repo.tree())
    assert sorted([name, f"d/{name}"]) == sorted(row.path for row in diff.rows(nothing, repo.tree()))
    assert ["D", "D"] == [row.status for row in diff.rows(repo.tree(), nothing)]


def test_more_rows_than_a_pipe_holds(repo: RepoBuilder, diff: TreeDiff) -> None:
    repo.commit({f"folder{number % 7}/{'long' * 20}{number}.\n": "x" for number in range(1500)})
    nothing = empty_tree(repo.tree())
    assert [1500, 0, 1500] == [
        len(diff.rows(*pair)) for pair in ((nothing, repo.tree()), (nothing, nothing), (repo.tree(), nothing))
    ]


def test_a_tree_that_is_not_there(repo: RepoBuilder, diff: TreeDiff) -> None:
    repo.commit({"a.py": "1\n"})
    with pytest.raises(Undecided, match="cannot compare"):
        diff.rows(repo.tree(), "0" * 39 + "1")
    with pytest.raises(Undecided, match="cannot compare"):
        diff.rows(repo.tree(), repo.git("rev-parse", "HEAD:a.py"))
    assert ["a.py"] == [row.path for row in diff.rows(empty_tree(repo.tree()), repo.tree())], "it goes on"


def test_a_folder_that_is_not_there_ends_it(repo: RepoBuilder, diff: TreeDiff) -> None:
    repo.commit({"folder/a.py": "1\n"})
    folder = repo.git("rev-parse", "HEAD:folder")
    (repo.path / ".git/objects" / folder[:2] / folder[2:]).unlink()
    for _ in range(2):
        with pytest.raises(Undecided, match="ended before it answered"):
            diff.rows(empty_tree(repo.tree()), repo.tree())


def test_a_history_lists_parents_first(repo: RepoBuilder, git: Git) -> None:
    first = repo.commit(message="first")
    repo.git("checkout", "-q", "-b", "topic")
    second = repo.commit(message="second")
    repo.git("checkout", "-q", "main")
    third = repo.commit(message="third")
    repo.git("merge", "-q", "--no-ff", "topic", "-m", "merge")
    merge = repo.git("rev-parse", "HEAD")
    whole = list(list_history(git, merge))
    assert (first, merge, {second, third}) == (whole[0], whole[-1], set(whole[1:-1]))
    assert [third, merge] == list(list_history(git, merge, second))
    assert [] == list(list_history(git, first, merge))


def test_a_history_with_a_hole(repo: RepoBuilder, git: Git) -> None:
    first = repo.commit()
    last = repo.commit()
    (repo.path / ".git/objects" / first[:2] / first[2:]).unlink()
    with pytest.raises(Undecided, match="rev-list"):
        list(list_history(git, last))


def test_so_many_pairs_that_another_git_takes_over(repo: RepoBuilder, diff: TreeDiff) -> None:
    repo.commit({"a.py": "1\n"})
    one, nothing = repo.tree(), empty_tree(repo.tree())
    assert {"a.py"} == {
        row.path for _ in range(2600) for pair in ((nothing, one), (one, nothing)) for row in diff.rows(*pair)
    }
