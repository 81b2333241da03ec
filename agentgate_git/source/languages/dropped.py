"""Values that are taken so that nobody has to look at them: `_ = err` of Go, `let _ = result;` of Rust."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import NONE, Assertion
from agentgate_git.source.languages.assertions import Check
from agentgate_git.source.languages.syntax import Code, Item

DROPPED = "nobody looks at it"


def dropped(code: Code, items: Iterable[Item]) -> Iterator[Assertion]:
    """One check that cannot fail for each value that is named and dropped, in the place of what was asserted of it."""
    for item in items:
        if item.kind == "drop":
            subject = code.normal(item.part("value"))
            yield Check(f"_ = {subject}", subject, "is dropped", "", NONE).at(item.line, DROPPED)
