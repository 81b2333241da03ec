"""What stands around what: spans around spans, suites around tests."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from agentgate_git.source.languages.dialect import Unit
from agentgate_git.source.languages.syntax import Item, Span


def parents(spans: list[Span]) -> list[int]:
    """For each of some spans, in order, the number of the one around it, -1 where there is none."""
    found: list[int] = []
    for number, span in enumerate(spans):
        around = number - 1
        while around >= 0 and spans[around].end <= span.start:
            around = found[around]
        found.append(around)
    return found


class Holders:
    """Spans that lie beside or inside one another, for the question which of them hold another."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self._spans = sorted(spans, key=lambda one: (one.start, -one.end))
        self._starts = [one.start for one in self._spans]
        self._above = parents(self._spans)

    def of(self, span: Span) -> Iterator[Span]:
        """Those that hold a span, the innermost first."""
        at = bisect_right(self._starts, span.start) - 1
        while at >= 0:
            if self._spans[at].holds(span):
                yield self._spans[at]
            at = self._above[at]


def suites_of(name: str) -> Iterator[str]:
    """The names of the suites around a test, the whole file first."""
    yield ""
    parts = name.split("::")
    yield from ("::".join(parts[:end]) for end in range(1, len(parts)))


def within(item: Item, body: Span) -> Iterator[Item]:
    """The items around one that lie within a body, innermost first."""
    for above in item.above():
        if not body.holds(above.span):
            return
        if above.span != body or above.kind not in ("lambda", "function"):
            yield above


def outside(items: Iterable[Item], nested: tuple[Span, ...]) -> Iterator[Item]:
    """The items that lie in none of the nested spans, which are in order and do not overlap."""
    at = 0
    for item in items:
        while at < len(nested) and nested[at].end <= item.start:
            at += 1
        if at == len(nested) or not nested[at].holds(item.span):
            yield item


def children(units: list[Unit]) -> dict[Unit, tuple[Span, ...]]:
    """For each unit the spans of the units directly inside it."""
    inside: dict[Unit, list[Span]] = {}
    open_units: list[Unit] = []
    for unit in units:
        while open_units and open_units[-1].span.end <= unit.span.start:
            open_units.pop()
        if open_units:
            inside.setdefault(open_units[-1], []).append(unit.span)
        open_units.append(unit)
    return {unit: tuple(spans) for unit, spans in inside.items()}


def try_of(handler: Item) -> Item | None:
    """The `try` that a handler belongs to."""
    return next((above for above in handler.above() if above.kind == "try"), None)


def is_of_object(function: Item) -> bool:
    """True for a method of a class that stands inside a function: no name of the file, whoever calls one like it."""
    holder = function.node.parent
    if holder is None or "body" not in holder.type or "class" not in holder.type:
        return False
    return any(above.kind == "function" for above in function.above())
