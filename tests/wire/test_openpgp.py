"""OpenPGP packets: whose key a signature names, and which keys a file holds; packets are made by hand here."""

from __future__ import annotations

import base64
import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.wire.openpgp import PublicKey, is_named_by, issuer_of, read_public_keys

KEY_BODY = b"\x04" + b"\x5e\x0b\xe1\x00" + b"\x16" + b"material"
SUBKEY_BODY = b"\x04" + b"\x5e\x0b\xe1\x01" + b"\x16" + b"material"
KEY = hashlib.sha1(b"\x99" + len(KEY_BODY).to_bytes(2, "big") + KEY_BODY).hexdigest().upper()
SUBKEY = hashlib.sha1(b"\x99" + len(SUBKEY_BODY).to_bytes(2, "big") + SUBKEY_BODY).hexdigest().upper()


def packet(tag: int, body: bytes, *, is_old: bool = False) -> bytes:
    if is_old:
        return bytes([0x80 | tag << 2 | 1]) + len(body).to_bytes(2, "big") + body
    return bytes([0xC0 | tag, 255]) + len(body).to_bytes(4, "big") + body


def subpacket(kind: int, data: bytes) -> bytes:
    return bytes([len(data) + 1, kind]) + data


def signature(hashed: bytes = b"", unhashed: bytes = b"", version: int = 4) -> bytes:
    sizes = (len(hashed).to_bytes(2, "big"), len(unhashed).to_bytes(2, "big"))
    return packet(2, bytes([version, 0, 22, 8]) + sizes[0] + hashed + sizes[1] + unhashed + b"the rest")


def armoured(data: bytes, kind: str = "SIGNATURE", headers: str = "") -> str:
    body = base64.b64encode(data).decode()
    return f"-----BEGIN PGP {kind}-----\n{headers}\n{body}\n=abcd\n-----END PGP {kind}-----\n"


BY_FINGERPRINT = subpacket(33, b"\x04" + bytes.fromhex(KEY))
BY_ID = subpacket(16, bytes.fromhex(KEY[-16:]))
OLD_SIGNATURE = packet(2, b"\x03\x05\x00" + b"time" + bytes.fromhex(KEY[-16:]) + b"rest", is_old=True)

ISSUERS = {
    "fingerprint": (signature(BY_FINGERPRINT), KEY),
    "id, unhashed": (signature(b"", BY_ID), KEY[-16:]),
    "both": (signature(BY_FINGERPRINT, BY_ID), KEY),
    "version 3": (OLD_SIGNATURE, KEY[-16:]),
    "none": (signature(), ""),
    "a version of later years": (signature(version=6), ""),
}


@pytest.mark.parametrize(("data", "issuer"), ISSUERS.values(), ids=ISSUERS)
@pytest.mark.parametrize("headers", ["", "Version: GnuPG v1\nComment: x\n"], ids=["plain", "with headers"])
def test_the_issuer_of_a_signature(data: bytes, issuer: str, headers: str) -> None:
    assert issuer == issuer_of(armoured(data, headers=headers))
    assert issuer == issuer_of(armoured(data, headers=headers).replace("\n", "\r\n"))


BROKEN = {
    "no armour": "hello",
    "two blocks": armoured(signature()) * 2,
    "two signatures": armoured(signature() + signature()),
    "no signature": armoured(packet(6, KEY_BODY)),
    "no base64": "-----BEGIN PGP SIGNATURE-----\n\n!!\n-----END PGP SIGNATURE-----\n",
    "cut short": armoured(signature(BY_FINGERPRINT)[:-20]),
    "subpackets cut short": armoured(signature(BY_FINGERPRINT[:5])),
    "no packet": armoured(b"hello"),
    "partial length": armoured(b"\xc2\xe1\x04"),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_signature(text: str) -> None:
    with pytest.raises(ValueError, match=r"^(is|holds|has) "):
        issuer_of(text)


@pytest.mark.parametrize("is_old", [True, False])
def test_a_key_and_those_below_it(is_old: bool) -> None:
    data = packet(6, KEY_BODY, is_old=is_old) + packet(13, b"Pat") + packet(14, SUBKEY_BODY, is_old=is_old)
    for file in (data, armoured(data, "PUBLIC KEY BLOCK").encode()):
        assert (PublicKey((KEY, SUBKEY)),) == read_public_keys(file)
    assert is_named_by(PublicKey((KEY, SUBKEY)), SUBKEY[-16:])
    assert not is_named_by(PublicKey((KEY,)), SUBKEY)


@pytest.mark.parametrize("data", [b"", b"hello", packet(6, b"\x05" + KEY_BODY[1:]), packet(6, KEY_BODY)[:-1]])
def test_a_file_that_holds_no_key(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"^(is|holds|has) "):
        read_public_keys(data)


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_readers(data: bytes) -> None:
    for read in (lambda: issuer_of(armoured(data)), lambda: read_public_keys(data), lambda: issuer_of(repr(data))):
        try:
            read()
        except ValueError:
            continue


def test_a_million_empty_packets_are_read_in_linear_time() -> None:
    with pytest.raises(ValueError, match="holds no public key"):
        read_public_keys(b"\xcb\x00" * 500_000)
    with pytest.raises(ValueError, match="holds 300000 signatures"):
        issuer_of(armoured(b"\xc2\x00" * 300_000))
