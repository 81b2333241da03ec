"""What merging two commits gives by itself, with nothing written into the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.repo.merge_tree import merge_trees
from agentgate_git.repo.stores import own_store
from testing.hooked_repo import git_of
from testing.repo_builder import RepoBuilder


@pytest.fixture
def sides(repo_of_each_hash: RepoBuilder) -> RepoBuilder:
    """`one` and `two` change different ends of a file; `three` changes the same line as `one`."""
    repo = repo_of_each_hash
    repo.commit({"a": "1\n2\n3\n4\n5\n6\n7\n8\n9\n"}, "first")
    for name, old, new in (("one", "1", "one"), ("two", "9", "two"), ("three", "1", "three")):
        repo.git("checkout", "-q", "-b", name, "main")
        repo.commit({"a": "1\n2\n3\n4\n5\n6\n7\n8\n9\n".replace(old, new)}, name)
    return repo


def objects_of(repo: RepoBuilder) -> set[Path]:
    return {path for path in (repo.path / ".git/objects").rglob("*") if path.is_file()}


def test_a_clean_merge_is_the_one_that_git_makes(sides: RepoBuilder) -> None:
    before = objects_of(sides)
    with own_store(git_of(sides)) as git:
        merged = merge_trees(git, sides.git("rev-parse", "one"), sides.git("rev-parse", "two"))
    assert before == objects_of(sides)
    sides.git("checkout", "-q", "one")
    sides.git("merge", "-q", "-m", "merge", "two")
    assert merged is not None
    assert (sides.tree(), frozenset()) == merged


def test_paths_that_are_left_to_somebody(sides: RepoBuilder) -> None:
    with own_store(git_of(sides)) as git:
        merged = merge_trees(git, sides.git("rev-parse", "one"), sides.git("rev-parse", "three"))
    assert merged is not None
    assert frozenset({"a"}) == merged.conflicts


def test_what_cannot_be_merged_is_none(sides: RepoBuilder) -> None:
    with own_store(git_of(sides)) as git:
        assert merge_trees(git, sides.git("rev-parse", "one"), sides.tree("one")) is None


def test_objects_beside_a_clone_whose_path_holds_a_colon(sides: RepoBuilder, tmp_path: Path) -> None:
    odd = tmp_path / 'a:b"c'
    sides.path.rename(odd)
    moved = RepoBuilder(odd, sides.environment)
    with own_store(git_of(moved)) as git:
        assert merge_trees(git, moved.git("rev-parse", "one"), moved.git("rev-parse", "two")) is not None
