"""What a loop over a list that is written out asserts, each row in its place: `for (x, n) in [(a, 1), (b, 2)]`.

It only ever pays for what stood there before: assertions that were folded into a loop say what they said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.inventory import Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.given import filled, key_of
from agentgate_git.source.languages.syntax import Code, Item, Span, closing, split

# Loops of one test, rows of a loop, assertions in it, and bytes of a head that are looked at.
_MAX_LOOPS = 5
_MAX_ROWS = 60
_MAX_CHECKS = 6
_MAX_HEAD = 4_000
_MAX_TEXT = 400
_MAKES = r"(?:&|mut |new(?: \w+)?\[\]|(?:\w+\.)?(?:\w*[lL]istOf|\w*[aA]rrayOf|setOf|asList|of)(?=\()|vec!|array(?=\())*"
_HEAD = pattern_of(
    rf"for(?:each)?(?: await)?\(?([^=;]{{1,120}}?)(?:\bin\b|\bof\b|:(?!:)) ?{_MAKES}([\[({{]|[A-Za-z_]\w*)"
)
_OF_PHP = pattern_of(rf"foreach\({_MAKES}([\[({{]|\$\w+)")
_AS_PHP = pattern_of(r"\)? ?as ?(?:[\w$]+=>)?(\[[^\]]{1,120}\]|\$\w+)\)")
_CALLED = pattern_of(rf"{_MAKES}([\[({{])")
_EACH = pattern_of(r"\.(?:each|forEach)(?: do|\{)?\(?(?:function)?\(?([|(\[]?[^=>{]{1,120}?)\)?(?:\||=>|->|\{)")
_EACH_FIRST = (b"[", b"listOf(", b"arrayOf(", b"setOf(", b"List.of(", b"Arrays.asList(")
_WORD = pattern_of(r"[$@]?[A-Za-z_]\w*")
_ROW = pattern_of(r"(?:[\w.]+!?)?[\[({]")
_PAIR = " to "


def said_in_loops(code: Code, items: tuple[Item, ...], checks: tuple[Assertion, ...]) -> Iterator[str]:
    """What the loops among the items of a test say, whose assertions are given, in the words of `key_of`."""
    left = _MAX_LOOPS
    first = (items[0].around or items[0]).start if items else 0
    for item in items if checks else ():
        is_call = item.kind == "call" and code.data.startswith(_EACH_FIRST, item.start)
        if not (is_call or item.kind == "loop"):
            continue
        if not left:
            return
        left -= 1
        last = item.node.end_point[0] + 1
        inside = [one for one in checks if item.line <= one.line <= last and not (one.void or one.condition)]
        found = _rows(code, item, first) if inside else None
        for values in found or ():
            for one in inside[:_MAX_CHECKS]:
                if len(one.text) < _MAX_TEXT:
                    yield key_of(one.relation, filled(one.subject, values), filled(one.expected, values))


def _rows(code: Code, item: Item, first: int) -> list[dict[str, str]] | None:
    """What each row binds the names of a loop to, whose test begins at byte `first`; None for any other loop."""
    text = code.normal(Span(item.start, min(item.end, item.start + _MAX_HEAD)))
    if item.kind == "call":
        found = _CALLED.match(text)
        end = closing(text, found.start(1)) if found is not None else -1
        named = _EACH.match(text, end + 1) if end > 0 else None
        return _bound(named[1], text[found.start(1) : end + 1]) if found is not None and named is not None else None
    found = _OF_PHP.match(text)
    if found is not None:
        end = closing(text, found.start(1)) if found[1] in "[({" else found.end() - 1
        named = _AS_PHP.match(text, end + 1) if end > 0 else None
        return _bound(named[1], _list(code, Span(first, item.start), text, found)) if named is not None else None
    found = _HEAD.match(text)
    return _bound(found[1], _list(code, Span(first, item.start), text, found)) if found is not None else None


def _list(code: Code, above: Span, text: str, found: re.Match[str]) -> str:
    """The list at the end of a head, or what stands under its name right before the loop."""
    opening = found[found.re.groups]
    at = found.start(found.re.groups)
    if opening in "[({":
        return text[at : closing(text, at) + 1]
    before = code.normal(Span(max(above.start, above.end - _MAX_HEAD), above.end))
    bound = list(re.finditer(rf"(?<![\w$]){re.escape(opening)}(?::[^=;]{{1,80}})?=(?![=>]){_MAKES}([\[({{])", before))
    if not bound:
        return ""
    at = bound[-1].start(1)
    return before[at : closing(before, at) + 1]


def _bound(pattern: str, rows: str) -> list[dict[str, str]] | None:
    is_many = any(sign in pattern for sign in "([|,")
    parts = split(pattern.strip().strip("()[]|").removeprefix("const[").removeprefix("let[").strip("[]()"))
    names = [words[-1] for part in parts if (words := _WORD.findall(part))]
    if not names or not rows:
        return None
    found = []
    for row in split(rows[1:-1])[:_MAX_ROWS]:
        values = _parts(row) if is_many and len(names) > 1 else (row,)
        if len(values) < len(names) or any(len(one) > _MAX_TEXT for one in values):
            return None
        found.append(dict(zip(names, values, strict=False)))
    return found


def _parts(row: str) -> tuple[str, ...]:
    opened = _ROW.match(row)
    if opened is not None and closing(row, opened.end() - 1) == len(row) - 1:
        return tuple(split(row[opened.end() : -1]))
    return tuple(split(row, _PAIR)) if _PAIR in row else ()
