"""What of a production file is product: all but the tests that stand in it, comments and layout.

A file whose tests alone changed is no changed product: Rust keeps both in one file, and so may vitest, Elixir and C++.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.dialect import Dialect, Unit
from agentgate_git.source.languages.syntax import Code, Span
from agentgate_git.source.python.fingerprint import digest_of

# A line that is a comment and nothing else, and tells no compiler, linter or build what to do.
_COMMENT = pattern_of(rb"(?m)^[ \t]*//(?!go:|[ \t]*\+build|[ \t]*@|[ \t]*eslint|#)[^\n]*$")
_HASH = pattern_of(rb"(?m)^[ \t]*#(?![!\[]|[ \t]*(?:-\*-|frozen_string|encoding|typed|shellcheck))[^\n]*$")
_OF_HASH = frozenset(("ruby", "elixir", "shell"))


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


def without_comments(language: str, data: bytes) -> bytes:
    """The bytes of a file that nobody parses without the lines of it that are comments."""
    return (_HASH if language in _OF_HASH else _COMMENT).sub(b"", data)


def part_of(product: bytes) -> tuple[tuple[str, str], ...]:
    """The product of a file as the one part that it is of: the same however it is laid out."""
    return (("", digest_of(b" ".join(product.split()).decode("utf-8", "replace"))),)
