"""Notes as in-toto bundles: JSON Lines, one envelope a line, order-free.

Reading takes any bytes and never raises: what is no record becomes a BadLine. Writing gives the bytes that
git's own `cat_sort_uniq` notes merge would give, so a merge by git and a merge by us are the same set.
"""

from __future__ import annotations

import io

from agentgate_git.model.evidence import BadLine, Line, Note
from agentgate_git.model.limits import MAX_LINE, MAX_NOTE
from agentgate_git.wire.canonical import Malformed
from agentgate_git.wire.dsse import decode_envelope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentgate_git.model.oid import Oid

MAX_BAD_LINES = 1000


def read_note(key: Oid, data: bytes) -> Note:
    """The records kept under `key`: repeated lines once, blank ones not at all, at most MAX_BAD_LINES + 1 bad ones.

    A note of more than MAX_NOTE bytes is one bad line, number 0.
    """
    if len(data) > MAX_NOTE:
        return Note(key, (), (BadLine(0, f"the note is longer than {MAX_NOTE} bytes"),))
    lines: dict[bytes, Line] = {}
    bad: list[BadLine] = []
    bad_count = 0
    for number, row in enumerate(io.BytesIO(data), 1):
        text = row.removesuffix(b"\n")
        if not text or text in lines:
            continue
        try:
            lines[text] = read_line(text)
        except Malformed as reason:
            if not text.strip():
                continue
            bad_count += 1
            if bad_count <= MAX_BAD_LINES:
                bad.append(BadLine(number, str(reason)))
    if bad_count > MAX_BAD_LINES:
        bad.append(BadLine(0, f"{bad_count - MAX_BAD_LINES} more lines are no records"))
    return Note(key, tuple(lines.values()), tuple(bad))


def read_line(text: bytes) -> Line:
    """One record from its bytes without a newline; Malformed when it is none."""
    if len(text) > MAX_LINE:
        raise Malformed(f"is longer than {MAX_LINE} bytes")
    return Line(text, decode_envelope(text))


def split_lines(data: bytes) -> list[bytes]:
    """The lines of a note, records or not, without newlines and without empty lines."""
    return [line for line in data.split(b"\n") if line]


def join_lines(lines: Iterable[bytes]) -> bytes:
    """The bytes of a note: its lines sorted by byte, each once, each ended by a newline."""
    return b"".join([line + b"\n" for line in sorted(set(lines)) if line])
