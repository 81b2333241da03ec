"""The ledger: bulk look-ups against one `git cat-file --batch`, a batch of writes against `git notes add`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from agentgate_git.evidence.ledger import GitLedger
from agentgate_git.model.evidence import PACKETS, Entry
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from agentgate_git.wire.dsse import encode_envelope
from agentgate_git.wire.statement import unsigned, write_statement
from bench.harness import Ratio, interleaved
from testing.repo_builder import RepoBuilder

LOOK_UPS = 10_000
WRITES = 1_000
_ONE_BY_ONE = 100
_PREDICATE = "https://in-toto.io/attestation/test-result/v0.1"


def run(scratch: Path, rounds: int) -> list[Ratio]:
    """10,000 look-ups and 1,000 writes."""
    return [_reading(scratch, max(5, rounds // 3)), _writing(scratch)]


def _entry(index: int) -> Entry:
    tree = f"{index:040x}"
    payload = write_statement(tree, _PREDICATE, {"result": "PASSED", "configuration": [], "agentgate": {"n": index}})
    return Entry(tree, encode_envelope(unsigned(payload)))


def _reading(scratch: Path, rounds: int) -> Ratio:
    repo = RepoBuilder.create(scratch / "read", scratch / "home")
    repo.commit({"a": "1"})
    git = Git.in_repository(str(repo.path), repo.environment)
    entries = [_entry(index + 1) for index in range(LOOK_UPS)]
    with Objects(git) as objects:
        GitLedger(git, objects).append(PACKETS, entries)
    blobs = [row.split()[2] for row in repo.git("ls-tree", "-r", "refs/notes/agentgate/packets").split("\n")]
    asked = os.fsencode("\n".join(blobs) + "\n")
    trees = [entry.object for entry in entries]

    def floor() -> None:
        subprocess.run(["git", "cat-file", "--batch"], cwd=repo.path, input=asked, capture_output=True, check=True)

    def ours() -> None:
        with Objects(git) as objects:
            notes = GitLedger(git, objects).read(PACKETS, trees)
        if len(notes) != LOOK_UPS or not all(note.lines for note in notes.values()):
            raise SystemExit("the ledger lost notes")

    seconds = interleaved({"floor": floor, "ours": ours}, rounds)
    return Ratio("ledger: 10,000 look-ups", seconds["ours"], "git cat-file --batch of the blobs", seconds["floor"], 3.0)


def _writing(scratch: Path) -> Ratio:
    """`git notes add` is timed for a hundred and taken ten times: it grows with what is there, so this flatters it."""
    repo = RepoBuilder.create(scratch / "write", scratch / "home")
    repo.commit({"a": "1"})
    git = Git.in_repository(str(repo.path), repo.environment)
    blobs = [repo.git("hash-object", "-w", "--stdin", stdin=b"%d" % index) for index in range(_ONE_BY_ONE)]

    def floor() -> None:
        for blob in blobs:
            repo.git("notes", "--ref=floor", "add", "-f", "-m", "{}", blob)

    def ours() -> None:
        repo.git("update-ref", "-d", "refs/notes/agentgate/packets")
        repo.git("update-ref", "-d", "refs/agentgate/kept/packets")
        with Objects(git) as objects:
            GitLedger(git, objects).append(PACKETS, [_entry(index + 1) for index in range(WRITES)])

    seconds = interleaved({"floor": floor, "ours": ours}, 5)
    by_one = seconds["floor"] * WRITES / _ONE_BY_ONE
    return Ratio("ledger: 1,000 writes in one batch", seconds["ours"], "git notes add, one by one", by_one, 50, True)
