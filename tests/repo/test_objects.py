"""Objects are read by id and never believed without being hashed."""

from __future__ import annotations

import os
import signal
import zlib

import pytest

from agentgate_git.model.failure import Undecided
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from testing.repo_builder import RepoBuilder


def objects_of(repo: RepoBuilder) -> Objects:
    return Objects(Git.in_repository(str(repo.path), repo.environment))


def test_objects_of_every_kind(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    commit = repo.commit({"a": "one\n"})
    with objects_of(repo) as objects:
        assert b"one\n" == objects.read(repo.git("rev-parse", "HEAD:a"), "blob")
        assert objects.read(commit, "commit").startswith(b"tree ")
        assert "tree" == objects.find("HEAD^{tree}").kind


@pytest.mark.parametrize("path", ["./a", "../a", "a/../a", "/a", "", "a\n", "b", "a/b", ".", ".."])
@pytest.mark.parametrize("is_bare", [False, True])
def test_a_path_that_no_tree_has_is_not_there_and_ends_nothing(repo: RepoBuilder, path: str, is_bare: bool) -> None:
    commit = repo.commit({"a": "one\n"})
    git = Git.in_repository(str(repo.path / ".git") if is_bare else str(repo.path), repo.environment)
    with Objects(git) as objects:
        assert objects.file_at(commit, path) is None
        assert b"one\n" == objects.file_at(commit, "a")


def test_a_git_that_is_gone_is_no_reader_of_ours_that_went_away(repo: RepoBuilder) -> None:
    commit = repo.commit({"a": "one\n"})
    with objects_of(repo) as objects:
        objects.read(commit)
        assert objects._process is not None
        os.kill(objects._process.pid, signal.SIGKILL)
        os.waitid(os.P_PID, objects._process.pid, os.WEXITED | os.WNOWAIT)
        with pytest.raises(Undecided, match="git ended before it was asked"):
            objects.read(commit)


def test_many_objects_are_streamed_in_order(repo: RepoBuilder) -> None:
    repo.commit({f"f{i}": f"{i}\n" * (i % 7 * 5000 + 1) for i in range(600)})
    listed = [line.split()[2] for line in repo.git("ls-tree", "-r", "HEAD").split("\n")]
    with objects_of(repo) as objects:
        assert listed == [found.oid for found in objects.read_many(listed)]


def test_what_is_asked_for_while_others_are_streamed(repo: RepoBuilder) -> None:
    repo.commit({f"f{i}": f"{i}\n" for i in range(300)})
    listed = [line.split()[2] for line in repo.git("ls-tree", "-r", "HEAD").split("\n")]
    with objects_of(repo) as objects:
        for oid, other, found in zip(listed, objects.read_many(listed[::-1]), objects.read_many(listed), strict=True):
            assert oid == found.oid
            assert other.oid != oid or b"".join(objects.blobs([oid])) == found.data
            assert found.data == objects.read(oid, "blob")


def test_a_missing_object_is_no_answer(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    with objects_of(repo) as objects:
        assert objects.find("HEAD:missing name") is None
        with pytest.raises(Undecided, match="is not in this repository"):
            objects.read("1" * 40)
        assert b"1" == objects.read(repo.git("rev-parse", "HEAD:a"))


def test_another_kind_is_refused(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    with objects_of(repo) as objects, pytest.raises(Undecided, match="is a tree, not a blob"):
        objects.read(repo.tree(), "blob")


def test_b62_a_replacement_is_not_read(repo: RepoBuilder) -> None:
    repo.commit({"a": "good\n"})
    good = repo.git("rev-parse", "HEAD:a")
    evil = repo.git("hash-object", "-w", "--stdin", stdin=b"evil\n")
    repo.git("replace", good, evil)
    with objects_of(repo) as objects:
        assert b"good\n" == objects.read(good)


def test_b62_a_tampered_object_is_refused(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    repo.commit({"a": "good\n"})
    good = repo.git("rev-parse", "HEAD:a")
    stored = repo.path / ".git" / "objects" / good[:2] / good[2:]
    stored.chmod(0o644)
    stored.write_bytes(zlib.compress(b"blob 5\0evil\n"))
    assert "evil" == repo.git("cat-file", "blob", good)
    with objects_of(repo) as objects, pytest.raises(Undecided, match="does not have the bytes its id says"):
        objects.read(good)


def test_b40_no_child_is_left_behind(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    oid = repo.git("rev-parse", "HEAD:a")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(15):
        with objects_of(repo) as objects:
            objects.read(oid)
    assert before == len(os.listdir("/proc/self/fd"))
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
