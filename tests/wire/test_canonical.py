"""Canonical JSON: one value, one byte sequence; what is not of the subset is refused."""

from __future__ import annotations

import json
from functools import reduce
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate_git.wire.canonical import MAX_DEPTH, MAX_INTEGER, Malformed, decode, encode, is_canonical

TEXT = st.text(st.characters(codec="utf-8"))
SCALARS = st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | TEXT
KEYS = st.text(st.characters(max_codepoint=127))
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20)
DEEPEST: list[Any] = reduce(lambda inner, _: [inner], range(MAX_DEPTH - 1), [])


@settings(deadline=None, max_examples=300)
@given(VALUES)
def test_a_value_survives_and_is_the_bytes_of_rfc_8785(value: Any) -> None:
    data = encode(value)
    assert value == decode(data)
    assert rfc8785.dumps(value) == data
    assert is_canonical(value, data)


@settings(deadline=None, max_examples=300)
@given(st.binary() | st.text().map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_or_refused_with_a_reason(data: bytes) -> None:
    try:
        value = decode(data)
    except Malformed:
        return
    assert value == decode(encode(value))


@pytest.mark.parametrize(
    ("data", "value"),
    [
        pytest.param(b'{"b":1,"a":[true,null]}', {"a": [True, None], "b": 1}, id="an object"),
        pytest.param(b' [ "\xc3\xa9" ]\n', ["é"], id="white space and UTF-8"),
        pytest.param(b"9007199254740991", MAX_INTEGER, id="the largest integer"),
        pytest.param(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, DEEPEST, id="32 levels"),
    ],
)
def test_what_is_read(data: bytes, value: Any) -> None:
    assert value == decode(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"", "is not JSON (Expecting value at character 0)", id="nothing"),
        pytest.param(b'{"a":1}{"a":1}', "is not JSON (Extra data at character 7)", id="two documents"),
        pytest.param(b'"\xff"', "is not UTF-8", id="latin-1"),
        pytest.param(b'\xef\xbb\xbf"a"', "is not JSON (Expecting value at character 0)", id="a byte order mark"),
        pytest.param(b'{"a":1,"a":1}', "has an object with two members of the same name", id="a repeated key"),
        pytest.param(b"1.0", "holds a number that is no integer: 1.0", id="a float"),
        pytest.param(b"1e3", "holds a number that is no integer: 1e3", id="an exponent"),
        pytest.param(b"NaN", "holds a number that is no integer: NaN", id="NaN"),
        pytest.param(b"-Infinity", "holds a number that is no integer: -Infinity", id="infinity"),
        pytest.param(b"9007199254740992", "holds an integer beyond 2**53", id="2 to the 53rd"),
        pytest.param(b"1" * 5000, "holds an integer beyond 2**53", id="five thousand digits"),
        pytest.param(b'{"\xc3\xa9":1}', "has a key that is not ASCII text: 'é'", id="a key that is not ASCII"),
        pytest.param(b'"\\ud800"', "holds a string with a lone surrogate", id="a lone surrogate"),
        pytest.param(b"[" * 33 + b"]" * 33, "nests deeper than 32", id="one level too deep"),
        pytest.param(b"[" * 500_000, "nests deeper than 32", id="half a million levels"),
        pytest.param(b'{"a":' * 100_000, "nests deeper than 32", id="a hundred thousand objects"),
        pytest.param(b'"' + b"a" * (1 << 20) + b'"', "is longer than 1048576 bytes", id="more than a line may hold"),
    ],
)
def test_what_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        decode(data)
    assert reason == str(caught.value)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        pytest.param(1.5, "holds a float", id="a float"),
        pytest.param(2**53, "holds an integer beyond 2**53", id="2 to the 53rd"),
        pytest.param({1: 2}, "has a key that is not ASCII text: 1", id="a key that is a number"),
        pytest.param({"é": 2}, "has a key that is not ASCII text: 'é'", id="a key that is not ASCII"),
        pytest.param("\udcff", "holds a string with a lone surrogate", id="a lone surrogate"),
        pytest.param(b"x", "holds a bytes", id="bytes"),
        pytest.param((1,), "holds a tuple", id="a tuple"),
    ],
)
def test_what_is_not_written(value: Any, reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        encode(value)
    assert reason == str(caught.value)


def test_a_document_in_another_order_is_not_canonical() -> None:
    data = json.dumps({"b": 1, "a": 2}, separators=(",", ":")).encode()
    assert not is_canonical(decode(data), data)
