"""Exchanging evidence between clones: a union, whoever was faster and whatever was rewritten."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agentgate_git.flows.sync import FetchReport, SyncReport, fetch, sync
from agentgate_git.model.failure import Undecided
from agentgate_git.repo.process import Git
from agentgate_git.repo.remote import Remote
from agentgate_git.repo.tracking import Tracking
from testing.records import open_ledger, some_entries, some_key, some_line, stored_lines
from testing.repo_builder import RepoBuilder

NOTES = "refs/notes/agentgate/packets"
KEY = some_key(0)
ROOT = Path(__file__).parents[2]


@pytest.fixture
def server(tmp_path: Path, home: Path) -> RepoBuilder:
    """A bare repository to exchange through."""
    return RepoBuilder.create(tmp_path / "server.git", home, bare=True)


@pytest.fixture
def new_clone(server: RepoBuilder, tmp_path: Path) -> Callable[[str], RepoBuilder]:
    """Makes clones by name."""

    def make(name: str) -> RepoBuilder:
        server.git("clone", "-q", str(server.path), str(tmp_path / name))
        return RepoBuilder(tmp_path / name, server.environment)

    return make


@pytest.fixture
def ours(new_clone: Callable[[str], RepoBuilder]) -> RepoBuilder:
    return new_clone("ours")


@pytest.fixture
def theirs(new_clone: Callable[[str], RepoBuilder]) -> RepoBuilder:
    return new_clone("theirs")


def store(repo: RepoBuilder, *numbers: int, kind: str = "packets") -> None:
    with open_ledger(repo) as ledger:
        ledger.append(kind, some_entries(KEY, *numbers))


def run(repo: RepoBuilder) -> SyncReport:
    git = Git.in_repository(str(repo.path), repo.environment)
    with open_ledger(repo) as ledger:
        return sync(ledger, Remote(git, "origin", repo.environment), Tracking(git, "origin"))


def run_fetch(repo: RepoBuilder) -> FetchReport:
    git = Git.in_repository(str(repo.path), repo.environment)
    with open_ledger(repo) as ledger:
        return fetch(ledger, Remote(git, "origin", repo.environment), Tracking(git, "origin"))


def lines(*numbers: int) -> dict[str, set[bytes]]:
    return {KEY: set(map(some_line, numbers))}


def hook(server: RepoBuilder, name: str, script: str) -> None:
    path = server.path / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def test_two_clones_end_with_the_same_records(server: RepoBuilder, ours: RepoBuilder, theirs: RepoBuilder) -> None:
    store(ours, 1)
    store(theirs, 2)
    assert SyncReport(FetchReport(()), ("packets",), 1) == run(ours)
    assert SyncReport(FetchReport((("packets", 1),)), ("packets",), 1) == run(theirs)
    assert SyncReport(FetchReport((("packets", 1),)), (), 1) == run(ours)
    assert lines(1, 2) == stored_lines(ours) == stored_lines(theirs) == stored_lines(server)
    assert ours.git("rev-parse", NOTES) == theirs.git("rev-parse", NOTES) == server.git("rev-parse", NOTES)


def test_nothing_to_exchange_is_no_failure_and_no_push(ours: RepoBuilder) -> None:
    assert SyncReport(FetchReport(()), (), 1) == run(ours)
    store(ours, 1)
    run(ours)
    assert SyncReport(FetchReport(()), (), 1) == run(ours)


def test_every_kind_is_exchanged(ours: RepoBuilder, theirs: RepoBuilder) -> None:
    for kind in ("packets", "seals", "verdicts"):
        store(ours, 1, kind=kind)
    assert ("packets", "seals", "verdicts") == run(ours).pushed
    assert {"packets", "seals", "verdicts"} == {kind for kind, _ in run_fetch(theirs).gained}


def test_b28_notes_do_not_come_with_a_clone_and_a_fetch_brings_them(
    ours: RepoBuilder, new_clone: Callable[[str], RepoBuilder]
) -> None:
    store(ours, 1)
    run(ours)
    fresh = new_clone("fresh")
    with open_ledger(fresh) as ledger:
        assert not ledger.has_ref("packets")
    assert FetchReport((("packets", 1),)) == run_fetch(fresh)
    assert lines(1) == stored_lines(fresh)


def test_b22_whoever_is_slower_unites_and_tries_again(
    server: RepoBuilder, ours: RepoBuilder, theirs: RepoBuilder
) -> None:
    """While our first push is under way, theirs arrives."""
    store(ours, 1)
    store(theirs, 2)
    faster = theirs.git("rev-parse", NOTES)
    theirs.git("push", "-q", "origin", f"{NOTES}:refs/heads/parked")
    hook(
        server,
        "pre-receive",
        f"test -e raced || {{ touch raced; unset GIT_QUARANTINE_PATH; git update-ref {NOTES} {faster}; }}",
    )
    report = run(ours)
    assert (2, ("packets",), (("packets", 1),)) == (report.attempts, report.pushed, report.fetched.gained)
    assert lines(1, 2) == stored_lines(ours) == stored_lines(server)


def test_b22_a_server_that_always_refuses_is_undecided_and_nothing_is_lost(
    server: RepoBuilder, ours: RepoBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentgate_git.flows.sync.ATTEMPTS", 2)
    store(ours, 1)
    hook(server, "pre-receive", "echo 'nur f\303\274r Mitglieder' >&2; exit 1")
    with pytest.raises(
        Undecided, match=r"origin refused refs/notes/agentgate/packets .* in 2 attempts; nothing is lost"
    ):
        run(ours)
    assert lines(1) == stored_lines(ours)


@pytest.mark.slow
def test_b22_four_clones_at_once_all_arrive(server: RepoBuilder, new_clone: Callable[[str], RepoBuilder]) -> None:
    clones = [new_clone(f"clone-{number}") for number in range(4)]
    for number, clone in enumerate(clones):
        store(clone, number)
    script = (
        "import os, sys; from pathlib import Path; from testing.repo_builder import RepoBuilder;"
        "from tests.flows.test_sync import run; print(run(RepoBuilder(Path(sys.argv[1]), os.environ)))"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(clone.path)], cwd=ROOT, env=clone.environment)
        for clone in clones
    ]
    assert [0] * 4 == [process.wait() for process in running]
    assert lines(0, 1, 2, 3) == stored_lines(server)


def test_b23_a_forced_refspec_of_the_users_does_no_harm(ours: RepoBuilder, theirs: RepoBuilder) -> None:
    store(theirs, 2)
    run(theirs)
    store(ours, 1)
    ours.git("config", "--add", "remote.origin.fetch", "+refs/notes/*:refs/notes/*")
    run(ours)
    assert lines(1, 2) == stored_lines(ours)
    store(ours, 3)
    ours.git("fetch", "-q", "origin")
    run(ours)
    assert lines(1, 2, 3) == stored_lines(ours)


def test_b23_a_pruning_fetch_of_unpublished_kinds_does_no_harm(server: RepoBuilder, ours: RepoBuilder) -> None:
    store(ours, 1)
    ours.git("fetch", "-q", "--prune", "origin", "+refs/notes/*:refs/notes/*")
    assert "" == ours.git("for-each-ref", "refs/notes")
    run(ours)
    assert lines(1) == stored_lines(ours) == stored_lines(server)


def test_b23_unrelated_histories_are_united(server: RepoBuilder, ours: RepoBuilder, theirs: RepoBuilder) -> None:
    theirs.git("notes", "--ref=agentgate/packets", "add", "-m", some_line(2).decode(), some_key(1))
    run(theirs)
    store(ours, 1)
    run(ours)
    assert {**lines(1), some_key(1): {some_line(2)}} == stored_lines(server)


def test_a_remote_that_lost_records_is_told_and_gets_them_back(server: RepoBuilder, ours: RepoBuilder) -> None:
    store(ours, 1)
    first = ours.git("rev-parse", NOTES)
    store(ours, 2)
    run(ours)
    server.git("update-ref", NOTES, first)
    assert SyncReport(FetchReport((), ("packets",)), ("packets",), 1) == run(ours)
    assert lines(1, 2) == stored_lines(server)


def test_a_remote_that_dropped_records_in_a_new_commit_gets_them_back(
    server: RepoBuilder, ours: RepoBuilder, theirs: RepoBuilder
) -> None:
    store(ours, 1)
    run(ours)
    run(theirs)
    theirs.git("notes", "--ref=agentgate/packets", "remove", KEY)
    theirs.git("push", "-q", "origin", NOTES)
    run(ours)
    assert lines(1) == stored_lines(server) == stored_lines(ours)


def test_what_an_interrupted_sync_had_fetched_is_not_lost_when_the_remote_is_rewritten(
    server: RepoBuilder, ours: RepoBuilder, theirs: RepoBuilder
) -> None:
    store(theirs, 1)
    first = theirs.git("rev-parse", NOTES)
    store(theirs, 2)
    run(theirs)
    ours.git("fetch", "-q", "origin", "refs/notes/agentgate/*:refs/agentgate/remote/origin/*")
    server.git("update-ref", NOTES, first)
    run(ours)
    assert lines(1, 2) == stored_lines(ours) == stored_lines(server)


def test_x01_a_symbolic_tracking_ref_moves_no_branch(ours: RepoBuilder, theirs: RepoBuilder) -> None:
    store(theirs, 1)
    run(theirs)
    tip = ours.commit({"a": "1"})
    ours.git("symbolic-ref", "refs/agentgate/remote/origin/packets", "refs/heads/main")
    with pytest.raises(Undecided, match="is a symbolic ref to refs/heads/main"):
        run(ours)
    assert tip == ours.git("rev-parse", "main")


def test_a_remote_that_cannot_be_reached_is_undecided(ours: RepoBuilder, tmp_path: Path) -> None:
    store(ours, 1)
    ours.git("remote", "set-url", "origin", str(tmp_path / "nowhere"))
    with pytest.raises(Undecided, match="origin cannot be read"):
        run(ours)


def test_a_kind_we_do_not_know_is_left_alone(server: RepoBuilder, ours: RepoBuilder, theirs: RepoBuilder) -> None:
    theirs.git("notes", "--ref=agentgate/later", "add", "-m", "x", some_key(1))
    theirs.git("push", "-q", "origin", "refs/notes/agentgate/later")
    assert SyncReport(FetchReport(()), (), 1) == run(ours)
    assert "" == ours.git("for-each-ref", "refs/notes")


def test_one_note_that_is_too_large_stops_nothing(server: RepoBuilder, ours: RepoBuilder, theirs: RepoBuilder) -> None:
    """68 MiB of text pushed as the note of a tree that we captured, beside records of every other kind."""
    store(ours, 1)
    run(ours)
    theirs.git("fetch", "-q", "origin", f"{NOTES}:{NOTES}")
    blob = theirs.git("hash-object", "-w", "--stdin", stdin=b"some text of somebody\n" * ((68 << 20) // 22))
    theirs.git("notes", "--ref=agentgate/packets", "add", "-f", "-C", blob, KEY)
    theirs.git("push", "-q", "origin", NOTES)
    store(theirs, 2, kind="seals")
    theirs.git("push", "-q", "origin", "refs/notes/agentgate/seals")
    left_out = (("packets", 1),)
    assert FetchReport((("seals", 1),), (), left_out) == run_fetch(ours)
    assert FetchReport((), (), left_out) == run_fetch(ours)
    store(ours, 3)
    assert SyncReport(FetchReport((), (), left_out), ("packets",), 1) == run(ours)
    assert SyncReport(FetchReport(()), (), 1) == run(ours)
    assert lines(1, 3) == stored_lines(ours) == stored_lines(server)
    assert lines(2) == stored_lines(ours, "seals")
