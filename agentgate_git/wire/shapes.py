"""Shapes: how a field of a record is written as JSON and read back, in one place for both directions.

A shape writes a typed value, and reads it again or says why it cannot (Malformed, with the field's name).
Members of an object that no shape asks for are ignored, as in-toto's rules for parsing ask.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from agentgate_git.model.oid import is_oid
from agentgate_git.model.pattern import pattern_of
from agentgate_git.wire.canonical import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from agentgate_git.model.record import Record
    from agentgate_git.wire.canonical import Json

# Text from file names may hold lone surrogates (bytes that are no UTF-8), which JSON cannot carry. NUL cannot
# stand in a file name or an argument, so it starts an escape of four hex digits; nothing else is changed.
_NOT_PLAIN = pattern_of("[\0\ud800-\udfff]")
_ESCAPE = pattern_of("\0(0000|d[89a-f][0-9a-f]{2})")
_SHA256 = pattern_of("[0-9a-f]{64}")
_TIME = pattern_of(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


class Shape:
    """How one kind of value is written (`write`) and read (`read`, which raises Malformed)."""

    def __init__(self, write: Callable[[Any], Json], read: Callable[[Json], Any]) -> None:
        self.write = write
        self.read = read


def escape(text: str) -> str:
    """Text that JSON can carry, equal to `text` unless that holds NUL or lone surrogates."""
    return _NOT_PLAIN.sub(lambda found: f"\0{ord(found[0]):04x}", text)


def unescape(text: str) -> str:
    """What `escape` was given; Malformed for text that `escape` never gives."""
    if "\0" not in text:
        return text
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    if escape(plain) != text:
        raise Malformed("has an escape that stands for nothing")
    return plain


def same(value: Any) -> Any:
    """The value itself."""
    return value


def read_text(value: Json) -> str:
    """A string; Malformed otherwise."""
    if not isinstance(value, str):
        raise Malformed("is no text")
    return unescape(value)


def read_integer(value: Json) -> int:
    """A whole number; Malformed otherwise, also for a boolean."""
    if type(value) is not int:
        raise Malformed("is no whole number")
    return value


def _read_count(value: Json) -> int:
    count = read_integer(value)
    if count < 0:
        raise Malformed("is negative")
    return count


def _read_flag(value: Json) -> bool:
    if not isinstance(value, bool):
        raise Malformed("is neither true nor false")
    return value


def _read_oid(value: Json) -> str:
    if not isinstance(value, str) or not is_oid(value):
        raise Malformed("is no object id")
    return value


def _read_sha256(value: Json) -> str:
    if not isinstance(value, str) or not _SHA256.fullmatch(value):
        raise Malformed("is no lower-case sha256")
    return value


def _read_time(value: Json) -> str:
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise Malformed("is no time of the form 2026-01-31T00:00:00Z")
    return value


def optional(shape: Shape) -> Shape:
    """The shape, or the empty string."""
    return Shape(lambda value: shape.write(value) if value else "", lambda value: value and shape.read(value))


def list_of(shape: Shape) -> Shape:
    """A tuple, written as a list."""

    def read(value: Json) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Malformed("is no list")
        return tuple([shape.read(item) for item in value])

    return Shape(lambda values: [shape.write(item) for item in values], read)


def row_of(*shapes: Shape) -> Shape:
    """A tuple of fixed length, written as a list."""

    def read(value: Json) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) != len(shapes):
            raise Malformed(f"is no row of {len(shapes)}")
        return tuple([shape.read(item) for shape, item in zip(shapes, value, strict=True)])

    return Shape(lambda row: [shape.write(item) for shape, item in zip(shapes, row, strict=True)], read)


def record_of(build: Callable[..., Record], fields: dict[str, Shape], later: dict[str, Shape] | None = None) -> Shape:
    """A record, written as an object with the record's field names.

    `later` are fields that were not there from the start: a record written before them has their defaults.
    """
    added = later or {}

    def write(record: Any) -> Json:
        return {name: shape.write(getattr(record, name)) for name, shape in (fields | added).items()}

    def read(value: Json) -> Any:
        if not isinstance(value, dict):
            raise Malformed("is no object")
        present = {name: shape for name, shape in added.items() if name in value}
        return build(**read_fields(value, fields | present))

    return Shape(write, read)


def read_fields(value: dict[str, Json], fields: dict[str, Shape]) -> dict[str, Any]:
    """The named fields of an object; Malformed names the first that is missing or wrong."""
    found: dict[str, Any] = {}
    for name, shape in fields.items():
        if name not in value:
            raise Malformed(f"{name} is missing")
        try:
            found[name] = shape.read(value[name])
        except Malformed as reason:
            raise Malformed(f"{name} {reason}") from None
    return found


ANY = Shape(same, same)
TEXT = Shape(escape, read_text)
INTEGER = Shape(same, read_integer)
COUNT = Shape(same, _read_count)
FLAG = Shape(same, _read_flag)
OID = Shape(same, _read_oid)
SHA256 = Shape(same, _read_sha256)
TIME = Shape(same, _read_time)
TEXTS = list_of(TEXT)
PAIRS = list_of(row_of(TEXT, TEXT))
