"""Records of evidence for tests: packets, lines, keys, and ledgers opened on real repositories."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from typing import Any

from agentgate_git.evidence.ledger import GitLedger
from agentgate_git.model.evidence import Entry, Envelope
from agentgate_git.model.packet import Packet
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from agentgate_git.wire.dsse import IN_TOTO, encode_envelope
from testing.repo_builder import RepoBuilder

SOME_TREE = "a" * 40
SOME_SHA256 = "0123456789abcdef" * 4


def some_packet(**changes: Any) -> Packet:
    """A packet of a passing run of three tests."""
    return Packet(
        tree=SOME_TREE,
        base_tree="b" * 40,
        commit="c" * 40,
        author_job="author-1",
        codes=(),
        tests_sha256=SOME_SHA256,
        node_count=3,
        tests_by_file=(("tests/test_a.py", 2, "0123456789abcdef"), ("tests/test_b.py", 1, "fedcba9876543210")),
        outcomes_sha256=SOME_SHA256,
        outcomes=(("passed", 3),),
        outcome_lines=("passed tests/test_a.py::test_1", "passed tests/test_a.py::test_2", "passed tests/test_b.py::t"),
        failed=(),
        trimmed=(),
        deselected_count=0,
        reruns=(),
        warnings=0,
        interpreter="CPython 3.11.7",
        platform="linux-x86_64",
        argv=(),
        plugins=("pytest 9.2.0",),
        environment=(("TZ", "UTC"),),
        isolation="scratch",
        untracked_count=0,
        untracked_sha256="",
        foreign_imports=(),
        manifest_sha256="",
        exit_status=0,
        nonce="n",
        tool="agentgate-git 0.1",
        started_at="2026-01-01T00:00:00Z",
        finished_at="2026-01-01T00:00:01Z",
    )._replace(**changes)


def some_line(number: int) -> bytes:
    """An unsigned envelope, another one for each number."""
    return encode_envelope(Envelope(b'{"number":%d}' % number, IN_TOTO))


def some_key(number: int, hash_name: str = "sha1") -> str:
    """An object id, another one for each number; no such object need exist."""
    return hashlib.new(hash_name, b"%d" % number).hexdigest()


def some_entries(key: str, *numbers: int) -> list[Entry]:
    """Entries for one object."""
    return [Entry(key, some_line(number)) for number in numbers]


@contextlib.contextmanager
def open_ledger(repo: RepoBuilder) -> Iterator[GitLedger]:
    """The ledger of a real repository."""
    git = Git.in_repository(str(repo.path), repo.environment)
    with Objects(git) as objects:
        yield GitLedger(git, objects)


def stored_lines(repo: RepoBuilder, kind: str = "packets") -> dict[str, set[bytes]]:
    """Every record by object, read with a ledger of its own."""
    with open_ledger(repo) as ledger:
        return {note.object: {line.text for line in note.lines} for note in ledger.read_all(kind)}
