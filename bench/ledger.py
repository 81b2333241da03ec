"""The ledger: bulk look-ups against one `git cat-file --batch`, a batch of writes against `git notes add`."""

from __future__ import annotations

import os
import statistics
import subprocess
from collections.abc import Mapping
from pathlib import Path

from agentgate_git.evidence.ledger import GitLedger
from agentgate_git.model.evidence import PACKETS, Entry, Note
from agentgate_git.model.oid import Oid
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from agentgate_git.wire.dsse import encode_envelope
from agentgate_git.wire.packet_statement import packet_payload
from agentgate_git.wire.statement import unsigned
from bench.harness import NO_BUDGET, Ratio, interleaved, timed
from testing.records import some_packet
from testing.repo_builder import RepoBuilder

LOOK_UPS = 10_000
WRITES = 1_000
_ONE_BY_ONE = 100


def run(scratch: Path, rounds: int) -> list[Ratio]:
    """10,000 look-ups and 1,000 writes."""
    return [*_reading(scratch, max(5, rounds // 3)), _writing(scratch)]


def _entry(index: int) -> Entry:
    tree = f"{index:040x}"
    packet = some_packet(tree=tree)._replace(nonce=f"{index:032x}")
    return Entry(tree, encode_envelope(unsigned(packet_payload(packet))))


def _reading(scratch: Path, rounds: int) -> list[Ratio]:
    repo = RepoBuilder.create(scratch / "read", scratch / "home")
    repo.commit({"a": "1"})
    git = Git.in_repository(str(repo.path), repo.environment)
    entries = [_entry(index + 1) for index in range(LOOK_UPS)]
    _append(git, entries)
    blobs = [row.split()[2] for row in repo.git("ls-tree", "-r", "refs/notes/agentgate/packets").split("\n")]
    asked = os.fsencode("\n".join(blobs) + "\n")
    trees = [entry.object for entry in entries]

    def floor() -> None:
        subprocess.run(["git", "cat-file", "--batch"], cwd=repo.path, input=asked, capture_output=True, check=True)

    def ours() -> Mapping[Oid, Note]:
        with Objects(git) as objects:
            notes = GitLedger(git, objects).read(PACKETS, trees)
        if len(notes) != LOOK_UPS:
            raise SystemExit("the ledger lost notes")
        return notes

    def parsed() -> None:
        notes = ours()
        if not all(notes[tree].lines for tree in trees):
            raise SystemExit("the ledger holds lines that are no records")

    seconds = interleaved({"floor": floor, "ours": ours, "parsed": parsed}, rounds)
    name = "git cat-file --batch of the blobs"
    return [
        Ratio("ledger: 10,000 look-ups", seconds["ours"], name, seconds["floor"], 3.0),
        Ratio("ledger: 10,000 look-ups, each note parsed", seconds["parsed"], name, seconds["floor"], NO_BUDGET),
    ]


def _writing(scratch: Path) -> Ratio:
    """The same lines by both; `git notes add` is timed for a hundred and taken ten times, which flatters it."""
    repo = RepoBuilder.create(scratch / "write", scratch / "home")
    repo.commit({"a": "1"})
    git = Git.in_repository(str(repo.path), repo.environment)
    entries = [_entry(index + 1) for index in range(WRITES)]
    blobs = [repo.git("hash-object", "-w", "--stdin", stdin=b"%d" % index) for index in range(_ONE_BY_ONE)]
    message = repo.path / "line"
    message.write_bytes(entries[0].text)

    def floor() -> None:
        for blob in blobs:
            repo.git("notes", "--ref=floor", "add", "-f", "-F", str(message), blob)

    seconds = []
    for _ in range(5):
        for name in ("refs/notes/agentgate/packets", "refs/agentgate/kept/packets"):
            repo.git("update-ref", "-d", name)
        by_one, at_once = timed(floor), timed(lambda: _append(git, entries))
        seconds.append((by_one * WRITES / _ONE_BY_ONE, at_once))
    by_one, at_once = (statistics.median(column) for column in zip(*seconds, strict=True))
    return Ratio("ledger: 1,000 writes in one batch", at_once, "git notes add, one by one", by_one, 50, True)


def _append(git: Git, entries: list[Entry]) -> None:
    with Objects(git) as objects:
        GitLedger(git, objects).append(PACKETS, entries)
