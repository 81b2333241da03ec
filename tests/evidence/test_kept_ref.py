"""A kept ref that is broken counts as absent, and the next write puts a whole one in its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agentgate_git.evidence.kept_ref import broken_kept_refs, remove_garbage
from agentgate_git.repo.process import Git
from testing.records import open_ledger, some_entries, some_key, some_line, stored_lines
from testing.repo_builder import RepoBuilder

PACKETS = "refs/notes/agentgate/packets"
KEPT = "refs/agentgate/kept/packets"
KEY = some_key(0)

Break = Callable[[RepoBuilder], str]
WAYS: dict[str, Break] = {
    "an id of nothing": lambda _: "1" * 40 + "\n",
    "a blob": lambda repo: repo.git("hash-object", "-w", "--stdin", stdin=b"x") + "\n",
    "words": lambda _: "garbage\n",
    "half an id": lambda _: "1234567",
    "an empty file": lambda _: "",
    "the id of no object": lambda _: "0" * 40 + "\n",
    "a branch that is not there": lambda _: "ref: refs/heads/nowhere\n",
    "a branch": lambda _: "ref: refs/heads/main\n",
}


@pytest.fixture(params=[*WAYS.values()], ids=[*WAYS])
def broken(repo: RepoBuilder, request: pytest.FixtureRequest) -> RepoBuilder:
    """A repository with one record, whose kept ref somebody broke."""
    repo.commit({"a": "1"})
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
    (repo.path / ".git" / KEPT).write_text(request.param(repo))
    return repo


def test_a_broken_kept_ref_counts_as_absent_when_reading(broken: RepoBuilder) -> None:
    assert {KEY: {some_line(1)}} == stored_lines(broken)


def test_a_broken_kept_ref_is_replaced_by_the_next_write(broken: RepoBuilder) -> None:
    main = broken.git("rev-parse", "main")
    with open_ledger(broken) as ledger:
        assert 1 == ledger.append("packets", some_entries(KEY, 2)).written
    assert {KEY: {some_line(1), some_line(2)}} == stored_lines(broken)
    assert broken.git("rev-parse", PACKETS) == broken.git("rev-parse", KEPT)
    assert main == broken.git("rev-parse", "main")


def test_a_broken_kept_ref_is_named(broken: RepoBuilder) -> None:
    git = Git.in_repository(str(broken.path), broken.environment)
    assert (KEPT,) == broken_kept_refs(git)
    with open_ledger(broken) as ledger:
        ledger.append("packets", some_entries(KEY, 2))
    assert () == broken_kept_refs(git)


@pytest.mark.parametrize("text", ["1" * 40 + "\n", "garbage", ""], ids=["an id of nothing", "words", "nothing"])
def test_a_broken_kept_ref_is_replaced_even_when_there_is_nothing_to_write(repo: RepoBuilder, text: str) -> None:
    with open_ledger(repo) as ledger:
        commit = ledger.append("packets", some_entries(KEY, 1)).commit
        (repo.path / ".git" / KEPT).write_text(text)
        assert commit == ledger.settle("packets")
    assert commit == repo.git("rev-parse", KEPT)


def test_a_packed_value_under_an_empty_file_is_united(repo: RepoBuilder) -> None:
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(KEY, 1))
        repo.git("pack-refs", "--all")
        repo.git("update-ref", "-d", PACKETS)
        path = repo.path / ".git" / KEPT
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
        ledger.append("packets", some_entries(KEY, 2))
    assert {KEY: {some_line(1), some_line(2)}} == stored_lines(repo)


@pytest.mark.parametrize("text", ["1" * 40 + "\n", "2" * 64, "ref: refs/heads/main\n"])
def test_a_ref_that_holds_something_is_never_removed(tmp_path: Path, text: str) -> None:
    (tmp_path / "packets").write_text(text)
    assert not remove_garbage(str(tmp_path / "packets"))
    assert [("packets", text)] == [(path.name, path.read_text()) for path in tmp_path.iterdir()]


def test_a_ref_that_git_is_writing_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "packets").write_text("")
    (tmp_path / "packets.lock").write_text("")
    assert not remove_garbage(str(tmp_path / "packets"))
    assert {"packets", "packets.lock"} == {path.name for path in tmp_path.iterdir()}


def test_only_garbage_is_removed_and_no_lock_stays(tmp_path: Path) -> None:
    assert not remove_garbage(str(tmp_path / "packets"))
    (tmp_path / "packets").write_text("garbage")
    assert remove_garbage(str(tmp_path / "packets"))
    assert [] == list(tmp_path.iterdir())
