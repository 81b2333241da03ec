"""Seals, credits, logs and freezes as statements: what is written is read back, and nothing passes for another."""

from __future__ import annotations

from typing import Any

import pytest

from agentgate_git.model.evidence import Envelope
from agentgate_git.model.limits import MAX_LINE, MAX_LOG_TAIL
from agentgate_git.wire.canonical import decode, encode
from agentgate_git.wire.dsse import encode_envelope
from agentgate_git.wire.run_statements import (
    CreditStatement,
    FreezeStatement,
    LogsStatement,
    SealStatement,
    credit_payload,
    freeze_payload,
    inputs_sha256,
    log_tail,
    logs_payload,
    read_filed_freeze,
    read_run_logs,
    read_scored_credit,
    read_seal,
    seal_payload,
)
from agentgate_git.wire.statement import Unreadable, unsigned
from testing.records import SOME_TREE
from testing.sealed_runs import SOME_INPUTS, some_credit, some_freeze, some_logs, some_seal

PAYLOADS: dict[str, bytes] = {
    "seal": seal_payload(some_seal()),
    "credit": credit_payload(some_credit()),
    "logs": logs_payload(some_logs()),
    "freeze": freeze_payload(some_freeze()),
}
READERS: dict[str, Any] = {
    "seal": read_seal,
    "credit": read_scored_credit,
    "logs": read_run_logs,
    "freeze": read_filed_freeze,
}


def test_what_is_written_is_read_back() -> None:
    assert SealStatement(SOME_TREE, some_seal()) == read_seal(unsigned(PAYLOADS["seal"]))
    assert CreditStatement(SOME_TREE, some_credit()) == read_scored_credit(unsigned(PAYLOADS["credit"]))
    assert LogsStatement(SOME_TREE, some_logs()) == read_run_logs(unsigned(PAYLOADS["logs"]))
    assert FreezeStatement(SOME_TREE, some_freeze()) == read_filed_freeze(unsigned(PAYLOADS["freeze"]))


@pytest.mark.parametrize("name", READERS)
def test_none_of_them_passes_for_another(name: str) -> None:
    for other, payload in PAYLOADS.items():
        assert (other == name) == (not isinstance(READERS[name](unsigned(payload)), Unreadable))
    assert isinstance(READERS[name](Envelope(PAYLOADS[name], "text/plain")), Unreadable)


