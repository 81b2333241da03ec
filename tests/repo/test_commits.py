"""Commits are read raw, and histories are walked without the clone's opinion of them."""

from __future__ import annotations

import pytest

from agentgate_git.model.commit import Ident
from agentgate_git.model.failure import Undecided
from agentgate_git.repo.commits import (
    commits_between,
    first_parents,
    is_ancestor,
    merge_base,
    parse_commit,
    read_commit,
)
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from testing.repo_builder import RepoBuilder


def git_in(repo: RepoBuilder) -> Git:
    return Git.in_repository(str(repo.path), repo.environment)


def test_a_commit_as_recorded(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    parent = repo.commit({"a": "1"})
    oid = repo.commit({"a": "2"}, "subject\n\nbody\n")
    with Objects(git_in(repo)) as objects:
        commit = read_commit(objects, oid)
    assert (repo.tree(), (parent,)) == (commit.tree, commit.parents)
    assert Ident("Pat Example", "pat@example.org", 1767225600) == commit.author
    assert "subject\n\nbody\n" == commit.message


def test_a_message_in_its_own_encoding(repo: RepoBuilder) -> None:
    repo.git("config", "i18n.commitEncoding", "ISO-8859-1")
    repo.write({"message": "Sm\xf8rrebr\xf8d".encode("latin-1"), "a": "1"})
    repo.git("add", "-A")
    repo.git("commit", "-q", "-F", "message")
    with Objects(git_in(repo)) as objects:
        assert "Smørrebrød\n" == read_commit(objects, repo.git("rev-parse", "HEAD")).message


def test_a_mailmap_renames_nobody(repo: RepoBuilder) -> None:
    oid = repo.commit(
        {".mailmap": "Sam Example <sam@example.org> <noreply@anthropic.com>\n"},
        GIT_AUTHOR_EMAIL="noreply@anthropic.com",
    )
    repo.git("config", "log.mailmap", "true")
    with Objects(git_in(repo)) as objects:
        assert "noreply@anthropic.com" == read_commit(objects, oid).author.email


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"tree x\nauthor a <b> 1 +0000\ncommitter a <b> 1 +0000\n\nm",
        b"tree " + b"1" * 40 + b"\nauthor a <b> 1 +0000\n\nm",
        b"tree " + b"1" * 40 + b"\nparent zz\nauthor a <b> 1 +0\ncommitter a <b> 1 +0\n\n",
    ],
    ids=["empty", "tree-not-hex", "no-committer", "parent-not-hex"],
)
def test_a_malformed_commit_is_not_guessed_at(data: bytes) -> None:
    with pytest.raises(Undecided):
        parse_commit("1" * 40, data)


@pytest.mark.parametrize("encoding", [b"punycode", b"undefined", b"no-such", b"rot13"])
def test_an_encoding_that_reads_no_bytes_is_not_believed(encoding: bytes) -> None:
    data = b"tree %b\nauthor a <b> %b +0\ncommitter a <b> 1 +0\nencoding %b\n\n\xffmessage\n"
    data %= (
        b"1" * 40,
        b"9" * 5000,
        encoding,
    )
    commit = parse_commit("2" * 40, data)
    assert ("\udcffmessage\n", 0) == (commit.message, commit.author.when)


def test_ranges_and_bases(repo: RepoBuilder) -> None:
    root = repo.commit({"a": "1"})
    main = repo.commit({"b": "1"})
    repo.git("checkout", "-q", "-b", "side", root)
    side = repo.commit({"c": "1"})
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "main")
    tip = repo.git("rev-parse", "HEAD")
    git = git_in(repo)
    with Objects(git) as objects:
        assert (side, tip) == tuple(c.oid for c in commits_between(git, objects, main, tip))
        assert {root, main, side, tip} == {c.oid for c in commits_between(git, objects, "", tip)}
        assert (tip, side, root) == tuple(c.oid for c in first_parents(git, objects, tip, 10))
    assert root == merge_base(git, main, side)
    assert is_ancestor(git, main, tip)
    assert not is_ancestor(git, tip, main)


def test_histories_that_share_nothing(repo: RepoBuilder) -> None:
    one = repo.commit({"a": "1"})
    repo.git("checkout", "-q", "--orphan", "other")
    other = repo.commit({"b": "1"})
    assert merge_base(git_in(repo), one, other) is None
