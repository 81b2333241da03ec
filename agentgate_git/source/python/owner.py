"""What a reader of one function asks of the reader of its whole module."""

from __future__ import annotations

import ast
from typing import Protocol

from agentgate_git.model.inventory import Assertion
from agentgate_git.source.python.bodies import Body
from agentgate_git.source.python.names import Function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.source.python.statements import FunctionReader


class Owner(Protocol):
    """What reads whole modules: it knows helpers, and which names the file calls."""

    def helper(
        self, function: Function, body: Body, fuel: int, outer: FunctionReader | None = None
    ) -> tuple[Assertion, ...]:
        """The assertions of a function that is called."""

    def is_generator(self, function: Function) -> bool:
        """True for a function with a `yield` of its own."""

    def callables(self) -> frozenset[str]:
        """The names that the file calls somewhere."""

    def awaited(self) -> frozenset[str]:
        """The last names of what the file awaits somewhere."""

    def table(self, name: str) -> tuple[ast.expr | None, int, int]:
        """What a name of the file is set to at its top, None where that is open; how often it is read and put on."""
