"""`doctor` names kept refs that are broken and notes that are too large to be taken in."""

from __future__ import annotations

import pytest

from agentgate_git.flows.clone.doctor_evidence import evidence_rows
from agentgate_git.flows.doctor import examine
from agentgate_git.model.limits import MAX_LINE
from agentgate_git.model.setup import WARNING
from testing.hooked_repo import git_of
from testing.records import open_ledger, some_entries, some_key
from testing.repo_builder import RepoBuilder

PACKETS = "refs/notes/agentgate/packets"
THEIRS = "refs/agentgate/remote/origin/packets"
KEPT = "refs/agentgate/kept/packets"
LONG_LINE = b"x" * (MAX_LINE + 1)


def add_note(repo: RepoBuilder, key: str, data: bytes) -> None:
    blob = repo.git("hash-object", "-w", "--stdin", stdin=data)
    repo.git("notes", "--ref=agentgate/packets", "add", "-f", "-C", blob, key)


def told(repo: RepoBuilder) -> list[str]:
    rows = tuple(evidence_rows(git_of(repo)))
    assert all(row.state == WARNING and row.next_step for row in rows)
    return [row.message for row in rows]


def test_ordinary_evidence_has_no_row(repo: RepoBuilder) -> None:
    assert [] == told(repo)
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(some_key(0), *range(9)))
    add_note(repo, some_key(1), b"prose\n" * (MAX_LINE // 5))
    assert [] == told(repo)


@pytest.mark.parametrize("text", ["1" * 40 + "\n", "garbage\n", ""], ids=["an id of nothing", "words", "nothing"])
def test_a_broken_kept_ref_is_named(repo: RepoBuilder, text: str) -> None:
    repo.commit({"a": "1"})
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(some_key(0), 1))
    (repo.path / ".git" / KEPT).write_text(text)
    (message,) = told(repo)
    assert message.startswith(f"{KEPT} is broken")
    assert message in [row.message for row in examine(git_of(repo), repo.environment)]
    with open_ledger(repo) as ledger:
        ledger.append("packets", some_entries(some_key(0), 2))
    assert [] == told(repo)


@pytest.mark.parametrize("ref", [PACKETS, THEIRS], ids=["ours", "of a remote"])
def test_a_note_that_is_too_large_is_named(repo: RepoBuilder, ref: str) -> None:
    add_note(repo, some_key(0), b"prose\n" * ((68 << 20) // 6))
    add_note(repo, some_key(1), b"short\n" + LONG_LINE)
    add_note(repo, some_key(2), b"short\n")
    tip = repo.git("rev-parse", PACKETS)
    repo.git("update-ref", "-d", PACKETS)
    repo.git("update-ref", ref, tip)
    reasons = {some_key(0): "is longer than 67108864 bytes", some_key(1): "has a line longer than 1048576 bytes"}
    assert [f"the note of {key} in {ref} {reasons[key]}" for key in sorted(reasons)] == [
        message.partition(":")[0] for message in told(repo)
    ]


def test_of_many_notes_that_are_too_large_a_few_are_named(repo: RepoBuilder) -> None:
    for number in range(7):
        add_note(repo, some_key(number), LONG_LINE)
    assert (6, f"2 more notes in {PACKETS} are too large") == (len(told(repo)), told(repo)[-1])


def test_refs_that_cannot_be_read_are_passed_over(repo: RepoBuilder) -> None:
    path = repo.path / ".git" / THEIRS
    path.parent.mkdir(parents=True)
    path.write_text("1" * 40 + "\n")
    assert [] == told(repo)
