"""Constants of other files that decide whether a test is skipped: a flag, or a version that is compared."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.inventory import CONDITIONAL
from agentgate_git.source.python.effects import Effect
from agentgate_git.source.python.module import ModuleFacts
from agentgate_git.source.python.offers import compared_taken, values_taken

LAST_LINE = 1 << 30


class Flags:
    """The names of other files that alone decide whether a test is skipped, and by which of their values.

    What a condition names is found once: many tests may stand under it.
    """

    def __init__(self, module: ModuleFacts) -> None:
        self._scope = module.scope
        self._known: dict[str, tuple[str, ...]] = {}
        self._together: dict[str, tuple[str, ...]] = {}

    def of(self, effect: Effect) -> tuple[str, ...]:
        """What decides so for one test."""
        if effect.state != CONDITIONAL:
            return ()
        text = effect.condition
        if text not in self._together:
            self._together[text] = tuple(name for one in text.split("; ") for name in self._of_one(one))
        return self._together[text]

    def _of_one(self, condition: str) -> tuple[str, ...]:
        if condition not in self._known:
            self._known[condition] = tuple(self._in(condition))
        return self._known[condition]

    def _in(self, condition: str) -> Iterator[str]:
        try:
            node = ast.parse(condition, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        named = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else node
        is_negated = named is not node
        if not isinstance(named, ast.Name | ast.Attribute | ast.Compare):
            return
        for inner in ast.walk(named):
            inner.lineno = LAST_LINE  # type: ignore[attr-defined]  # names are looked up as of this line
        if not isinstance(named, ast.Compare):
            yield from values_taken(named, is_negated, self._scope)
        elif not is_negated:
            yield from compared_taken(named, self._scope)
