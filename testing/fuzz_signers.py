"""Fuzz target: a list of enrolled or revoked keys, an exported key, and an armoured signature."""

from __future__ import annotations

import contextlib
from pathlib import Path

from agentgate_git.model.failure import Failure
from agentgate_git.wire.allowed_signers import read_allowed_signers, read_revoked_keys
from agentgate_git.wire.openpgp import read_public_keys
from agentgate_git.wire.sshsig import signature_facts

_SHAPE = b'human:a@b namespaces="agentgate" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI a\n'


def one(data: bytes) -> None:
    """A list of enrolled or revoked keys, an exported key, and an armoured signature."""
    with contextlib.suppress(Failure):
        read_allowed_signers(data)
        read_revoked_keys(data)
    with contextlib.suppress(ValueError):
        read_public_keys(data)
    signature_facts(data.decode("utf-8", "surrogateescape"))


def seeds(folder: Path) -> None:
    """The shape of one."""
    (folder / "one").write_bytes(_SHAPE)
