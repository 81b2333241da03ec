"""Properties that stand in a macro of Rust, of which the grammar reads nothing: `proptest! { fn x(s in any()) … }`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.dialect import Unit
from agentgate_git.source.languages.syntax import Code, Item, Span, closing, split
from agentgate_git.source.languages.tries import KNOB, tries_in

_MAX_BYTES = 20_000
_FUNCTION = pattern_of(rb"#\[test\]\s*(?:#\[[^\]]*\]\s*)*fn\s+(\w+)\s*\(")
_DRAWN = pattern_of(r"(?:mut )?(\w+) in ?(.+)", re.DOTALL)
_ASSUMED = pattern_of(r"prop_assume!\(")


def properties_of(code: Code) -> Iterator[Unit]:
    """The properties of a file, with what each draws from and leaves out as knobs."""
    for item in code.items if b"proptest!" in code.data else ():
        if item.kind == "assert" and code.text(item.part("name")).rpartition("::")[2] == "proptest":
            yield from _inside(code, item)


def _inside(code: Code, item: Item) -> Iterator[Unit]:
    data = code.data[item.start : item.end]
    header = data[: found.start()] if (found := _FUNCTION.search(data)) is not None else b""
    tries = tries_in(code.normal(Span(item.start, item.start + len(header))))
    starts = [*_FUNCTION.finditer(data)] if len(data) < _MAX_BYTES else []
    for number, found in enumerate(starts):
        end = starts[number + 1].start() if number + 1 < len(starts) else len(data) - 1
        span = Span(item.start + found.start(), item.start + end)
        text = code.normal(Span(item.start + found.end() - 1, span.end))
        last = closing(text, 0)
        given = (_DRAWN.fullmatch(one) for one in split(text[1:last]))
        knobs = [(f"given {one[1]}", one[2]) for one in given if one]
        assumed = (text[one.end() : closing(text, one.end() - 1)] for one in _ASSUMED.finditer(text))
        left_out = " && ".join(assumed)
        knobs += [("assume", left_out)] if left_out else []
        knobs += [(KNOB, tries)] if tries else []
        line = code.data.count(b"\n", 0, span.start) + 1
        yield Unit(found[1].decode("utf-8", "replace"), span, span, line, knobs=tuple(knobs))
