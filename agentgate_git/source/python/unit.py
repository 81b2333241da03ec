"""One function that may be a test, with everything that was found to decide whether it runs."""

from __future__ import annotations

import ast

from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last
from agentgate_git.source.python.bodies import Body
from agentgate_git.source.python.effects import Effect
from agentgate_git.source.python.names import Function

_SKIPPING = frozenset(("skip", "xfail", "importorskip", "skipTest", "applymarker", "add_marker"))
_SKIP_ERRORS = frozenset(("SkipTest", "Skipped", "Exception", "skipException"))


class Unit(Record):
    """`name` is qualified (`Class::test_x`); `is_branched` says that it is defined inside an `if` or `try`.

    `body` is where its statements are read; `owner` the class that it is a test of, None for a plain function.
    """

    name: str
    function: Function
    effects: tuple[Effect, ...]
    is_branched: bool
    body: Body
    owner: ast.ClassDef | None = None


def body_of(function: Function) -> list[ast.stmt]:
    """The statements that make a test what it is: without the docstring and without what skips it."""
    return [statement for statement in function.body if not _is_marker(statement)]


def _is_marker(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
        case ast.Expr(value=ast.Call(func=called)):
            return last(called) in _SKIPPING
        case ast.Raise(exc=ast.Call(func=called)):
            return last(called) in _SKIP_ERRORS
        case ast.Raise(exc=ast.Attribute(attr=name)):
            return name in _SKIP_ERRORS
        case ast.If(body=body, orelse=[]):
            return all(_is_marker(inner) for inner in body)
        case ast.Return(value=None):
            return True
        case _:
            return False
