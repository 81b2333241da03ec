"""`data/expected_codes.json`: the corpus that `selftest` replays. Files stand in it as text, since some are broken."""

from __future__ import annotations

from agentgate_git.model.expected_code import ExpectedCode
from agentgate_git.wire.canonical import Malformed, decode
from agentgate_git.wire.shapes import TEXT, Shape, list_of, read_fields, record_of

_FILE = Shape(bytes.decode, lambda value: TEXT.read(value).encode())
_FILE_OR_NONE = Shape(
    lambda data: None if data is None else _FILE.write(data),
    lambda value: None if value is None else _FILE.read(value),
)
_ROWS = list_of(
    record_of(
        ExpectedCode,
        {
            "id": TEXT,
            "record": _FILE,
            "credit": _FILE_OR_NONE,
            "freeze": _FILE_OR_NONE,
            "change": TEXT,
            "now": TEXT,
            "code": TEXT,
        },
    )
)


def read_expected_codes(data: bytes) -> tuple[ExpectedCode, ...]:
    """Every row; Malformed for a file that is no such corpus."""
    value = decode(data)
    if not isinstance(value, dict):
        raise Malformed("is no object")
    rows: tuple[ExpectedCode, ...] = read_fields(value, {"rows": _ROWS})["rows"]
    return rows
