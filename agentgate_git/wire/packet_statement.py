"""Packets as test results: https://in-toto.io/attestation/test-result/v0.1 (spec/predicates/test-result.md).

Any reader of that predicate sees result, configuration and failed tests; the other fields of the packet stand
in the extension object. `outcome_lines` is kept as `outcome_lines_zlib`: base64 of a zlib stream of the lines as a
JSON list, left out where it would be too large.
"""

from __future__ import annotations

import base64
import binascii
import zlib

from agentgate_git.model.evidence import Envelope
from agentgate_git.model.limits import MAX_LINE
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import Packet
from agentgate_git.model.record import Record
from agentgate_git.wire.canonical import Malformed, decode, encode
from agentgate_git.wire.shapes import (
    ANY,
    COUNT,
    INTEGER,
    OID,
    PAIRS,
    SHA256,
    TEXT,
    TEXTS,
    list_of,
    optional,
    read_fields,
    row_of,
)
from agentgate_git.wire.statement import EXTENSION, FAILED, PASSED, Unreadable, expect, extension_of, write_statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.wire.canonical import Json

TEST_RESULT = "https://in-toto.io/attestation/test-result/v0.1"
MAX_OUTCOMES_ENCODED = 512 << 10
MAX_OUTCOMES = 16 << 20
# What a payload may measure so that its envelope, with signatures, stays within MAX_LINE in base64.
MAX_PAYLOAD = MAX_LINE // 4 * 3 - (16 << 10)


class PacketStatement(Record):
    """A packet, and the tree that its statement says it is about."""

    subject: Oid
    packet: Packet


_PACKET_FIELDS = {
    "tree": OID,
    "base_tree": optional(OID),
    "commit": optional(OID),
    "author_job": TEXT,
    "codes": TEXTS,
    "tests_sha256": SHA256,
    "node_count": COUNT,
    "tests_by_file": list_of(row_of(TEXT, COUNT, TEXT)),
    "outcomes_sha256": SHA256,
    "outcomes": list_of(row_of(TEXT, COUNT)),
    "trimmed": TEXTS,
    "deselected_count": COUNT,
    "reruns": TEXTS,
    "warnings": COUNT,
    "interpreter": TEXT,
    "platform": TEXT,
    "argv": TEXTS,
    "plugins": TEXTS,
    "environment": PAIRS,
    "isolation": TEXT,
    "untracked_count": COUNT,
    "untracked_sha256": optional(SHA256),
    "foreign_imports": PAIRS,
    "manifest_sha256": optional(SHA256),
    "exit_status": INTEGER,
    "nonce": TEXT,
    "tool": TEXT,
    "started_at": TEXT,
    "finished_at": TEXT,
    "deselected": TEXTS,
    "strict_xfails": TEXTS,
    "seal_sha256": optional(SHA256),
}
# What packets of earlier versions have not.
_LATER_FIELDS: dict[str, Json] = {"deselected": [], "strict_xfails": [], "seal_sha256": ""}


def packet_payload(packet: Packet) -> bytes:
    """The statement of a packet, canonical; outcome lines are left out where they make it too large."""
    lines = _pack_outcomes(packet.outcome_lines)
    payload = write_statement(packet.tree, TEST_RESULT, _test_result(packet, lines))
    if lines and len(payload) > MAX_PAYLOAD:
        return write_statement(packet.tree, TEST_RESULT, _test_result(packet, ""))
    return payload


def read_packet(envelope: Envelope) -> PacketStatement | Unreadable:
    """The packet in an envelope; whether its trees agree is `subject_mismatch`."""
    try:
        statement = expect(envelope, TEST_RESULT)
        return PacketStatement(statement.subject, _packet(statement.predicate))
    except Malformed as reason:
        return Unreadable(str(reason))


def _test_result(packet: Packet, outcome_lines_zlib: str) -> dict[str, Json]:
    configuration: list[Json] = [{"digest": {"gitTree": packet.tree}, "name": "tree"}]
    if packet.manifest_sha256:
        configuration.append({"digest": {"sha256": packet.manifest_sha256}, "name": "manifest"})
    extension = {name: shape.write(getattr(packet, name)) for name, shape in _PACKET_FIELDS.items()}
    if outcome_lines_zlib:
        extension["outcome_lines_zlib"] = outcome_lines_zlib
    return {
        "result": PASSED if packet.is_pass() else FAILED,
        "configuration": configuration,
        "failedTests": TEXTS.write(packet.failed),
        EXTENSION: extension,
    }


def _packet(predicate: dict[str, Json]) -> Packet:
    extension = {**_LATER_FIELDS, **extension_of(predicate)}
    outer = read_fields(predicate, {"failedTests": TEXTS, "result": TEXT, "configuration": list_of(ANY)})
    fields = read_fields(extension, _PACKET_FIELDS)
    outcome_lines = _unpack_outcomes(extension.get("outcome_lines_zlib", ""))
    packet = Packet(failed=outer["failedTests"], outcome_lines=outcome_lines, **fields)
    if outer["result"] != (PASSED if packet.is_pass() else FAILED):
        raise Malformed("says another result than its codes")
    return packet


def _pack_outcomes(lines: tuple[str, ...]) -> str:
    if not lines:
        return ""
    text = encode(TEXTS.write(lines))
    packed = base64.b64encode(zlib.compress(text, 9))
    return packed.decode("ascii") if len(text) <= MAX_OUTCOMES and len(packed) <= MAX_OUTCOMES_ENCODED else ""


def _unpack_outcomes(value: Json) -> tuple[str, ...]:
    """Never more than MAX_OUTCOMES bytes, however small the packed text is."""
    if value == "":
        return ()
    if not isinstance(value, str) or not value.isascii() or len(value) > MAX_OUTCOMES_ENCODED:
        raise Malformed("outcome_lines_zlib is no base64 of allowed length")
    inflater = zlib.decompressobj()
    try:
        text = inflater.decompress(binascii.a2b_base64(value, strict_mode=True), MAX_OUTCOMES)
    except (binascii.Error, zlib.error):
        raise Malformed("outcome_lines_zlib is no zlib stream in base64") from None
    if not inflater.eof or inflater.unused_data:
        raise Malformed(f"outcome_lines_zlib is cut, or longer than {MAX_OUTCOMES} bytes")
    try:
        lines: tuple[str, ...] = TEXTS.read(decode(text, MAX_OUTCOMES))
    except Malformed as reason:
        raise Malformed(f"outcome_lines_zlib {reason}") from None
    return lines
