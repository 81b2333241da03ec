"""Canonical JSON: one way to write a value, so that equal records are equal bytes.

The values are a subset of JSON on which sorted keys and compact separators give exactly RFC 8785:
null, booleans, integers within ±(2**53 - 1), strings without lone surrogates, lists, and objects with
ASCII keys. There are no floats. Reading is strict: what cannot be written is not read either.
"""

from __future__ import annotations

import json

from agentgate_git.model.limits import MAX_LINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Json = None | bool | int | str | Sequence["Json"] | dict[str, "Json"]

MAX_DEPTH = 32
MAX_INTEGER = (1 << 53) - 1
_MAX_DIGITS = len(str(-MAX_INTEGER))


class Malformed(ValueError):
    """Bytes or a value that are not of the form they should have; the text completes "it …"."""


def encode(value: Json) -> bytes:
    """The one byte sequence of a value; Malformed for a value outside the subset."""
    _check(value, MAX_DEPTH)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8")


def decode(data: bytes, max_size: int = MAX_LINE) -> Json:
    """The value that `data` writes down; Malformed for more than `max_size` bytes or anything not in the subset."""
    if len(data) > max_size:
        raise Malformed(f"is longer than {max_size} bytes")
    try:
        value: Json = _DECODER.decode(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise Malformed("is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise Malformed(f"is not JSON ({error.msg} at character {error.pos})") from None
    except RecursionError:
        raise Malformed(f"nests deeper than {MAX_DEPTH}") from None
    _check(value, MAX_DEPTH)
    return value


def is_canonical(value: Json, data: bytes) -> bool:
    """True when `data` is the one byte sequence of a decoded value."""
    return encode(value) == data


def _check(value: object, depth: int) -> None:
    kind = type(value)
    if kind is str:
        _check_text(value)  # type: ignore[arg-type]
    elif kind is int:
        if abs(value) > MAX_INTEGER:  # type: ignore[arg-type]
            raise Malformed("holds an integer beyond 2**53")
    elif kind is dict or kind is list:
        if depth == 0:
            raise Malformed(f"nests deeper than {MAX_DEPTH}")
        _check_members(value, depth - 1)  # type: ignore[arg-type]
    elif value is not None and kind is not bool:
        raise Malformed(f"holds a {kind.__name__}")


def _check_members(value: dict[object, object] | list[object], depth: int) -> None:
    if isinstance(value, list):
        for item in value:
            _check(item, depth)
        return
    for key, item in value.items():
        if type(key) is not str or not key.isascii():
            raise Malformed(f"has a key that is not ASCII text: {key!r}")
        _check(item, depth)


def _check_text(text: str) -> None:
    if text.isascii():
        return
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise Malformed("holds a string with a lone surrogate") from None


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Malformed("has an object with two members of the same name")
    return members


def _refuse_number(text: str) -> object:
    raise Malformed(f"holds a number that is no integer: {text[:40]}")


def _integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise Malformed("holds an integer beyond 2**53")
    return int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_refuse_number, parse_constant=_refuse_number, parse_int=_integer
)
