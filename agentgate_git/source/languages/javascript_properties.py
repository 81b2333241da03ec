"""Properties of fast-check: what each draws from, in the words that policy knows from hypothesis."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.chains import argument_texts
from agentgate_git.source.languages.syntax import Code, Span

_MAY = pattern_of(rb"\bfc\.|fast-check")
_PROPERTY = pattern_of(r"(?:fc\.)?(?:async)?[pP]roperty")
_LONG = 1_000
_SAME = (
    (pattern_of(r"\b(?:fc\.)?constantFrom\((?!\.\.\.)([^()]*)\)"), r"sampled_from([\1])"),
    (pattern_of(r"\b(?:fc\.)?constant\("), "just("),
    (pattern_of(r"\b(?:fc\.)?oneof\("), "one_of("),
    (pattern_of(r"\bmax:(?=-?\d)"), "max_value="),
    (pattern_of(r"\bmin:(?=-?\d)"), "min_value="),
    (pattern_of(r"\bmaxLength:(?=\d)"), "max_size="),
    (pattern_of(r"\bminLength:(?=\d)"), "min_size="),
)
_MATCHING = pattern_of(
    r"\b(?:fc\.)?stringMatching\(/\^?\(?\[([^\]^\\'\"][^\]\\'\"]{0,60})\]\)?(?:[*+]|\{[\d,]+\})?\$?/\w*\)"
)
_RANGE = pattern_of(r"(\w)-(\w)")
_MAX_RANGE = 100


def drawn_in(code: Code, body: Span | None) -> Iterator[tuple[str, str]]:
    """What the properties in a body draw from, each argument a knob by its place."""
    if body is None or not code.once(_is_told):
        return
    number = 0
    for item in code.inside(body):
        if item.kind != "call" or _PROPERTY.fullmatch(code.normal(item.part("name"))) is None:
            continue
        for one in argument_texts(code, item)[:-1]:
            number += 1
            if len(one) < _LONG:
                yield f"given {number}", _said(one)


def _is_told(code: Code) -> bool:
    return _MAY.search(code.data) is not None


def _said(text: str) -> str:
    """A source of values in the words of hypothesis."""
    for pattern, told in _SAME:
        text = pattern.sub(told, text)
    return _MATCHING.sub(lambda found: f"text(alphabet='{_letters(found[1])}')", text)


def _letters(inner: str) -> str:
    """The letters of a class of a regular expression, each of a range spelled out."""
    return _RANGE.sub(_spelled, inner)


def _spelled(found: re.Match[str]) -> str:
    first, last = ord(found[1]), ord(found[2])
    return "".join(map(chr, range(first, last + 1))) if first <= last <= first + _MAX_RANGE else found[0]
