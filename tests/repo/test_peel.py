"""What stands behind tags."""

from __future__ import annotations

import pytest

from agentgate_git.model.failure import Undecided
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.peel import MAX_TAGS, peel_to_commit
from agentgate_git.repo.process import Git
from testing.repo_builder import RepoBuilder


def peeled(repo: RepoBuilder, rev: str) -> str | None:
    return peeled_id(repo, repo.git("rev-parse", rev))


def peeled_id(repo: RepoBuilder, oid: str) -> str | None:
    with Objects(Git.in_repository(str(repo.path), repo.environment)) as objects:
        return peel_to_commit(objects, oid)


def test_a_commit_behind_any_tags(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    commit = repo.commit({"a": "1"})
    repo.git("tag", "-a", "-m", "x", "one")
    repo.git("tag", "-a", "-m", "x", "two", "one")
    assert [commit] * 3 == [peeled(repo, rev) for rev in ("HEAD", "one", "two")]


def test_no_commit_behind_it(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    repo.git("tag", "-a", "-m", "x", "tree", "HEAD^{tree}")
    repo.git("tag", "-a", "-m", "x", "blob", "HEAD:a")
    assert [None] * 3 == [peeled(repo, rev) for rev in ("tree", "blob", "HEAD:a")]


def test_what_ends_nowhere_is_undecided(repo: RepoBuilder) -> None:
    oid = repo.commit({"a": "1"})
    for number in range(MAX_TAGS):
        text = f"object {oid}\ntype {'tag' if number else 'commit'}\ntag x\ntagger x <x@x> 0 +0000\n\nx\n"
        oid = repo.git("hash-object", "-t", "tag", "-w", "--stdin", stdin=text.encode())
    with pytest.raises(Undecided, match="stand one on the other"):
        peeled_id(repo, oid)
    bad = repo.git("hash-object", "-t", "tag", "-w", "--stdin", "--literally", stdin=b"object nowhere\n")
    with pytest.raises(Undecided, match="names no object"):
        peeled_id(repo, bad)
    with pytest.raises(Undecided, match="is not here"):
        peeled_id(repo, "1" * 40)
