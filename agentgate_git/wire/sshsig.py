"""SSH signatures (openssh PROTOCOL.sshsig): the bytes of one, and what they say about its key.

Nothing is verified here. The flags byte is read because `ssh-keygen -Y verify` calls a signature "Good" whose
key was never touched.
"""

from __future__ import annotations

import base64
import binascii
import hashlib

from agentgate_git.model.record import Record
from agentgate_git.model.registry import BAD, UNVERIFIED, SignatureFacts
from agentgate_git.wire.openpgp import SIGNATURE_BEGIN, issuer_of

BEGIN = "-----BEGIN SSH SIGNATURE-----"
END = "-----END SSH SIGNATURE-----"
MAX_BYTES = 64 << 10

TOUCHED = 0x01
USER_VERIFIED = 0x04

_ARMOUR_WIDTH = 70
_MAGIC = b"SSHSIG"
_OTHER_ARMOUR = ("-----BEGIN PGP MESSAGE-----", "-----BEGIN SIGNED MESSAGE-----")


class SshSignature(Record):
    """A signature taken apart. `flags` and `counter` are -1 for keys that are not hardware keys."""

    public_key: bytes
    key_type: str
    namespace: str
    hash_algorithm: str
    signature: bytes
    flags: int = -1
    counter: int = -1


def read_sshsig(data: bytes) -> SshSignature:
    """Take the binary form apart; `ValueError` says what is wrong with it."""
    fields = _Fields(data)
    if fields.take(len(_MAGIC)) != _MAGIC:
        raise ValueError("this is no SSH signature")
    version = fields.integer(4)
    if version != 1:
        raise ValueError(f"SSH signature version {version} is not known")
    public_key, namespace, _, algorithm, blob = (fields.text() for _ in range(5))
    fields.end()
    key_type = _ascii(_Fields(public_key).text())
    flags, counter = _hardware_fields(blob, key_type)
    return SshSignature(public_key, key_type, _ascii(namespace), _ascii(algorithm), blob, flags, counter)


def unarmour(text: str) -> bytes:
    """The binary form of an armoured signature; `ValueError` when the armour is broken."""
    body = text.strip()
    if not body.startswith(BEGIN) or not body.endswith(END) or len(body) > 2 * MAX_BYTES:
        raise ValueError("this is no armoured SSH signature")
    inner = "".join(body[len(BEGIN) : -len(END)].split())
    try:
        return base64.b64decode(inner, validate=True)
    except binascii.Error as error:
        raise ValueError(f"the armour is broken ({error})") from None


def armour(data: bytes) -> str:
    """The armoured form of a signature, which `ssh-keygen -Y verify` takes."""
    text = base64.b64encode(data).decode("ascii")
    lines = (text[start : start + _ARMOUR_WIDTH] for start in range(0, len(text), _ARMOUR_WIDTH))
    return "\n".join((BEGIN, *lines, END, ""))


def armoured(data: bytes) -> str:
    """A signature in either form, as it may stand in an envelope, armoured; `ValueError` when it is neither."""
    if data.startswith(_MAGIC):
        return armour(data)
    text = data.decode("ascii")
    unarmour(text)
    return text


def fingerprint(public_key: bytes) -> str:
    """`SHA256:…` as ssh-keygen prints it."""
    digest = base64.b64encode(hashlib.sha256(public_key).digest()).decode("ascii")
    return "SHA256:" + digest.rstrip("=")


def plain_signature(blob: bytes) -> bytes:
    """The signature in the blob that an SSH agent gives, as tools that know nothing of SSH write it.

    Ed25519 and RSA as they are, ECDSA as DER; `ValueError` for keys of hardware, which never sign bytes as they are.
    """
    fields = _Fields(blob)
    kind, signature = _ascii(fields.text()), fields.text()
    if kind.startswith("sk-"):
        raise ValueError("a key held by hardware signs more than the bytes it is given")
    fields.end()
    if not kind.startswith("ecdsa-"):
        return signature
    parts = _Fields(signature)
    numbers = _der(0x02, parts.text()) + _der(0x02, parts.text())
    parts.end()
    return _der(0x30, numbers)


def key_line(public_key: bytes) -> str:
    """Type and base64 of a public key, as they stand in a file of keys."""
    kind = _ascii(_Fields(public_key).text())
    return f"{kind} {base64.b64encode(public_key).decode('ascii')}"


def signature_facts(signature: str) -> SignatureFacts | None:
    """What an unverified `gpgsig` header of a commit shows; None when the commit carries none.

    A signature that cannot be read counts as bad, and so does armour of no known kind.
    """
    text = signature.strip()
    if not text:
        return None
    if text.startswith(_OTHER_ARMOUR):
        return SignatureFacts(UNVERIFIED)
    try:
        if text.startswith(SIGNATURE_BEGIN):
            return SignatureFacts(UNVERIFIED, issuer_of(text))
        parsed = read_sshsig(unarmour(text))
    except ValueError as error:
        return SignatureFacts(BAD, problem=f"cannot be read: {error}")
    return SignatureFacts(UNVERIFIED, fingerprint(parsed.public_key), has_presence=has_presence(parsed))


def has_presence(signature: SshSignature) -> bool:
    """True when somebody touched the key, or proved who they are to it."""
    return signature.flags >= 0 and bool(signature.flags & (TOUCHED | USER_VERIFIED))


def _hardware_fields(blob: bytes, key_type: str) -> tuple[int, int]:
    """Flags and counter, which follow the signature of a key held by hardware."""
    fields = _Fields(blob)
    fields.text()
    fields.text()
    if not key_type.startswith("sk-"):
        return -1, -1
    flags, counter = fields.integer(1), fields.integer(4)
    fields.end()
    return flags, counter


def _der(tag: int, content: bytes) -> bytes:
    """An element of DER of at most 255 bytes; SSH writes a number as DER does."""
    size = bytes([len(content)]) if len(content) < 0x80 else bytes([0x81, len(content)])
    return bytes([tag]) + size + content


def _ascii(data: bytes) -> str:
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        raise ValueError("a name in the SSH signature is not ASCII") from None


class _Fields:
    """Reads SSH wire fields from the front of a byte string."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        taken = self._data[self._at : self._at + count]
        if len(taken) != count:
            raise ValueError("the SSH signature is cut short")
        self._at += count
        return taken

    def integer(self, width: int) -> int:
        return int.from_bytes(self.take(width), "big")

    def text(self) -> bytes:
        return self.take(self.integer(4))

    def end(self) -> None:
        if self._at != len(self._data):
            raise ValueError("something follows the SSH signature")
