"""What is cut out of both versions of a Python file: equal statements, whose lines stay as empty ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import lru_cache

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.python.chunks import CLASS, Chunk, Parts, split_module
from agentgate_git.source.python.kept import kept

_WORD = pattern_of(rb"[A-Za-z_][A-Za-z0-9_]*")
_DOCSTRING = pattern_of(rb'(:[ ]*\n[ ]+)[rR]?"""(?:[^"\\]|\\.|"(?!""))*+"""(?=[ ]*(?:\n|$))', re.DOTALL)
_WORDS_KEPT = 4096


class Body(Record):
    """The statements of a module or a class, and those of them that are left out, by their text."""

    parts: Parts
    dropped: set[bytes]


@lru_cache(maxsize=64)
def split_kept(data: bytes) -> tuple[Chunk, ...] | None:
    """`chunks.split_module`, remembered: most versions stand on one side of two changes in a row."""
    return split_module(data)


def common_statements(before: tuple[Chunk, ...], after: tuple[Chunk, ...]) -> dict[bytes, Chunk]:
    """The statements that stand once in each version, in the same order, by their text."""
    counts = [Counter(chunk.text for chunk in side) for side in (before, after)]
    one, other = (
        [chunk.text for chunk in side if chunk.text and all(count[chunk.text] == 1 for count in counts)]
        for side in (before, after)
    )
    if one != other:
        head = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), len(one))
        rest = zip(reversed(one[head:]), reversed(other[head:]), strict=False)
        tail = next((at for at, (left, right) in enumerate(rest) if left != right), 0)
        one = one[:head] + one[len(one) - tail :]
    known = frozenset(one)
    return {chunk.text: chunk for chunk in after if chunk.text in known}


def changed_classes(changed: list[Chunk]) -> Iterator[tuple[Chunk, Chunk]]:
    """Classes that stand in both versions and changed."""
    found: dict[bytes, list[Chunk]] = {}
    for chunk in changed:
        if chunk.kind == CLASS:
            found.setdefault(chunk.name, []).append(chunk)
    for chunks in found.values():
        if len(chunks) == 2 and chunks[0].text != chunks[1].text:
            yield chunks[0], chunks[1]


def weight_of(data: bytes) -> int:
    """The bytes of what is read: of statements that are left out only the line ends stay."""
    return len(data) - data.count(b"\n")


def is_most(weight: int, old: bytes, new: bytes) -> bool:
    """True for more than half the weight of both versions, which are then read whole."""
    return 2 * weight > weight_of(old) + weight_of(new)


def write_cut(chunks: tuple[Chunk, ...], dropped: Collection[bytes], classes: dict[bytes, Body]) -> bytes:
    """The statements with their gaps; of those left out only the line ends."""
    parts: list[bytes] = []
    for chunk in chunks:
        body = classes.get(chunk.text)
        if chunk.text in dropped:
            parts.append(b"\n" * chunk.text.count(b"\n"))
        elif body is not None and body.dropped:
            parts.append(_written_class(body))
        else:
            parts.append(chunk.text)
        parts.append(chunk.gap)
    return b"".join(parts)


def _written_class(body: Body) -> bytes:
    parts = [body.parts.header]
    for chunk in body.parts.chunks:
        is_dropped = chunk.text in body.dropped
        parts.append(body.parts.indent + b"pass" + b"\n" * chunk.text.count(b"\n") if is_dropped else chunk.text)
        parts.append(chunk.gap)
    return b"".join(parts)


@kept(_WORDS_KEPT)
def words_of(text: bytes) -> frozenset[bytes]:
    """The words of a text, whatever they stand in."""
    return frozenset(_WORD.findall(text))


@kept(_WORDS_KEPT)
def code_words(text: bytes) -> frozenset[bytes]:
    """The words of a statement, but for what a function says of itself: that names much and uses nothing."""
    return words_of(_DOCSTRING.sub(rb"\1", text)) if b'"""' in text else words_of(text)
