"""Two versions of a production file without the functions that say nothing new to a check of production.

Such a check looks for words. A function or method without one goes, and so does one that stands in both versions and
has nothing to do with what changed. What uses a name that a line with a word binds speaks like that line; what uses
a name that a changed statement binds may have come to mean something else. Lines keep their numbers.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterable, Iterator

from agentgate_git.model.record import Record
from agentgate_git.source.python.chunks import CLASS, FUNCTION, TEXT, Chunk, split_class
from agentgate_git.source.python.cuts import (
    Body,
    changed_classes,
    code_words,
    common_statements,
    split_kept,
    words_of,
    write_cut,
)
from agentgate_git.source.python.source import MAX_BYTES

_DEFINITIONS = (FUNCTION, CLASS)
_KEYWORDS = frozenset(word.encode("ascii") for word in keyword.kwlist)


class _Rules(Record):
    """What decides whether a definition stays.

    `speaks` tells whether a text has a word, `named` are names bound by lines that have one, `bound` the names in
    changed statements that are no definitions, `defined` those of changed definitions, `mentioned` all in these.
    """

    speaks: Callable[[bytes], bool]
    named: frozenset[bytes]
    bound: frozenset[bytes] = frozenset()
    defined: frozenset[bytes] = frozenset()
    mentioned: frozenset[bytes] = frozenset()


def reduce_production(
    old: bytes, new: bytes, speaks: Callable[[bytes], bool], named: frozenset[bytes]
) -> tuple[bytes, bytes]:
    """Both versions without what need not be compared; the versions themselves where that is not certain.

    `speaks` tells whether a text has a word that a check looks for, `named` are the names that lines with one bind.
    """
    if max(len(old), len(new)) > MAX_BYTES:
        return old, new
    before, after = split_kept(old), split_kept(new)
    if before is None or after is None:
        return old, new
    common = common_statements(before, after)
    changed = [chunk for side in (before, after) for chunk in side if chunk.text not in common]
    inner = _common_inside(changed)
    rules = _touched(changed, inner, _Rules(speaks, named))
    left = (
        _cut(side, {*common, *(text for texts in inner.values() for text in texts)}, rules) for side in (before, after)
    )
    one, other = left
    return one, other


def _common_inside(changed: list[Chunk]) -> dict[bytes, frozenset[bytes]]:
    """The texts of the methods that both versions of a changed class have, by the text of each version."""
    found: dict[bytes, frozenset[bytes]] = {}
    for pair in changed_classes(changed):
        parts = [split_class(chunk) for chunk in pair]
        before, after = parts
        if before and after and before.indent == after.indent:
            common = frozenset(common_statements(before.chunks, after.chunks))
            found.update((chunk.text, common) for chunk in pair)
    return found


def _touched(changed: list[Chunk], inner: dict[bytes, frozenset[bytes]], rules: _Rules) -> _Rules:
    """The rules with what changed, by the names in it."""
    leaves: list[Chunk] = []
    for chunk in changed:
        parts = split_class(chunk) if chunk.text in inner else None
        leaves += [one for one in parts.chunks if one.text not in inner[chunk.text]] if parts else [chunk]
    plain = [words_of(chunk.text) for chunk in leaves if chunk.kind not in (*_DEFINITIONS, TEXT)]
    return rules._replace(
        bound=frozenset().union(*plain) - _KEYWORDS,
        defined=frozenset(chunk.name for chunk in leaves if chunk.kind in _DEFINITIONS),
        mentioned=frozenset().union(*(code_words(chunk.text) for chunk in leaves)),
    )


def _cut(chunks: tuple[Chunk, ...], common: set[bytes], rules: _Rules) -> bytes:
    """One version without the definitions that go."""
    dropped = set(_loose(chunks, common, rules))
    classes: dict[bytes, Body] = {}
    for chunk in chunks:
        parts = split_class(chunk) if chunk.kind == CLASS and chunk.text not in dropped else None
        if parts:
            classes[chunk.text] = Body(parts, set(_loose(parts.chunks, common, rules)))
    return write_cut(chunks, dropped, classes)


def _loose(chunks: Iterable[Chunk], common: set[bytes], rules: _Rules) -> Iterator[bytes]:
    """The texts of the definitions that go."""
    for chunk in chunks:
        if chunk.kind not in _DEFINITIONS or not chunk.is_plain:
            continue
        used = code_words(chunk.text)
        if not rules.bound.isdisjoint(used):
            continue
        is_far = chunk.text in common and chunk.name not in rules.mentioned and rules.defined.isdisjoint(used)
        if is_far or (rules.named.isdisjoint(used) and not rules.speaks(chunk.text)):
            yield chunk.text
