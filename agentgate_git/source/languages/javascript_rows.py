"""What decides for tests of JavaScript from outside them: the name of their file, the table a loop makes them of."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.inventory import CONDITIONAL, NOT_COLLECTED
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.chains import MAX_CALLEE
from agentgate_git.source.languages.syntax import Code, Item, span_of, split
from agentgate_git.source.python.effects import Effect

_TABLE_BYTES = 20_000
_OF_AVA = pattern_of(rb"from ['\"]ava['\"]|require\(['\"]ava['\"]\)")
_BY_NAME = pattern_of(rb"['\"](?:vitest|@jest/globals|@playwright/test)['\"]")
_GIVEN = pattern_of(r"\.(?:each|for)\(([^\"'`]{1,400})\)$")
_FILTERED = pattern_of(r"\.(?:filter|slice|splice|reject)\(")


def by_file_name(code: Code, path: str) -> Iterator[Effect]:
    """What the runner that a file imports makes of the file's name."""
    *folders, name = path.split("/")
    if any(part.startswith("_") for part in (*folders, name)) and _OF_AVA.search(code.data):
        yield Effect(NOT_COLLECTED, "a file name that ava takes for a helper", 1)
    words = name.split(".")[1:-1]
    if {"tests", "specs"} & {*words} and not {"test", "spec"} & {*words} and _BY_NAME.search(code.data):
        yield Effect(NOT_COLLECTED, "a file name that the runner does not take", 1)


def loop_rows(code: Code, item: Item) -> tuple[str, ...]:
    """The rows of a table that a loop makes tests of, each once for all of them."""
    for above in item.above():
        if above.kind != "loop" or above.node.type != "for_in_statement":
            continue
        right = above.node.child_by_field_name("right")
        text = (
            code.normal(span_of(right))
            if right is not None and right.end_byte - right.start_byte < _TABLE_BYTES
            else ""
        )
        text = code.table(text)
        return split(text[1:-1]) if text.startswith("[") and text.endswith("]") else ()
    return ()


def filtered(code: Code, item: Item) -> Iterator[Effect]:
    """A table that is filtered before a loop, or `each`, makes tests of its rows."""
    called = item.part("name")
    if called is not None and called.end - called.start < MAX_CALLEE:
        given = _GIVEN.search(code.normal(called))
        if given is not None and (cut := _FILTERED.search(given[1])):
            yield Effect(CONDITIONAL, cut[0], item.line, given[1][:120])
    for above in item.above():
        text = ""
        if above.kind == "loop" and above.node.type == "for_in_statement":
            right = above.node.child_by_field_name("right")
            text = (
                code.normal(span_of(right))
                if right is not None and right.end_byte - right.start_byte < MAX_CALLEE
                else ""
            )
        elif above.kind == "call" and (name := above.part("name")) is not None:
            text = code.normal(name) if name.end - name.start < MAX_CALLEE else ""
            text = text.removesuffix(".forEach") if text.endswith(".forEach") else ""
        found = _FILTERED.search(text)
        if found:
            yield Effect(CONDITIONAL, found[0], above.line, text[:120])


def held_in(code: Code) -> Iterator[tuple[str, str]]:
    """(name, source) of the objects and lists that stand under a name outside of all tests; of long ones nothing."""
    for item in code.items:
        value = item.part("value") if item.kind in ("bundle", "rows") and item.around is None else None
        if value is not None and value.end - value.start < MAX_CALLEE:
            yield code.text(item.part("name")), code.normal(value)
