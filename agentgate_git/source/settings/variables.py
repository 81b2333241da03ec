"""The variables around commands: many commands may stand below the same many of them, so they are looked at once."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model.config_node import TreeError
from agentgate_git.source.commands.runner_marks import may_mark, variable_marks
from agentgate_git.source.commands.runners import Runner

# What chooses tests by variables names some; each of them would be a mark of every command below.
MAX_MARKS = 100


class Variables:
    """Names with their values, in order; a name may come again."""

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._pairs = tuple(pairs)
        self._marking = tuple((name, value) for name, value in self._pairs if may_mark(name))
        self._known: dict[frozenset[str], frozenset[str]] = {}

    def plus(self, pairs: tuple[tuple[str, str], ...]) -> Variables:
        """These and others behind them."""
        return Variables((*self._pairs, *pairs)) if pairs else self

    def known(self, names: frozenset[str]) -> frozenset[str]:
        """The names that are set, with `names` that are known beside them."""
        if not self._pairs:
            return names
        if names not in self._known:
            self._known[names] = names.union(name for name, _ in self._pairs)
        return self._known[names]

    def marks(self, runner: Runner) -> tuple[str, ...]:
        """What they do to a command; TreeError for more than is told."""
        if len(self._marking) > MAX_MARKS:
            raise TreeError(f"more than {MAX_MARKS} of its variables choose among tests")
        found = tuple(mark for name, value in self._marking for mark in variable_marks(runner, name, value))
        if len(found) > MAX_MARKS:
            raise TreeError(f"its variables give a command more than {MAX_MARKS} options")
        return found


NO_VARIABLES = Variables()
