"""Exported lines, checked by code that is not ours: the DSSE of securesystemslib and the statements of in-toto."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import load_ssh_public_key
from google.protobuf import json_format
from in_toto_attestation.v1.statement import Statement
from in_toto_attestation.v1.statement_pb2 import Statement as Protobuf
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import Key, SSlibKey

from agentgate_git.wire.sshsig import plain_signature
from testing.command_line import agentgate
from testing.evidence_keys import Keys
from testing.proposals import with_topic
from testing.repo_builder import RepoBuilder
from testing.sealed_runs import store_run, trees_of

# What ssh-keygen makes, and what securesystemslib calls the signatures of it.
KINDS = {"ed25519": "ed25519", "ecdsa": "ecdsa-sha2-nistp256", "rsa": "rsa-pkcs1v15-sha256"}


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "keys")


@pytest.fixture
def keys_of_each_kind(tmp_path: Path, keys: Keys) -> Keys:
    """One key of each kind, by its name."""
    for kind, bits in (("ecdsa", "256"), ("rsa", "2048")):
        options = ["-q", "-t", kind, "-b", bits, "-N", "", "-C", kind, "-f", str(tmp_path / "keys" / kind)]
        subprocess.run(["ssh-keygen", *options], check=True, capture_output=True)
    return keys


@pytest.fixture
def agent_socket(tmp_path: Path, keys: Keys) -> Iterator[str]:
    """The user's own agent, which holds the key ed25519."""
    path = str(tmp_path / "agent")
    said = subprocess.run(["ssh-agent", "-a", path], check=True, capture_output=True).stdout.decode()
    add = ["ssh-add", "-q", str(keys.path("ed25519"))]
    subprocess.run(add, env={**os.environ, "SSH_AUTH_SOCK": path}, check=True, capture_output=True)
    yield path
    os.kill(int(said.partition("SSH_AGENT_PID=")[2].partition(";")[0]), signal.SIGTERM)


def public_key(keys: Keys, name: str, scheme: str) -> Key:
    """A public key as securesystemslib takes it, by nothing but the file that ssh-keygen wrote."""
    line = keys.public(name)
    listed = subprocess.run(["ssh-keygen", "-l", "-f", "-"], input=line.encode(), capture_output=True, check=True)
    return SSlibKey.from_crypto(load_ssh_public_key(line.encode()), listed.stdout.decode().split()[1], scheme)


def envelope_of(line: str) -> Envelope:
    return Envelope.from_dict(json.loads(line))


def test_an_exported_line_is_checked_by_securesystemslib_and_in_toto(
    repo: RepoBuilder, keys_of_each_kind: Keys
) -> None:
    keys = keys_of_each_kind
    with_topic(repo)
    tree = repo.tree()
    for kind in KINDS:
        store_run(repo, lambda payload, kind=kind: keys.signed_line(kind, payload), credit_id=kind)  # type: ignore[misc]
    store_run(repo)
    stored = agentgate(repo, "ledger", "cat", "credits", tree).stdout.splitlines()
    for kind, scheme in KINDS.items():
        done = agentgate(repo, "ledger", "export", "credits", tree, "--key", str(keys.path(kind)))
        assert (0, True) == (done.status, done.stderr.startswith("git agentgate: 3 line(s) left out")), done.stderr
        (line,) = done.stdout.splitlines()
        envelope, key = envelope_of(line), public_key(keys, kind, scheme)
        assert {key.keyid: key} == envelope.verify([key], 1)
        assert json.loads(line)["payload"] in {json.loads(one)["payload"] for one in stored}
        envelope.payload += b" "
        with pytest.raises(VerificationError):
            envelope.verify([key], 1)
        other = public_key(keys, "other", "ed25519")
        other.keyid = key.keyid
        with pytest.raises(VerificationError):
            envelope_of(line).verify([other], 1)
        statement = json_format.Parse(envelope_of(line).payload, Protobuf())
        Statement.copy_from_pb(statement).validate()
        extension = json_format.MessageToDict(statement.predicate)["agentgate"]
        assert (tree, kind) == (statement.subject[0].digest["gitTree"], extension["credit"]["credit_id"])


def test_a_key_that_an_agent_holds(repo: RepoBuilder, keys: Keys, agent_socket: str) -> None:
    with_topic(repo)
    store_run(repo, lambda payload: keys.signed_line("ed25519", payload))
    export = ("ledger", "export", "seals", repo.tree(), "--key", f"{keys.path('ed25519')}.pub")
    done = agentgate(repo, *export, SSH_AUTH_SOCK=agent_socket)
    key = public_key(keys, "ed25519", "ed25519")
    assert (0, "") == (done.status, done.stderr)
    assert {key.keyid: key} == envelope_of(done.stdout).verify([key], 1)
    without = agentgate(repo, *export, SSH_AUTH_SOCK="")
    assert (2, 1, True) == (without.status, without.stderr.count("\n"), "no agent of SSH answers" in without.stderr)


def test_what_cannot_be_exported(repo: RepoBuilder, keys: Keys, tmp_path: Path) -> None:
    with_topic(repo)
    about = trees_of(repo)

    def exported(tree: str, key: str) -> tuple[int, str]:
        done = agentgate(repo, "ledger", "export", "seals", tree, "--key", key)
        assert "" == done.stdout
        return done.status, done.stderr

    own = str(keys.path("ed25519"))
    status, said = exported(about["tree"], own)
    assert (4, True) == (status, "no seals are kept here" in said)
    store_run(repo, lambda payload: keys.signed_line("ed25519", payload, namespace="git"))
    left_out = "git agentgate: 1 line(s) left out that this key did not sign: name the key that did\n"
    assert (4, left_out) == exported(about["tree"], own)
    (tmp_path / "none").write_text("no key")
    for tree, key in (("nowhere", own), (about["tree"], str(tmp_path / "none")), (about["tree"], "/nowhere")):
        status, said = exported(tree, key)
        assert (2, 1) == (status, said.count("\n"))


def field(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


PLAIN: dict[str, tuple[bytes, Any]] = {
    "as it is": (field(b"ssh-ed25519") + field(b"s" * 64), b"s" * 64),
    "numbers as DER": (field(b"ecdsa-sha2-nistp256") + field(field(b"\1") + field(b"\0\xff")), b"0\7\2\1\1\2\2\0\xff"),
    "large numbers as DER": (
        field(b"ecdsa-sha2-nistp521") + field(field(b"\1" * 66) + field(b"\2" * 66)),
        b"0\x81\x88\2\x42" + b"\1" * 66 + b"\2\x42" + b"\2" * 66,
    ),
    "of hardware": (field(b"sk-ssh-ed25519@openssh.com") + field(b"s" * 64) + bytes(5), None),
    "with something behind it": (field(b"ssh-ed25519") + field(b"s") + b"x", None),
    "cut short": (field(b"ssh-ed25519")[:-1], None),
}


@pytest.mark.parametrize(("blob", "expected"), PLAIN.values(), ids=PLAIN)
def test_the_signature_in_a_blob_of_an_agent(blob: bytes, expected: bytes | None) -> None:
    if expected is None:
        with pytest.raises(ValueError):  # noqa: PT011 - each has its own words
            plain_signature(blob)
    else:
        assert expected == plain_signature(blob)
