"""Fuzz target: a commit object, its headers, its message and who made it."""

from __future__ import annotations

from pathlib import Path

from agentgate_git.flows.shipped import shipped_registry
from agentgate_git.model.failure import Failure
from agentgate_git.model.policy import Policy
from agentgate_git.policy.authors.authorship import classify
from agentgate_git.repo.commits import parse_commit

_OID = "1" * 40
_SHAPE = b"tree " + _OID.encode() + b"\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nm\n\nX: y\n"


def one(data: bytes) -> None:
    """A commit object: its headers, its message and who made it."""
    try:
        commit = parse_commit(_OID, data)
    except Failure:
        return
    classify(commit, shipped_registry(), Policy())


def seeds(folder: Path) -> None:
    """The shape of one."""
    (folder / "one").write_bytes(_SHAPE)
