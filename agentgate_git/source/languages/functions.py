"""Languages whose tests are functions: by their names, or by what stands on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.inventory import NOT_COLLECTED
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.common import CommonDialect
from agentgate_git.source.languages.dialect import HOOK, TEST, Unit
from agentgate_git.source.languages.syntax import Code, Item, Span
from agentgate_git.source.python.effects import Effect

_TYPE_NAME = pattern_of(r"\b[A-Z]\w+")
_LONG = 400
LOOSE = "loose"
NO_TEST = ""


class FunctionDialect(CommonDialect):
    """A dialect whose tests are items `function`, in items `type`, with items `marker` on either."""

    rows = pattern_of(r"(?!)")
    tagged = pattern_of(r"(?!)")
    loose_marker = "nothing says that it is a test"

    def units(self, code: Code, path: str) -> Iterable[Unit]:
        marks = markers_of(code)
        everywhere = tuple(self.file_effects(code, path))
        on_types = {
            item.index: tuple(self._effects(code, marks.get(item.index, ())))
            for item in code.items
            if item.kind == "type"
        }
        for item in code.items:
            if item.kind != "function" or item.part("body") is None:
                continue
            types = [above for above in item.above() if above.kind == "type"]
            mine = marks.get(item.index, ())
            kind = self.classify(code, item, [code.text(mark.span) for mark in mine], types, path)
            if kind == LOOSE and not self.is_lonely(code, item):
                continue
            if kind == NO_TEST:
                continue
            names = [code.text(above.part("name")) for above in reversed(types)]
            suite = "::".join(names)
            effects = [*everywhere, *self._effects(code, mine)]
            for above in types:
                effects.extend(on_types[above.index])
            if kind == LOOSE:
                effects.append(Effect(NOT_COLLECTED, self.loose_marker, item.line))
            name = "::".join((*names, self.name_of(code, item)))
            rows = tuple(code.normal(mark.span) for mark in mine if self.rows.match(code.text(mark.span)))
            unit_kind = HOOK if kind == HOOK else TEST
            uses = _names_in((*mine, *(mark for above in types for mark in marks.get(above.index, ()))), code)
            unit = Unit(name, item.span, item.part("body"), item.line, tuple(effects), rows, (), unit_kind, suite)
            yield unit._replace(uses=uses, tags=tuple(self._tags(code, types, mine, marks)))

    def offers(self, code: Code) -> Iterator[tuple[str, Effect]]:
        marks = markers_of(code)
        for item in code.items:
            if item.kind == "type":
                name = code.text(item.part("name"))
                yield from ((name, effect) for effect in self.type_offers(code, item, marks.get(item.index, ())))

    def type_offers(self, code: Code, item: Item, marks: Iterable[Item]) -> Iterator[Effect]:
        """What a type does to the tests that carry its name: an annotation made of others, a condition."""
        del code, item, marks
        yield from ()

    def classify(self, code: Code, item: Item, marks: list[str], types: list[Item], path: str) -> str:
        """TEST, HOOK, LOOSE (would be a test if something said so) or NO_TEST, by what stands on a function."""
        raise NotImplementedError

    def mark_effects(self, code: Code, mark: Item) -> Iterator[Effect]:
        """What a marker does to the tests it stands on."""
        del code, mark
        yield from ()

    def file_effects(self, code: Code, path: str) -> Iterator[Effect]:
        """What the file says about all its tests."""
        del code, path
        yield from ()

    def name_of(self, code: Code, item: Item) -> str:
        """The name of a function as a reader of a report sees it."""
        return code.text(item.part("name")).strip("`")

    def is_lonely(self, code: Code, item: Item) -> bool:
        """True for a function that nothing else in the file calls or names: no helper."""
        name = code.text(item.part("name")).strip("`")
        return bool(name) and (code.count(name) <= 1 or code.mentions(name) <= 1)

    def _tags(
        self, code: Code, types: list[Item], mine: Iterable[Item], marks: Mapping[int, tuple[Item, ...]]
    ) -> Iterator[str]:
        """The words in the markers on a test and its types by which a run may choose it."""
        for mark in (*mine, *(one for above in types for one in marks.get(above.index, ()))):
            for found in self.tagged.finditer(code.text(mark.span)[:_LONG]):
                yield next(filter(None, found.groups()), "")

    def _effects(self, code: Code, marks: Iterable[Item]) -> Iterator[Effect]:
        for mark in marks:
            yield from self.mark_effects(code, mark)


def markers_of(code: Code) -> dict[int, tuple[Item, ...]]:
    """The markers on each function and type, by its index: those in its head, and those right before it."""
    found: dict[int, list[Item]] = {}
    before: list[Item] = []
    for item in code.items:
        if item.kind == "marker":
            holder = next((above for above in item.above() if above.kind in ("function", "type")), None)
            body = holder.part("body") if holder is not None else None
            if holder is not None and (body is None or item.end <= body.start):
                found.setdefault(holder.index, []).append(item)
                continue
            if before and not _is_next(code, before[-1], item):
                before = []
            before.append(item)
        elif item.kind in ("function", "type", "module"):
            if before and _is_next(code, before[-1], item):
                found.setdefault(item.index, []).extend(before)
            before = []
    return {index: tuple(marks) for index, marks in found.items()}


def _is_next(code: Code, first: Item, second: Item) -> bool:
    gap = Span(first.end, second.start)
    return gap.start <= gap.end <= gap.start + 4_000 and code.normal(gap) in ("", "pub", "async", "export")


def _names_in(marks: Iterable[Item], code: Code) -> tuple[str, ...]:
    """The names in some markers, the markers' own and what they are given."""
    return tuple(dict.fromkeys(name for mark in marks for name in _TYPE_NAME.findall(code.text(mark.span)[:400])))
