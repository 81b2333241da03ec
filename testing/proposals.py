"""Proposals for tests: a main branch, a topic off it, and packets that nobody had to run the tests for."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentgate_git.flows.check import check_range, check_revision
from agentgate_git.flows.verify import LOOKUP, VerifyRequest, verify
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.commit import Proposal
from agentgate_git.model.evidence import PACKETS, Entry
from agentgate_git.model.finding import Finding
from agentgate_git.model.packet import Packet
from agentgate_git.model.verdict import CheckResult, VerifyResult
from agentgate_git.wire.dsse import encode_envelope
from agentgate_git.wire.packet_statement import PacketStatement, packet_payload, read_packet
from agentgate_git.wire.statement import unsigned
from testing.records import open_ledger, some_packet
from testing.repo_builder import RepoBuilder

WORKFLOW = ".github/workflows/ci.yml"
NOTES_REF = "refs/notes/agentgate/packets"
TEST_FILE = "tests/test_core.py"
RUNNING = "import pytest\n\nfrom core import ONE\n\n\ndef test_one():\n    assert 1 == ONE\n"
SKIPPING = RUNNING.replace("def test_one", "@pytest.mark.skip\ndef test_one")
FILES = {"core.py": "ONE = 1\n", TEST_FILE: RUNNING, WORKFLOW: "on: push\n"}


def with_topic(repo: RepoBuilder) -> RepoBuilder:
    """A first commit on `main`, which proposals are meant for; the developer stands on `topic`."""
    repo.commit(FILES, "first")
    repo.git("config", "agentgate.target", "main")
    repo.git("checkout", "-q", "-b", "topic")
    return repo


def on_main(repo: RepoBuilder, files: Mapping[str, str | bytes | None]) -> RepoBuilder:
    """Put files on `main`, and begin the topic again from there."""
    repo.git("checkout", "-q", "main")
    repo.commit(files, "on main")
    repo.git("checkout", "-q", "-B", "topic")
    return repo


def copy_of(repo: RepoBuilder, directory: Path) -> RepoBuilder:
    """The same repository once more, for a test that changes it."""
    shutil.copytree(repo.path, directory, symlinks=True)
    copy = type(repo)(directory, repo.environment)
    copy.python = repo.python
    return copy


def opened(repo: RepoBuilder, *, is_clean: bool = True, **env: str) -> Workspace:
    """What a flow works with, as `check` and `verify` open it."""
    return Workspace(str(repo.path), {**repo.environment, **env}, is_clean=is_clean)


def proposal_of(repo: RepoBuilder, rev: str = "HEAD", base: str = "") -> Proposal:
    """The proposal of a revision."""
    with opened(repo) as workspace:
        return workspace.proposals.of_revision(rev, base)


def checked(repo: RepoBuilder, rev: str = "HEAD", base: str = "") -> CheckResult:
    """What `check REV` finds; a range when the revision is written as one."""
    start, dots, end = rev.partition("..")
    with opened(repo) as workspace:
        return check_range(workspace, start, end) if dots else check_revision(workspace, rev, base)


def verified(repo: RepoBuilder, rev: str = "HEAD", *, depth: str = LOOKUP, **request: Any) -> VerifyResult:
    """What `verify REV` answers, without running anything unless another depth is asked for."""
    with opened(repo) as workspace:
        return verify(workspace, VerifyRequest(depth=depth, **request), rev)


def line_of(packet: Packet) -> bytes:
    """The unsigned line of a packet."""
    return encode_envelope(unsigned(packet_payload(packet)))


def store_line(repo: RepoBuilder, key: str, line: bytes) -> bytes:
    """Keep a line under a tree."""
    with open_ledger(repo) as ledger:
        ledger.append(PACKETS, [Entry(key, line)])
    return line


def store_packet(repo: RepoBuilder, rev: str = "HEAD", **changes: Any) -> bytes:
    """Keep a packet that says that the tests of a revision's tree passed; its line."""
    tree, commit = repo.tree(rev), repo.git("rev-parse", rev)
    return store_line(repo, tree, line_of(some_packet(tree=tree, commit=commit, **changes)))


def stored_packets(repo: RepoBuilder, rev: str = "HEAD") -> list[Packet]:
    """The packets kept under the tree of a revision."""
    tree = repo.tree(rev)
    with open_ledger(repo) as ledger:
        notes = ledger.read(PACKETS, [tree])
    statements = [read_packet(line.envelope) for line in notes[tree].lines] if tree in notes else []
    return [statement.packet for statement in statements if isinstance(statement, PacketStatement)]


def told(findings: tuple[Finding, ...]) -> list[tuple[str, str, str]]:
    """Code, severity and path of each finding."""
    return [(finding.code, finding.severity, finding.path) for finding in findings]
