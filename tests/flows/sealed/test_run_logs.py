"""Where the logs of runs lie: who may look, what a dead run leaves behind, and when a log becomes evidence."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from agentgate_git.flows.sealed import run_logs
from agentgate_git.flows.sealed.run_logs import RunLogStore, publish_logs
from agentgate_git.model.evidence import LOGS, Line
from agentgate_git.model.failure import Undecided
from agentgate_git.model.run_evidence import RunLogs, SignedSeal
from agentgate_git.wire.bundle import read_line
from agentgate_git.wire.run_statements import logs_payload
from testing.full_disk import full_disk
from testing.proposals import opened, with_topic
from testing.records import SOME_SHA256, stored_lines
from testing.repo_builder import RepoBuilder
from testing.sealed_runs import some_logs, some_seal, store_run, trees_of, unsigned_text

TREE, OTHER = "a" * 40, "b" * 40
DIES = """
import os, sys
from agentgate_git.flows.sealed.run_logs import RunLogStore
run = RunLogStore(sys.argv[1]).open_run(sys.argv[2], "")
open(run.log, "w").write("half a log")
print(run.directory, flush=True)
os.kill(os.getpid(), 9)
"""


@pytest.fixture
def store(tmp_path: Path) -> RunLogStore:
    return RunLogStore(str(tmp_path))


def runs(tmp_path: Path) -> set[str]:
    return set(os.listdir(tmp_path / "agentgate/runs"))


def publish(store: RunLogStore, log: bytes, seal: str = SOME_SHA256) -> RunLogs:
    """A run that came to its log, as far as the directory goes."""
    with store.open_run(TREE, OTHER) as run:
        Path(run.log).write_bytes(log)
        run.describe(seal)
    return some_logs(seal, log)


def test_a_run_that_cannot_begin_leaves_nothing_behind(store: RunLogStore, tmp_path: Path) -> None:
    """The folder for its trees is there, and its state cannot be written."""
    with full_disk(tmp_path / "scratch"), pytest.raises(OSError, match="File too large"):
        store.open_run(TREE, OTHER)
    assert ([], set()) == (list((tmp_path / "scratch").iterdir()), runs(tmp_path))


def test_nobody_else_may_look_into_a_run(store: RunLogStore, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with store.open_run(TREE, OTHER) as run:
            modes = {path: stat.S_IMODE(os.stat(path).st_mode) for path in (run.directory, run.log)}
            assert {run.directory: 0o700, run.log: 0o600} == modes
            assert {0o600} == {stat.S_IMODE(path.stat().st_mode) for path in Path(run.directory).iterdir()}
    finally:
        os.umask(before)
    assert 0o700 == stat.S_IMODE((tmp_path / "agentgate/runs").stat().st_mode)


@pytest.mark.parametrize("kind", ["open to others", "a link", "a file"])
def test_a_directory_that_others_could_look_into_is_not_used(store: RunLogStore, tmp_path: Path, kind: str) -> None:
    top, elsewhere = tmp_path / "agentgate/runs", tmp_path / "elsewhere"
    top.parent.mkdir()
    elsewhere.mkdir(0o700)
    if kind == "a file":
        top.write_text("")
    elif kind == "a link":
        top.symlink_to(elsewhere)
    else:
        top.mkdir()
        top.chmod(0o750)
    with pytest.raises(Undecided, match="its owner alone may enter"):
        store.open_run(TREE, OTHER)
    assert [] == list(elsewhere.iterdir())


def test_a_run_is_open_until_it_ends_and_leaves_nothing_without_a_seal(store: RunLogStore, tmp_path: Path) -> None:
    assert (False, None) == (store.has_open(TREE), store.whole(some_logs()))
    first, second = store.open_run(TREE, OTHER), store.open_run(TREE, OTHER)
    assert (2, True, False) == (len(runs(tmp_path)), store.has_open(TREE), store.has_open(OTHER))
    first.close()
    first.close()
    assert (1, True) == (len(runs(tmp_path)), store.has_open(TREE))
    (Path(second.directory) / run_logs.STATE).write_text("{")
    assert store.has_open(OTHER), "nobody can tell what it is a run of"
    second.close()
    assert (set(), False) == (runs(tmp_path), store.has_open(TREE))


def test_what_a_killed_run_left_is_no_open_run_and_is_taken_away_by_the_next(
    store: RunLogStore, tmp_path: Path
) -> None:
    kept = publish(store, b"1 passed\n")
    argv = [sys.executable, "-c", DIES, str(tmp_path), TREE]
    done = subprocess.run(argv, cwd=Path(__file__).parents[3], capture_output=True, check=False)
    assert -signal.SIGKILL == done.returncode, done.stderr
    left = Path(done.stdout.decode().strip())
    assert (True, False) == ((left / run_logs.LOG).exists(), store.has_open(TREE))
    store.open_run(OTHER, "").close()
    assert (False, b"1 passed\n") == (left.exists(), store.whole(kept))


def test_only_the_log_that_was_published_is_found_again(store: RunLogStore, tmp_path: Path) -> None:
    kept = publish(store, b"1 passed\n")
    assert b"1 passed\n" == store.whole(kept)
    assert [None] * 2 == [store.whole(some_logs("1" * 64, b"1 passed\n")), store.whole(kept._replace(size=8))]
    (name,) = runs(tmp_path)
    (tmp_path / "agentgate/runs" / name / run_logs.LOG).write_bytes(b"2 passed\n")
    assert store.whole(kept) is None


def test_no_name_of_others_is_a_run(store: RunLogStore, tmp_path: Path) -> None:
    kept = publish(store, b"1 passed\n")
    (name,) = runs(tmp_path)
    top = tmp_path / "agentgate/runs"
    (top / name).rename(tmp_path / "moved")
    (top / name).symlink_to(tmp_path / "moved")
    (tmp_path / "moved").rename(top / "run")
    assert store.whole(kept) is None
    store.open_run(TREE, OTHER).close()
    assert (top / "run/log").exists()


def test_the_oldest_logs_go_first(tmp_path: Path) -> None:
    store, top = RunLogStore(str(tmp_path), 2), tmp_path / "agentgate/runs"
    logs = []
    for number in range(3):
        before = set() if not number else runs(tmp_path)
        logs.append(publish(store, b"%d passed\n" % number, f"{number:064x}"))
        (name,) = runs(tmp_path) - before
        os.utime(top / name, (number, number))
    store.open_run(TREE, OTHER).close()
    assert [None, b"1 passed\n", b"2 passed\n"] == [store.whole(one) for one in logs]


def unsigned(payload: bytes) -> Line:
    return read_line(unsigned_text(payload))


def test_a_log_becomes_evidence_when_its_seal_is_kept(repo: RepoBuilder) -> None:
    with_topic(repo)
    about = trees_of(repo)
    store = RunLogStore(str(repo.path / ".git"))
    log = b"x" * 70_000 + b"\n1 passed\n"
    with opened(repo) as workspace:
        run = store.open_run(about["tree"], about["base_tree"])
        Path(run.log).write_bytes(log)
        early = SignedSeal(some_seal(**about), SOME_SHA256, ())
        with pytest.raises(Undecided, match="whose seal is not kept"):
            publish_logs(workspace, run, early, unsigned, "2026-10-12T10:06:00Z")
        assert ({}, True) == (stored_lines(repo, LOGS), store.has_open(about["tree"]))
        sealed = SignedSeal(some_seal(**about), store_run(repo), ())
        line = publish_logs(workspace, run, sealed, unsigned, "2026-10-12T10:06:00Z")
    assert {about["tree"]: {line.text}} == stored_lines(repo, LOGS)
    expected = some_logs(sealed.sha256, log, **about, tail=log[-(64 << 10) :].decode())
    assert unsigned_text(logs_payload(expected)) == line.text
    assert (False, log) == (store.has_open(about["tree"]), store.whole(expected))