@pytest.mark.parametrize("name", READERS)
def test_another_version_is_not_read(name: str) -> None:
    statement: Any = decode(PAYLOADS[name])
    statement["predicateType"] = statement["predicateType"].replace(":v1", ":v2")
    found = READERS[name](unsigned(encode(statement)))
    assert isinstance(found, Unreadable)
    assert f"but urn:agentgate-git:{name}:v2" in found.reason


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The place of every member of the objects in a value; of lists, in the first item."""
    if isinstance(value, list):
        return leaves(value[0], (*path, 0)) if value else []
    found = [path] if path else []
    for key, member in value.items() if isinstance(value, dict) else ():
        found += leaves(member, (*path, key))
    return found


@pytest.mark.parametrize("name", READERS)
def test_every_member_has_to_be_there(name: str) -> None:
    places = [place for place in leaves(decode(PAYLOADS[name])["predicate"]["agentgate"]) if place[-1] != 0]  # type: ignore[index, call-overload]
    assert len(places) > 6
    for *above, key in places:
        statement: Any = decode(PAYLOADS[name])
        target = statement["predicate"]["agentgate"]
        for step in above:
            target = target[step]
        del target[key]
        found = READERS[name](unsigned(encode(statement)))
        assert isinstance(found, Unreadable), key
        assert f"{key} is missing" in found.reason


WRONG: dict[str, tuple[str, tuple[str, ...], Any, str]] = {
    "a runner without a name": ("seal", ("runner_job",), " ", "runner_job is empty"),
    "an author without a name": ("freeze", ("freeze", "author_job"), "", "author_job is empty"),
    "a digest that is none": ("credit", ("credit", "digest"), "abc123", "digest is no lower-case sha256"),
    "a freeze that names no line": ("freeze", ("freeze", "runner_digest"), "abc123", "runner_digest is no lower-case"),
    "an end without a zone": ("freeze", ("freeze", "expires_at"), "2026-10-19T00:00:00", "expires_at is no time"),
    "a time with an option in it": ("freeze", ("filed_at",), "2026-10-19T00:00:00Z -O x", "filed_at is no time"),
    "a pass as text": ("credit", ("credit", "is_pass"), "true", "is_pass is neither true nor false"),
    "a symbol without a name": ("credit", ("credit", "missing"), [""], "missing is empty"),
    "inputs that were not sealed": ("seal", ("inputs",), [], ""),
    "another digest than that of the inputs": ("seal", ("inputs_sha256",), "0" * 64, "another inputs_sha256"),
    "another number of inputs": ("seal", ("input_count",), 3, "counts 3 inputs and lists 2"),
    "a log that is not the one of its digest": ("logs", ("tail",), "2 passed\n", "another log_sha256 than its log"),
    "the end of a longer log": ("logs", ("size",), 10, ""),
    "an end that is too long": ("logs", ("tail",), "x" * (MAX_LOG_TAIL + 1), "tail is longer than 65536 bytes"),
    "a size that is none": ("logs", ("size",), -1, "size is negative"),
    "pins that are no pairs": ("seal", ("pins",), [["tz"]], "pins is no row of 2"),
}


@pytest.mark.parametrize(("name", "place", "value", "reason"), WRONG.values(), ids=WRONG)
def test_a_member_that_is_wrong(name: str, place: tuple[str, ...], value: Any, reason: str) -> None:
    statement: Any = decode(PAYLOADS[name])
    target = statement["predicate"]["agentgate"]
    for step in place[:-1]:
        target = target[step]
    target[place[-1]] = value
    found = READERS[name](unsigned(encode(statement)))
    if reason:
        assert isinstance(found, Unreadable)
        assert reason in found.reason
    else:
        assert not isinstance(found, Unreadable), "too much to keep it all, which its number tells"


def test_inputs_stand_in_order_and_once() -> None:
    turned = SOME_INPUTS[::-1]
    for inputs in (turned, (SOME_INPUTS[0], SOME_INPUTS[0])):
        seal = some_seal(inputs=inputs, inputs_sha256=inputs_sha256(inputs))
        found = read_seal(unsigned(seal_payload(seal)))
        assert isinstance(found, Unreadable)
        assert "twice or out of order" in found.reason
    assert inputs_sha256(SOME_INPUTS) == inputs_sha256(turned)


def test_no_inputs_at_all_have_a_digest_too() -> None:
    seal = some_seal(inputs=(), input_count=0, inputs_sha256=inputs_sha256(()))
    assert SealStatement(SOME_TREE, seal) == read_seal(unsigned(seal_payload(seal)))
    assert isinstance(read_seal(unsigned(seal_payload(seal._replace(inputs_sha256="0" * 64)))), Unreadable)


def test_the_digest_of_inputs_sees_paths_sizes_and_bytes() -> None:
    first = SOME_INPUTS[0]
    others = (first._replace(path="x"), first._replace(size=9), first._replace(sha256="1" * 64))
    assert 4 == len({inputs_sha256((one,)) for one in (first, *others)})


TAILS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", ""),
    "all of it": ("grün\n".encode(), "grün\n"),
    "bytes that are no text": (b"a\xff\x80b", "a\ufffd\ufffdb"),
    "cut in a character": ("€".encode() * MAX_LOG_TAIL, "€" * (MAX_LOG_TAIL // 3)),
    "no text at all": (b"\xff" * 2 * MAX_LOG_TAIL, "\ufffd" * (MAX_LOG_TAIL // 3)),
    "the most that JSON makes of it": (b"\0" * 2 * MAX_LOG_TAIL, "\0" * MAX_LOG_TAIL),
}


@pytest.mark.parametrize(("log", "tail"), TAILS.values(), ids=TAILS)
def test_the_end_of_a_log_is_text_and_fits_a_line(log: bytes, tail: str) -> None:
    assert tail == log_tail(log[-MAX_LOG_TAIL:], len(log))
    logs = some_logs(tail=tail, size=len(log) + 1)
    envelope = unsigned(logs_payload(logs))
    assert LogsStatement(SOME_TREE, logs) == read_run_logs(envelope)
    assert len(encode_envelope(envelope)) < MAX_LINE - 4096


@pytest.mark.parametrize("payload", [b"", b"{", b"null", b"[" * 5000, b'{"_type":"https://in-toto.io/Statement/v1"}'])
def test_no_payload_raises(payload: bytes) -> None:
    for read in READERS.values():
        assert isinstance(read(unsigned(payload)), Unreadable)
