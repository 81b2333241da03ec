"""A tree of our own making stays out of the clone."""

from __future__ import annotations

import os
from pathlib import Path

from agentgate_git.repo.clean_room import CleanRoom
from agentgate_git.repo.materialise import list_tree, materialise
from agentgate_git.repo.overlay import write_tree
from agentgate_git.repo.process import Git
from agentgate_git.repo.stores import own_store
from testing.repo_builder import RepoBuilder


def objects_of(repo: RepoBuilder) -> set[str]:
    return {str(path) for path in (repo.path / ".git" / "objects").rglob("*") if path.is_file()}


def test_entries_of_two_trees_make_one(repo_of_each_hash: RepoBuilder, tmp_path: Path) -> None:
    repo = repo_of_each_hash
    repo.commit({"core.py": "old\n", "tests/test_a.py": "old\n", os.fsdecode(b"tests/\xff"): "odd\n"})
    base = repo.tree()
    repo.commit({"core.py": "new\n", "tests/test_a.py": "new\n"})
    before = objects_of(repo)
    clone = Git.in_repository(str(repo.path), repo.environment)
    with CleanRoom(clone, repo.environment) as room, own_store(room) as git:
        tests = (entry for entry in list_tree(room, base) if entry.path.startswith("tests/"))
        code = (entry for entry in list_tree(room, repo.tree()) if not entry.path.startswith("tests/"))
        tree = write_tree(git, (*code, *tests))
        directory = tmp_path / "out"
        directory.mkdir()
        materialise(git, tree, str(directory))
        store = git.environment["GIT_OBJECT_DIRECTORY"]
    assert ("new\n", "old\n") == ((directory / "core.py").read_text(), (directory / "tests/test_a.py").read_text())
    assert (directory / os.fsdecode(b"tests/\xff")).exists()
    assert before == objects_of(repo)
    assert not os.path.exists(store)


def test_the_same_entries_make_the_same_tree(repo: RepoBuilder) -> None:
    repo.commit({"core.py": "old\n", "tests/test_a.py": "old\n"})
    git = Git.in_repository(str(repo.path), repo.environment)
    with CleanRoom(git, repo.environment) as room, own_store(room) as store:
        assert repo.tree() == write_tree(store, list_tree(room, repo.tree()))
