"""Packets as in-toto test results."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate_git.model.limits import MAX_LINE
from agentgate_git.model.packet import Packet
from agentgate_git.wire.canonical import encode
from agentgate_git.wire.dsse import encode_envelope
from agentgate_git.wire.packet_statement import (
    MAX_OUTCOMES,
    MAX_PAYLOAD,
    PacketStatement,
    packet_payload,
    read_packet,
)
from agentgate_git.wire.statement import Unreadable, unsigned
from testing.records import SOME_SHA256, SOME_TREE, some_packet

ANY_TEXT = st.text()  # lone surrogates too: they stand for file names that are no UTF-8
TEXTS = st.lists(ANY_TEXT, max_size=3).map(tuple)
PAIRS = st.lists(st.tuples(ANY_TEXT, ANY_TEXT), max_size=3).map(tuple)
COUNTS = st.integers(0, 1 << 40)
OIDS = st.text("0123456789abcdef", min_size=40, max_size=40) | st.text("0123456789abcdef", min_size=64, max_size=64)
PACKETS = st.builds(
    some_packet,
    tree=OIDS,
    base_tree=OIDS | st.just(""),
    commit=OIDS | st.just(""),
    author_job=ANY_TEXT,
    codes=TEXTS,
    node_count=COUNTS,
    tests_by_file=st.lists(st.tuples(ANY_TEXT, COUNTS, ANY_TEXT), max_size=3).map(tuple),
    outcomes=st.lists(st.tuples(ANY_TEXT, COUNTS), max_size=3).map(tuple),
    outcome_lines=TEXTS,
    failed=TEXTS,
    reruns=TEXTS,
    environment=PAIRS,
    foreign_imports=PAIRS,
    manifest_sha256=st.sampled_from(["", SOME_SHA256]),
    exit_status=st.integers(-9, 255),
    deselected=TEXTS,
    strict_xfails=TEXTS,
    seal_sha256=st.sampled_from(["", SOME_SHA256]),
)


def changed(**extension: Any) -> bytes:
    """The payload of a packet with some members of its extension object replaced; None takes one away."""
    value = json.loads(packet_payload(some_packet()))
    members = {**value["predicate"]["agentgate"], **extension}
    value["predicate"]["agentgate"] = {name: member for name, member in members.items() if member is not None}
    return encode(value)


@settings(deadline=None, max_examples=150)
@given(PACKETS)
def test_a_packet_survives(packet: Packet) -> None:
    assert PacketStatement(packet.tree, packet) == read_packet(unsigned(packet_payload(packet)))


def test_any_reader_of_test_results_sees_the_result() -> None:
    packet = some_packet(codes=("E_TESTS_FAILED",), failed=("t.py::test_x",), manifest_sha256=SOME_SHA256)
    statement = json.loads(packet_payload(packet))
    predicate = statement["predicate"]
    assert "https://in-toto.io/attestation/test-result/v0.1" == statement["predicateType"]
    assert [{"name": "tree", "digest": {"gitTree": SOME_TREE}}] == statement["subject"]
    assert ("FAILED", ["t.py::test_x"]) == (predicate["result"], predicate["failedTests"])
    assert [
        {"name": "tree", "digest": {"gitTree": SOME_TREE}},
        {"name": "manifest", "digest": {"sha256": SOME_SHA256}},
    ] == predicate["configuration"]


def test_a_packet_of_an_earlier_version_lacks_what_came_later() -> None:
    packet = some_packet()
    payload = changed(deselected=None, strict_xfails=None)
    assert PacketStatement(SOME_TREE, packet) == read_packet(unsigned(payload))


def test_a_member_we_do_not_know_is_ignored() -> None:
    assert PacketStatement(SOME_TREE, some_packet()) == read_packet(unsigned(changed(later={"x": 1})))


def test_outcome_lines_are_left_out_where_they_are_too_many() -> None:
    packet = some_packet(outcome_lines=tuple(f"passed {number:064x}" for number in range(MAX_OUTCOMES // 70)))
    assert PacketStatement(packet.tree, packet._replace(outcome_lines=())) == read_packet(
        unsigned(packet_payload(packet))
    )


def test_a_packet_with_many_files_still_fits_into_a_line() -> None:
    lines = tuple(hashlib.sha256(b"%d" % number).hexdigest() for number in range(9_000))
    rows = tuple((f"tests/{number:060}.py", 1, "0123456789abcdef") for number in range(4_000))
    packet = some_packet(outcome_lines=lines, tests_by_file=rows)
    payload = packet_payload(packet)
    assert MAX_PAYLOAD > len(payload)
    assert MAX_LINE > len(encode_envelope(unsigned(payload)))
    assert PacketStatement(packet.tree, packet._replace(outcome_lines=())) == read_packet(unsigned(payload))


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        pytest.param(changed(nonce=None), "nonce is missing", id="a field is missing"),
        pytest.param(changed(node_count="3"), "node_count is no whole number", id="text for a count"),
        pytest.param(changed(node_count=True), "node_count is no whole number", id="a boolean for a count"),
        pytest.param(changed(node_count=-1), "node_count is negative", id="a negative count"),
        pytest.param(changed(tests_sha256="ABC"), "tests_sha256 is no lower-case sha256", id="no digest"),
        pytest.param(changed(tests_sha256=""), "tests_sha256 is no lower-case sha256", id="an empty digest"),
        pytest.param(changed(tree="HEAD"), "tree is no object id", id="a name for an id"),
        pytest.param(changed(environment=[["TZ"]]), "environment is no row of 2", id="half a pair"),
        pytest.param(changed(argv="-q"), "argv is no list", id="text for a list"),
        pytest.param(changed(argv=[1]), "argv is no text", id="a number for text"),
        pytest.param(changed(tool="\0zz"), "tool has an escape that stands for nothing", id="half an escape"),
        pytest.param(changed(codes=["E_TESTS_FAILED"]), "says another result than its codes", id="PASSED with codes"),
        pytest.param(
            changed(outcome_lines_zlib="AAAA"), "outcome_lines_zlib is no zlib stream in base64", id="no zlib stream"
        ),
        pytest.param(
            changed(outcome_lines_zlib="é"), "outcome_lines_zlib is no base64 of allowed length", id="no base64"
        ),
        pytest.param(
            changed(outcome_lines_zlib=base64.b64encode(zlib.compress(b"[]")[:-1]).decode()),
            "outcome_lines_zlib is cut, or longer than 16777216 bytes",
            id="a cut stream",
        ),
        pytest.param(
            changed(outcome_lines_zlib=base64.b64encode(zlib.compress(b" " * (64 << 20), 9)).decode()),
            "outcome_lines_zlib is cut, or longer than 16777216 bytes",
            id="a zip bomb",
        ),
        pytest.param(
            changed(outcome_lines_zlib=base64.b64encode(zlib.compress(b"{}")).decode()),
            "outcome_lines_zlib is no list",
            id="no list of lines",
        ),
    ],
)
def test_what_is_no_packet(payload: bytes, reason: str) -> None:
    assert Unreadable(reason) == read_packet(unsigned(payload))


def test_a_test_result_of_another_tool_is_no_packet() -> None:
    value = json.loads(packet_payload(some_packet()))
    del value["predicate"]["agentgate"]
    assert Unreadable("has no agentgate object") == read_packet(unsigned(encode(value)))


def test_a_statement_of_another_kind_is_no_packet() -> None:
    value = {**json.loads(packet_payload(some_packet())), "predicateType": "https://slsa.dev/provenance/v1"}
    expected = "is no https://in-toto.io/attestation/test-result/v0.1 but https://slsa.dev/provenance/v1"
    assert Unreadable(expected) == read_packet(unsigned(encode(value)))
