"""SSH signatures taken apart; samples are made by ssh-keygen itself or by hand."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.registry import BAD, UNVERIFIED, SignatureFacts
from agentgate_git.wire.sshsig import (
    BEGIN,
    END,
    TOUCHED,
    fingerprint,
    read_sshsig,
    signature_facts,
    unarmour,
)


def field(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def made_by_hand(public_key: bytes, blob: bytes, namespace: bytes = b"git") -> bytes:
    fields = (public_key, namespace, b"", b"sha512", blob)
    return b"SSHSIG" + (1).to_bytes(4, "big") + b"".join(map(field, fields))


def armoured(data: bytes) -> str:
    text = base64.b64encode(data).decode()
    lines = [text[start : start + 70] for start in range(0, len(text), 70)]
    return "\n".join((BEGIN, *lines, END))


SK_KEY = field(b"sk-ssh-ed25519@openssh.com") + field(b"k" * 32) + field(b"ssh:")
PLAIN_KEY = field(b"ssh-ed25519") + field(b"k" * 32)
PLAIN_BLOB = field(b"ssh-ed25519") + field(b"s" * 64)


def sk_blob(flags: int) -> bytes:
    return field(b"sk-ssh-ed25519@openssh.com") + field(b"s" * 64) + bytes([flags]) + (7).to_bytes(4, "big")


def test_a_signature_of_ssh_keygen_is_read(tmp_path: Path) -> None:
    key = tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    signed = subprocess.run(
        ["ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", key], input=b"message", capture_output=True, check=True
    )
    listed = subprocess.run(["ssh-keygen", "-l", "-f", f"{key}.pub"], capture_output=True, check=True, text=True)
    parsed = read_sshsig(unarmour(signed.stdout.decode()))
    assert ("ssh-ed25519", "git", "sha512", -1) == (
        parsed.key_type,
        parsed.namespace,
        parsed.hash_algorithm,
        parsed.flags,
    )
    assert listed.stdout.split()[1] == fingerprint(parsed.public_key)
    assert SignatureFacts(UNVERIFIED, listed.stdout.split()[1]) == signature_facts(signed.stdout.decode())


@pytest.mark.parametrize("flags", [0, 1, 5])
def test_the_flags_of_a_hardware_key_are_read(flags: int) -> None:
    parsed = read_sshsig(made_by_hand(SK_KEY, sk_blob(flags)))
    assert (flags, 7, bool(flags & TOUCHED)) == (parsed.flags, parsed.counter, flags > 0)


BROKEN = {
    "other magic": b"SSHSIX" + made_by_hand(PLAIN_KEY, PLAIN_BLOB)[6:],
    "other version": b"SSHSIG\0\0\0\2" + made_by_hand(PLAIN_KEY, PLAIN_BLOB)[10:],
    "cut short": made_by_hand(PLAIN_KEY, PLAIN_BLOB)[:-1],
    "something after it": made_by_hand(PLAIN_KEY, PLAIN_BLOB) + b"x",
    "empty key": made_by_hand(b"", PLAIN_BLOB),
    "hardware key without flags": made_by_hand(SK_KEY, PLAIN_BLOB),
    "nothing": b"",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_a_broken_signature_is_bad(data: bytes) -> None:
    with pytest.raises(ValueError, match="SSH signature"):
        read_sshsig(data)
    facts = signature_facts(armoured(data))
    assert (BAD, True) == (facts and facts.status, bool(facts and facts.problem.startswith("cannot be read: ")))


HEADERS = {
    "none": ("", None),
    "openpgp, broken": ("-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n", SignatureFacts(BAD)),
    "x509": ("-----BEGIN SIGNED MESSAGE-----\nabc\n-----END SIGNED MESSAGE-----\n", SignatureFacts(UNVERIFIED)),
    "ssh": (armoured(made_by_hand(PLAIN_KEY, PLAIN_BLOB)), SignatureFacts(UNVERIFIED, fingerprint(PLAIN_KEY))),
    "unknown armour": ("hello", SignatureFacts(BAD)),
    "ssh armour, no base64": (f"{BEGIN}\n!!!\n{END}", SignatureFacts(BAD)),
    "ssh armour without an end": (BEGIN, SignatureFacts(BAD)),
}


@pytest.mark.parametrize(("header", "expected"), HEADERS.values(), ids=HEADERS)
def test_the_header_of_a_commit(header: str, expected: SignatureFacts | None) -> None:
    facts = signature_facts(header)
    assert expected == (facts._replace(problem="") if facts else None)


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    for candidate in (data, b"SSHSIG\0\0\0\1" + data):
        try:
            read_sshsig(candidate)
        except ValueError:
            continue
