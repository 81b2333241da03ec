"""Signing a line of evidence with the key of whoever is here."""

from __future__ import annotations

import os

from agentgate_git.flows.shipped import shipped_registry
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.evidence import Envelope, Line, Signature
from agentgate_git.model.failure import UsageFailure
from agentgate_git.policy.authors.agent_marks import environment_mark
from agentgate_git.repo.ssh_keygen import EVIDENCE_NAMESPACE, sign
from agentgate_git.wire.bundle import read_line
from agentgate_git.wire.dsse import IN_TOTO, encode_envelope, pae
from agentgate_git.wire.sshsig import fingerprint, read_sshsig, unarmour


def agent_here(workspace: Workspace) -> str:
    """The mark of the agent in whose environment we are, empty when there is none."""
    mark = environment_mark(workspace.environ, shipped_registry())
    return mark.seen if mark else ""


def signed_line(workspace: Workspace, payload: bytes, key: str) -> Line:
    """A line with one signature, and its key's fingerprint as a hint which one that is.

    `key` is a file, empty for the key that commits are signed with.
    """
    text = sign(key or signing_key(workspace), EVIDENCE_NAMESPACE, pae(IN_TOTO, payload), workspace.environ)
    signature = unarmour(text)
    keyid = fingerprint(read_sshsig(signature).public_key)
    return read_line(encode_envelope(Envelope(payload, IN_TOTO, (Signature(keyid, signature),))))


def signing_key(workspace: Workspace) -> str:
    """The key that the user signs commits with; a key given as text is written down for ssh-keygen."""
    git = workspace.clone
    is_ssh = git.try_run("config", "--get", "gpg.format").stdout.strip() == b"ssh"
    answer = git.try_run("config", "--type=path", "--get", "user.signingkey")
    key = os.fsdecode(answer.stdout).removesuffix("\n") if answer.status == 0 and is_ssh else ""
    if not key:
        raise UsageFailure("no SSH key is known to sign with", "name one with --key, or configure user.signingkey")
    if key.startswith(("key::", "ssh-", "sk-", "ecdsa-")):
        path = os.path.join(workspace.scratch(), "key.pub")
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
            file.write(key.removeprefix("key::") + "\n")
        return path
    return key
