"""DSSE envelopes (secure-systems-lab/dsse, envelope.md and protocol.md, v1.0.2), one line of JSON each."""

from __future__ import annotations

import base64
import binascii

from agentgate_git.model.evidence import Envelope, Signature
from agentgate_git.model.limits import MAX_LINE
from agentgate_git.wire.canonical import Malformed, decode, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.wire.canonical import Json

IN_TOTO = "application/vnd.in-toto+json"

# How encode_envelope writes an envelope that nobody signed, before and behind its payload.
_BEFORE = b'{"payload":"'
_BEHIND = b'","payloadType":"' + IN_TOTO.encode("ascii") + b'","signatures":[]}'
_URL_SAFE = str.maketrans("-_", "+/")


def pae(payload_type: str, payload: bytes) -> bytes:
    """The bytes that are signed; lengths count bytes and are written in decimal."""
    kind = payload_type.encode("utf-8")
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def encode_envelope(envelope: Envelope) -> bytes:
    """One line without its newline, in canonical JSON and standard base64."""
    return encode(
        {
            "payload": _to_base64(envelope.payload),
            "payloadType": envelope.payload_type,
            "signatures": [{"keyid": item.keyid, "sig": _to_base64(item.sig)} for item in envelope.signatures],
        }
    )


def decode_envelope(line: bytes) -> Envelope:
    """The envelope of one line, in either base64 alphabet; members we do not know are ignored; else Malformed."""
    return _decode_plain(line) or _decode_json(line)


def _decode_plain(line: bytes) -> Envelope | None:
    """What _decode_json gives, several times faster, for unsigned lines as encode_envelope writes them; else None."""
    if not line.startswith(_BEFORE) or not line.endswith(_BEHIND) or len(line) > MAX_LINE:
        return None
    try:
        return Envelope(binascii.a2b_base64(line[len(_BEFORE) : -len(_BEHIND)], strict_mode=True), IN_TOTO)
    except ValueError:
        return None


def _decode_json(line: bytes) -> Envelope:
    value = decode(line)
    if not isinstance(value, dict):
        raise Malformed("is no DSSE envelope: not an object")
    payload_type = value.get("payloadType")
    signatures = value.get("signatures")
    if not isinstance(payload_type, str) or not payload_type:
        raise Malformed("is no DSSE envelope: payloadType is missing")
    if not isinstance(signatures, list):
        raise Malformed("is no DSSE envelope: signatures is no list")
    payload = _from_base64(value.get("payload"), "payload")
    return Envelope(payload, payload_type, tuple(_signature(item) for item in signatures))


def _signature(value: Json) -> Signature:
    if not isinstance(value, dict):
        raise Malformed("is no DSSE envelope: a signature is no object")
    keyid = value.get("keyid", "")
    if not isinstance(keyid, str):
        raise Malformed("is no DSSE envelope: keyid is no text")
    return Signature(keyid, _from_base64(value.get("sig"), "sig"))


def _to_base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _from_base64(value: Json, name: str) -> bytes:
    try:
        if not isinstance(value, str):
            raise ValueError
        text = value.translate(_URL_SAFE) if "-" in value or "_" in value else value
        return binascii.a2b_base64(text, strict_mode=True) if text else b""
    except ValueError:  # binascii.Error too, and any character beyond ASCII
        raise Malformed(f"is no DSSE envelope: {name} is no base64") from None
