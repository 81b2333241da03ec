"""`receive` as git calls it, without a push: 0 or 1, and never an answer on stdout."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from testing.command_line import BIN, agentgate
from testing.evidence_keys import unsigned_line
from testing.hooked_repo import write_script
from testing.repo_builder import RepoBuilder

ZERO = "0" * 40


@pytest.fixture
def server(repo: RepoBuilder) -> RepoBuilder:
    """A repository with a commit on main, and a second one that no branch holds."""
    repo.commit({"a.py": "x = 1\n"}, "first")
    repo.git("checkout", "-q", "--detach")
    repo.commit({"a.py": "x = 2\n"}, "second")
    repo.git("tag", "second")
    repo.git("symbolic-ref", "HEAD", "refs/heads/main")
    return repo


def test_nothing_pushed_is_nothing_refused(server: RepoBuilder) -> None:
    assert (0, "", "") == agentgate(server, "receive")


def test_a_ref_either_way(server: RepoBuilder) -> None:
    main, second = server.git("rev-parse", "main"), server.git("rev-parse", "second")
    assert (0, "", "") == agentgate(server, "receive", stdin=f"{main} {second} refs/heads/main\n")
    assert (0, "", "") == agentgate(server, "receive", "--update", "refs/heads/topic", ZERO, second)
    done = agentgate(server, "receive", "--update", "refs/heads/main", main, ZERO)
    assert (1, "") == (done.status, done.stdout)
    refused, last = done.stderr.splitlines()
    assert refused.startswith("agentgate: refused: refs/heads/main: E_REF_GUARDED: ")
    assert "agentgate: this ref is refused" == last


BAD = ("nonsense", f"{ZERO} {ZERO}", f"{ZERO} {'0' * 64} refs/heads/x", f"{ZERO} abc refs/heads/x", "\x00 \x00 \x00")


@pytest.mark.parametrize("line", BAD)
def test_a_line_that_git_would_not_write_refuses_the_push(server: RepoBuilder, line: str) -> None:
    done = agentgate(server, "receive", stdin=f"{line}\n")
    assert (1, "") == (done.status, done.stdout)
    assert "is no ref of a push" in done.stderr


def test_outside_a_repository_nothing_is_let_in(server: RepoBuilder, tmp_path: Path) -> None:
    done = agentgate(server, "receive", stdin=f"{ZERO} {ZERO} refs/heads/x\n", cwd=tmp_path)
    assert (1, "") == (done.status, done.stdout)
    assert done.stderr.startswith("agentgate: refused: ")


def test_the_old_id_must_be_what_the_ref_holds(server: RepoBuilder) -> None:
    """It is only what the client says, and a wrong one would hide what the push takes away."""
    second = server.git("rev-parse", "second")
    for old in (ZERO, second):
        done = agentgate(server, "receive", stdin=f"{old} {second} refs/heads/main\n")
        assert 1 == done.status
        assert "refs/heads/main is not what this push says it is" in done.stderr


def test_a_push_to_a_namespace_is_not_looked_at(server: RepoBuilder) -> None:
    second = server.git("rev-parse", "second")
    done = agentgate(server, "receive", stdin=f"{ZERO} {second} refs/heads/x\n", GIT_NAMESPACE="other")
    assert 1 == done.status
    assert "namespace" in done.stderr


def test_an_object_that_is_not_there_refuses_its_ref_alone(server: RepoBuilder) -> None:
    second, gone = server.git("rev-parse", "second"), "1" * 40
    lines = f"{ZERO} {gone} refs/heads/gone\n{ZERO} {second} refs/heads/x\n{ZERO} {gone} refs/notes/agentgate/packets\n"
    done = agentgate(server, "receive", stdin=lines)
    assert 1 == done.status
    refs = [line.split()[2] for line in done.stderr.splitlines()[:-1]]
    assert ["refs/heads/gone:", "refs/notes/agentgate/packets:"] == refs
    assert "for 2 of its refs" in done.stderr


def test_a_judgement_that_takes_too_long_ends(server: RepoBuilder, tmp_path: Path) -> None:
    """A git that never answers stands for a push that takes for ever."""
    write_script(
        tmp_path / "slow" / "git",
        f'PATH={os.environ["PATH"]}\ncase "$*" in *"rev-list --count"*) exec sleep 20 ;; esac\nexec git "$@"\n',
    )
    server.git("config", "agentgate.maxSeconds", "1")
    second = server.git("rev-parse", "second")
    path = os.pathsep.join((str(tmp_path / "slow"), str(BIN), server.environment["PATH"]))
    done = agentgate(server, "receive", stdin=f"{ZERO} {second} refs/heads/x\n" * 3, PATH=path)
    assert (1, "") == (done.status, done.stdout)
    assert "could not be judged within 1 seconds" in done.stderr
    assert 1 == done.stderr.count("\n")


NOTES = {
    "a file that is no note": ("100644", "readme", "E_NOTE_MALFORMED"),
    "a note of the empty tree": ("100644", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "E_NOTE_MALFORMED"),
    "a note that is a link": ("120000", "a" * 40, "E_NOTE_MALFORMED"),
    "a note of another tree": ("100644", "b" * 40, "E_SUBJECT_MISMATCH"),
}


@pytest.mark.parametrize(("mode", "name", "code"), NOTES.values(), ids=NOTES)
def test_a_notes_tree_holds_notes_only(server: RepoBuilder, mode: str, name: str, code: str) -> None:
    blob = server.git("hash-object", "-w", "--stdin", stdin=unsigned_line("a" * 40) + b"\n")
    good, bad = (
        server.git("commit-tree", "-m", "notes", server.git("mktree", stdin=f"{row} blob {blob}\t{path}\n".encode()))
        for row, path in (("100644", "a" * 40), (mode, name))
    )
    ref = "refs/notes/agentgate/packets"
    assert (0, "", "") == agentgate(server, "receive", "--update", ref, ZERO, good)
    done = agentgate(server, "receive", "--update", ref, ZERO, bad)
    assert 1 == done.status
    assert f"refused: {ref}: {code}: " in done.stderr


def test_notes_of_any_layout_are_the_same_notes(server: RepoBuilder) -> None:
    """git lays notes out anew when they become many: a line that moves is not lost."""
    key, ref = "ab" + "c" * 38, "refs/notes/agentgate/packets"
    blob = server.git("hash-object", "-w", "--stdin", stdin=unsigned_line(key) + b"\n")
    flat = server.git("mktree", stdin=f"100644 blob {blob}\t{key}\n".encode())
    below = server.git("mktree", stdin=f"100644 blob {blob}\t{key[2:]}\n".encode())
    spread = server.git("mktree", stdin=f"040000 tree {below}\t{key[:2]}\n".encode())
    old = server.git("commit-tree", "-m", "notes", flat)
    new = server.git("commit-tree", "-p", old, "-m", "notes", spread)
    server.git("update-ref", ref, old)
    assert (0, "", "") == agentgate(server, "receive", "--update", ref, old, new)
