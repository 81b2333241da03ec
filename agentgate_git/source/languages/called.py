"""Languages whose tests are calls with a title and a block: `it "sums" do … end`, `test("sums") { … }`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.inventory import EXPECTED_FAIL, NOT_COLLECTED, SKIPPED
from agentgate_git.model.record import Record
from agentgate_git.source.languages.dialect import HOOK, TEST, Unit
from agentgate_git.source.languages.syntax import Item, Span, unquoted
from agentgate_git.source.python.effects import Effect

SUITE = "suite"
NO_BODY = "a test without a body"


class Word(Record):
    """What a word defines: TEST, SUITE or HOOK, with the state it gives; `is_focus` keeps others from running."""

    kind: str
    state: str = ""
    is_focus: bool = False


class Title(Record):
    """A definition as the adapter sees it: its title, body, and what its other arguments do."""

    title: str
    body: Span | None
    effects: tuple[Effect, ...] = ()
    focus: str = ""


def words(tests: str, suites: str, hooks: str = "", failing: str = "") -> Mapping[str, Word]:
    """A table of words: with `x` before one it is skipped, with `f` before one it is focused."""
    table: dict[str, Word] = {}
    for kind, listed in ((TEST, tests), (SUITE, suites)):
        for word in listed.split():
            table[word] = Word(kind)
            table.setdefault(f"x{word}", Word(kind, SKIPPED))
            table.setdefault(f"f{word}", Word(kind, "", is_focus=True))
    table.update({word: Word(HOOK) for word in hooks.split()})
    table.update({word: Word(TEST, EXPECTED_FAIL) for word in failing.split()})
    return table


class Definition(Record):
    """One call that defines something."""

    item: Item
    span: Span
    word: Word
    marker: str
    title: Title


def units_of(definitions: Iterable[Definition], *, focus_is_certain: bool = True) -> Iterator[Unit]:
    """Units of definitions in the order of their places, nested as their spans are."""
    suites: list[tuple[Span, str, tuple[Effect, ...], str]] = []
    for one in sorted(definitions, key=lambda one: (one.span.start, -one.span.end)):
        while suites and suites[-1][0].end <= one.span.start:
            suites.pop()
        prefix, inherited, focus = (suites[-1][1], suites[-1][2], suites[-1][3]) if suites else ("", (), "")
        effects = (*inherited, *one.title.effects)
        if one.word.state:
            effects = (*effects, Effect(one.word.state, one.marker, one.item.line))
        focus = one.title.focus or (one.marker if one.word.is_focus else "") or focus
        name = f"{prefix}::{one.title.title}" if prefix else one.title.title
        if one.word.kind == SUITE:
            if one.title.body is not None:
                suites.append((one.span, name, effects, focus))
            continue
        if one.word.kind == HOOK:
            yield Unit(prefix, one.span, one.title.body, one.item.line, effects, kind=HOOK, suite=prefix)
            continue
        if one.title.body is None:
            effects = (*effects, Effect(NOT_COLLECTED, NO_BODY, one.item.line))
        yield Unit(
            name, one.span, one.title.body, one.item.line, effects, focus=focus, is_whole_text=not focus_is_certain
        )


def title_of(text: str) -> str:
    """A title as a reader sees it, on one line."""
    return unquoted(" ".join(text.split()))
