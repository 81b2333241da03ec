"""End to end: many writers at once, writers that are killed, and writers that do not compare."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from testing.records import open_ledger, some_entries, some_key, some_line, stored_lines
from testing.repo_builder import RepoBuilder

PACKETS = "refs/notes/agentgate/packets"
ONE_KEY = some_key(0)
ROOT = Path(__file__).parents[2]


def start_writer(repo: RepoBuilder, key: str, first: int, count: int) -> subprocess.Popen[bytes]:
    """A process of its own, the head of its own process group, that tells each number once it is stored."""
    return subprocess.Popen(
        [sys.executable, "-m", "testing.ledger_writer", str(repo.path), key, str(first), str(count)],
        cwd=ROOT,
        env=repo.environment,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )


def finish(writers: list[subprocess.Popen[bytes]]) -> list[int]:
    statuses = []
    for writer in writers:
        writer.communicate()
        statuses.append(writer.returncode)
    return statuses


@pytest.mark.slow
def test_sixteen_writers_of_twenty_five_lines_each_keep_all_four_hundred(repo: RepoBuilder) -> None:
    """Half of them write to one object, the others each line to an object of its own."""
    keys = [ONE_KEY if number % 2 else "each" for number in range(16)]
    statuses = finish([start_writer(repo, key, 1 + number * 25, 25) for number, key in enumerate(keys)])
    assert [0] * 16 == statuses
    stored = stored_lines(repo)
    to_one = {some_line(1 + number * 25 + at) for number in range(1, 16, 2) for at in range(25)}
    to_each = {
        some_key(1 + number * 25 + at): {some_line(1 + number * 25 + at)}
        for number in range(0, 16, 2)
        for at in range(25)
    }
    assert {ONE_KEY: to_one, **to_each} == stored
    assert 400 == sum(map(len, stored.values()))
    assert "" == repo.git("fsck", "--strict", "--no-dangling")


def kill(writer: subprocess.Popen[bytes], *, with_children: bool) -> None:
    if with_children:
        os.killpg(writer.pid, signal.SIGKILL)
    else:
        writer.kill()


def let_children_end(repo: RepoBuilder) -> None:
    """git that outlived its writer goes on to the end of what it was told; then its locks are gone."""
    locks = [repo.path / ".git" / f"{ref}.lock" for ref in (PACKETS, "refs/agentgate/kept/packets")]
    for _ in range(100):
        if not any(lock.exists() for lock in locks):
            return
        time.sleep(0.02)
    for lock in locks:  # git was killed while it held them; it asks people to remove them by hand
        lock.unlink(missing_ok=True)


@pytest.mark.slow
@pytest.mark.parametrize("with_children", [False, True], ids=["the writer alone", "the writer and its git"])
def test_a_writer_killed_at_any_point_leaves_whole_lines_and_a_valid_ref(
    repo: RepoBuilder, with_children: bool
) -> None:
    chance = random.Random(6)
    told: set[int] = set()
    for turn in range(8):
        first = turn * 1000
        writer = start_writer(repo, ONE_KEY if turn % 2 else "each", first, 1000)
        assert writer.stdout is not None
        told.update(int(writer.stdout.readline()) for _ in range(2))
        time.sleep(chance.uniform(0, 0.06))
        kill(writer, with_children=with_children)
        told.update(int(line) for line in writer.communicate()[0].splitlines() if line.strip())
        let_children_end(repo)
        assert "" == repo.git("fsck", "--strict", "--no-dangling", PACKETS)
    possible = {some_line(turn * 1000 + at) for turn in range(8) for at in range(1000)}
    stored = {line for lines in stored_lines(repo).values() for line in lines}
    assert set(map(some_line, told)) <= stored <= possible
    with open_ledger(repo) as ledger:
        assert not any(note.bad_lines for note in ledger.read_all("packets"))
        ledger.append("packets", some_entries(some_key(9999), 9999))
    assert set() == {name for name in repo.git("for-each-ref", "--format=%(refname)").split("\n") if "tmp" in name}


@pytest.mark.slow
def test_b21_writers_beside_a_plain_git_notes_add_lose_none_of_our_lines(repo: RepoBuilder) -> None:
    writers = [start_writer(repo, key, first, 20) for key, first in ((ONE_KEY, 100), ("each", 200))]
    for number in range(150):
        with contextlib.suppress(AssertionError):  # it does not retry when the ref is locked
            repo.git("notes", "--ref=agentgate/packets", "add", "-f", "-m", "plain", some_key(10_000 + number))
    assert [0, 0] == finish(writers)
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(some_key(9999), 9999))
    stored = stored_lines(repo)
    assert set(map(some_line, range(100, 120))) == stored[ONE_KEY]
    assert [{some_line(at)} for at in range(200, 220)] == [stored[some_key(at)] for at in range(200, 220)]
