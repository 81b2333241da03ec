"""What of a production file is product: all but the tests that stand in it, comments and layout.

A file whose tests alone changed is no changed product: Rust keeps both in one file, and so may vitest, Elixir and C++.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.source.languages.dialect import Dialect, Unit
from agentgate_git.source.languages.syntax import Code, Span


def shipped(code: Code, dialect: Dialect, units: Iterable[Unit]) -> bytes:
    """The bytes of a file without its tests, what is compiled for them alone, and comments."""
    spans = (*(one.span for one in units), *dialect.beside_product(code), *(one.span for one in code.comments))
    return b"".join(_left(code.data, sorted(spans)))


def _left(data: bytes, spans: list[Span]) -> Iterator[bytes]:
    start = 0
    for span in spans:
        if start < span.start:
            yield data[start : span.start]
        start = max(start, span.end)
    yield data[start:]
