"""What is asked of all items, or of any of them, in the words of what is asked of each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Protocol

from agentgate_git.model.inventory import PRESENT, Assertion
from agentgate_git.source.nodes import last
from agentgate_git.source.python.operands import EACH_FALSE, EACH_TRUE, of_items, of_whole
from agentgate_git.source.python.pairs import in_words_of_whole
from agentgate_git.source.python.records import of_any
from agentgate_git.source.python.text import Writer, bounded

CHOSEN = "it looks only at what it already holds for"


class Reader(Protocol):
    """What reads conditions."""

    def checks(self, test: ast.expr, fuel: int) -> Iterator[Assertion]:
        """What must hold for a condition to be true."""

    def made(self, at: ast.AST, subject: str, relation: str, expected: str, strength: str) -> Assertion:
        """An assertion in these words."""


def of_many(call: ast.Call, name: str, reader: Reader, writer: Writer, fuel: int) -> Assertion | None:
    """The check that `all` or `any` makes of what it is given; None for what is no check of items."""
    if fuel and (inner := of_items(call)) is not None:
        found = next(reader.checks(inner, fuel - 1))
        return found if name == "all" else of_any(found, writer.text(call))
    if (items := of_whole(call)) is not None:
        found = reader.made(call, writer.text(items), EACH_TRUE, "", PRESENT)
        return found if name == "all" else of_any(found, writer.text(items))
    if fuel and name == "all" and len(call.args) == 1 and isinstance(call.args[0], ast.GeneratorExp | ast.ListComp):
        return _of_all(call.args[0], reader, writer, fuel)
    return None


def of_none(call: ast.Call, reader: Reader, writer: Writer) -> Assertion | None:
    """The check of `not any(…)`, which holds for every item, and of `not all(…)`; None for any other call."""
    name = last(call.func)
    items = of_whole(call) if name in ("all", "any") else None
    if items is None:
        return None
    found = reader.made(call, writer.text(items), EACH_FALSE, "", PRESENT)
    return found if name == "any" else of_any(found, writer.text(items))


def _of_all(node: ast.GeneratorExp | ast.ListComp, reader: Reader, writer: Writer, fuel: int) -> Assertion:
    """The check of every item; one of items that were chosen by the same check always holds."""
    found = next(reader.checks(node.elt, fuel - 1))
    if len(node.generators) == 1:
        only = node.generators[0]
        found = next(in_words_of_whole([found], only.target, only.iter, writer))
    asked = [test for one in node.generators for test in one.ifs]
    known = {one.text for test in asked for one in reader.checks(test, fuel - 1)}
    if found.text in known:
        return found._replace(void=CHOSEN)
    return found._replace(condition=bounded("; ".join(sorted(known)))) if known else found
