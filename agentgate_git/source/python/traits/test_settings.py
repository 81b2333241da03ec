"""Settings of an application that say that tests run: what production does otherwise where one holds."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.traits.asked import OPEN, RUNNING
from agentgate_git.source.python.walk import Spot

_NAMES = frozenset(
    (
        *("TESTING", "UNIT_TEST", "UNITTEST", "RUNNING_TESTS", "IN_TEST", "IN_TESTS", "IS_TEST", "IS_TESTING"),
        *("TEST_MODE", "TESTING_MODE", "UNDER_TEST"),
    )
)
_CALLED = pattern_of(r"(?i)(?:^|_)(?:config|conf|settings?|options?|flags?)$")


def asked_settings(statement: ast.stmt, nodes: Iterable[ast.AST], spot: Spot) -> Iterator[Trait]:
    """A branch on one of them: `if settings.TESTING`, `if getattr(conf, "testing", False)`, `config["TESTING"]`."""
    if spot.function is None:
        return
    tests = [statement.test] if isinstance(statement, ast.If) else []
    tests += [node.test for node in nodes if type(node) is ast.IfExp]
    for node in (inner for test in tests for inner in nodes_of(test)):
        spot.scope.spend()
        if _asked(node).upper() in _NAMES:
            yield Trait(RUNNING + OPEN, written(node, 120), getattr(node, "lineno", 1), spot.owner)


def _asked(node: ast.AST) -> str:
    """The name of the setting that an expression asks for, empty for what asks for none."""
    match node:
        case ast.Attribute(value=owner, attr=name):
            return name if last(owner) != "self" else ""
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
            return name
        case (
            ast.Call(func=ast.Attribute(value=owner, attr="get"), args=[ast.Constant(value=str(name)), *_])
            | ast.Subscript(value=owner, slice=ast.Constant(value=str(name)))
        ):
            return name if _CALLED.search(last(owner)) else ""
        case _:
            return ""
