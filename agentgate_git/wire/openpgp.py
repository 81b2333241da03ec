"""OpenPGP (RFC 4880) as far as it says whose key is meant: the issuer of a signature, the ids of public keys.

Nothing is verified here; whether a signature is good is gpg's answer. Keys of version 4 are known, as gpg makes them.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterator

from agentgate_git.model.record import Record

SIGNATURE_BEGIN = "-----BEGIN PGP SIGNATURE-----"
MAX_BYTES = 1 << 20

_KEY_BEGIN = b"-----BEGIN PGP PUBLIC KEY BLOCK-----"
_SIGNATURE, _PUBLIC_KEY, _PUBLIC_SUBKEY = 2, 6, 14
_ISSUER, _ISSUER_FINGERPRINT = 16, 33


class PublicKey(Record):
    """A primary key and the keys below it, each as its fingerprint in capitals, the primary first."""

    fingerprints: tuple[str, ...]


def issuer_of(signature: str) -> str:
    """The fingerprint, or else the id, of the key that a detached signature names as its own, in capitals.

    Empty where it names none, or is of a version that is not known; `ValueError`, whose text completes "the
    signature …", when the armour or a packet cannot be read, or when there is not exactly one signature.
    """
    found = [body for tag, body in _packets(_unarmour(signature.encode("utf-8", "replace"))) if tag == _SIGNATURE]
    if len(found) != 1:
        raise ValueError(f"holds {len(found)} signatures")
    return _issuer(found[0])


def read_public_keys(data: bytes) -> tuple[PublicKey, ...]:
    """The keys of an exported file, armoured or not; `ValueError` for one that is none, which completes "it …"."""
    keys: list[tuple[str, ...]] = []
    for tag, body in _packets(_unarmour(data) if _KEY_BEGIN in data else data):
        if tag == _PUBLIC_KEY:
            keys.append((_fingerprint(body),))
        elif tag == _PUBLIC_SUBKEY and keys:
            keys[-1] = (*keys[-1], _fingerprint(body))
    if not keys:
        raise ValueError("holds no public key")
    return tuple(map(PublicKey, keys))


def is_named_by(key: PublicKey, issuer: str) -> bool:
    """True when an issuer (fingerprint or id) is the key or one below it."""
    return any(fingerprint.endswith(issuer) for fingerprint in key.fingerprints)


def _fingerprint(body: bytes) -> str:
    if body[:1] != b"\x04":
        raise ValueError(f"holds a key of version {body[0] if body else 0}")
    return hashlib.sha1(b"\x99" + len(body).to_bytes(2, "big") + body, usedforsecurity=False).hexdigest().upper()


def _issuer(body: bytes) -> str:
    """What the packet says of its issuer: the fingerprint of version 4 where it stands, else the id."""
    if body[:1] == b"\x03":
        return body[7:15].hex().upper() if len(body) >= 15 else ""
    if body[:1] != b"\x04":
        return ""
    hashed, rest = _sized(body[4:], 2)
    unhashed, _ = _sized(rest, 2)
    subpackets = [*_subpackets(hashed), *_subpackets(unhashed)]
    whole = next((data[1:] for kind, data in subpackets if kind == _ISSUER_FINGERPRINT and len(data) == 21), b"")
    short = next((data for kind, data in subpackets if kind == _ISSUER and len(data) == 8), b"")
    return (whole or short).hex().upper()


def _subpackets(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        size, at = _new_length(data, at)
        if size < 1 or at + size > len(data):
            raise ValueError("is cut short")
        yield data[at] & 0x7F, data[at + 1 : at + size]
        at += size


def _packets(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        tag, size, at = _header(data, at)
        if at + size > len(data):
            raise ValueError("is cut short")
        yield tag, data[at : at + size]
        at += size


def _header(data: bytes, at: int) -> tuple[int, int, int]:
    """Tag and length of the packet that begins at a place, and where its body begins."""
    first = data[at]
    if not first & 0x80:
        raise ValueError("is no OpenPGP packet")
    if first & 0x40:
        size, at = _new_length(data, at + 1)
        return first & 0x3F, size, at
    width = 1 << (first & 3)
    if width == 8:
        raise ValueError("has a packet without a length")
    return (first >> 2) & 0x0F, int.from_bytes(data[at + 1 : at + 1 + width], "big"), at + 1 + width


def _new_length(data: bytes, at: int) -> tuple[int, int]:
    """A length of one, two or five bytes, and where it ends; partial lengths have no place in keys."""
    first = data[at] if at < len(data) else 0
    if at < len(data) and first < 192:
        return first, at + 1
    if 192 <= first < 224 and at + 2 <= len(data):
        return ((first - 192) << 8) + data[at + 1] + 192, at + 2
    if first == 255 and at + 5 <= len(data):
        return int.from_bytes(data[at + 1 : at + 5], "big"), at + 5
    raise ValueError("has a length that is cut short, or that cannot be read")


def _sized(data: bytes, width: int) -> tuple[bytes, bytes]:
    size = int.from_bytes(data[:width], "big")
    if len(data) < width + size:
        raise ValueError("is cut short")
    return data[width : width + size], data[width + size :]


def _unarmour(data: bytes) -> bytes:
    """The binary form of the first armoured block; its headers and its checksum are not needed."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"is longer than {MAX_BYTES} bytes")
    lines = [line.strip() for line in data.replace(b"\r\n", b"\n").split(b"\n")]
    begins = [index for index, line in enumerate(lines) if line.startswith(b"-----BEGIN PGP ")]
    ends = [index for index, line in enumerate(lines) if line.startswith(b"-----END PGP ")]
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0]:
        raise ValueError("is not one armoured block")
    body = lines[begins[0] + 1 : ends[0]]
    if b"" in body:
        body = body[body.index(b"") + 1 :]
    text = b"".join(line for line in body if not line.startswith(b"="))
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise ValueError("has broken armour") from None
