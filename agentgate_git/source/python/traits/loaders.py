"""What the tests read rows from a file with, or take from elsewhere, and hand on only some of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.names import Function, flat
from agentgate_git.source.python.walk import Spot, arguments_of

ROWS = "hook.rows"

_READS = frozenset(
    (
        *("load", "loads", "safe_load", "safe_load_all", "full_load", "read_text", "read_bytes", "open", "reader"),
        *("DictReader", "read_csv", "iterdir", "glob", "listdir", "splitlines", "load_cases"),
    )
)
_READS_OR_GIVES = _READS | {"parametrize"}
# What they give is a text, of which a slice cuts off no rows.
_TEXTS = frozenset(("read", "read_text", "read_bytes", "decode", "strip", "rstrip", "getvalue", "join", "group"))
_COPIES = frozenset(("list", "tuple", "sorted", "iter"))


def loader_traits(function: Function, spot: Spot) -> Iterator[Trait]:
    """The conditions on which a function that reads a file leaves rows out; by its arguments its caller chooses."""
    if function.name.startswith("test") or not any(
        type(node) is ast.Call and last(node.func) in _READS_OR_GIVES
        for statement in function.body
        for node in nodes_of(statement)
    ):
        return
    given = frozenset(arguments_of(function))
    owner = f"{spot.owner}::{function.name}" if spot.owner else function.name
    for statement, _ in flat(function.body):
        for cut in _cuts(statement):
            yield Trait(ROWS, written(cut, 100), getattr(cut, "lineno", function.lineno), owner)
        for test in _conditions(statement):
            names = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
            if names.isdisjoint(given) and _compares(test):
                yield Trait(ROWS, f"only rows with {written(test, 100)}", test.lineno, owner)


def table_traits(statement: ast.Assign, spot: Spot) -> Iterator[Trait]:
    """The conditions on which a table of a module leaves rows out that are read from a file, or that it had before.

    The owner is the name of the table.
    """
    target = statement.targets[0]
    if not isinstance(target, ast.Name) or spot.function is not None:
        return
    for rows, test in _sources(statement.value):
        is_read = any(isinstance(one, ast.Call) and last(one.func) in _READS for one in ast.walk(rows))
        is_own = isinstance(rows, ast.Name) and rows.id == target.id
        if (is_read or is_own) and (_compares(test) or _leaves_out(test)):
            yield Trait(ROWS, f"only rows with {written(test, 100)}", test.lineno, target.id)


def picked_traits(function: Function, spot: Spot) -> Iterator[Trait]:
    """The conditions on which the parameters of a test are taken of a table that stands elsewhere."""
    owner = f"{spot.owner}::{function.name}" if spot.owner else function.name
    for call in (one for one in function.decorator_list if isinstance(one, ast.Call)):
        for given in call.args[1:2] if last(call.func) == "parametrize" else ():
            for rows, test in _sources(given):
                held = spot.scope.settled(rows)
                is_literal = isinstance(held or rows, ast.List | ast.Tuple | ast.Dict | ast.Set)
                if not is_literal and (_compares(test) or _leaves_out(test)):
                    yield Trait(ROWS, f"only rows with {written(test, 100)}", test.lineno, owner)


def _sources(value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What rows are taken of, with each condition that they have to meet."""
    match value:
        case ast.ListComp(generators=[one]) | ast.GeneratorExp(generators=[one]):
            yield from ((one.iter, test) for test in one.ifs)
        case ast.Call(func=ast.Name(id="filter"), args=[ast.Lambda(body=test), rows]):
            yield rows, test
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _COPIES:
            yield from _sources(inner)


def _leaves_out(test: ast.expr) -> bool:
    """True for `row != "eu"` and `row not in KNOWN_BAD`."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=ast.Name(), ops=[ast.Eq() | ast.In()])):
            return True
        case ast.Compare(left=ast.Name(), ops=[ast.NotEq()], comparators=[ast.Constant(value=str() | int())]):
            return True
        case ast.Compare(left=ast.Name(), ops=[ast.NotIn()]):
            return True
        case _:
            return False


def _conditions(statement: ast.stmt) -> Iterator[ast.expr]:
    """What a row has to be so that it is handed on."""
    match statement:
        case ast.Return(value=value) | ast.Expr(value=ast.YieldFrom(value=value)) if value is not None:
            yield from _filters(value)
        case ast.Assign(value=value):
            yield from _filters(value)
        case ast.If(test=test, body=[ast.Continue()], orelse=[]):
            yield ast.copy_location(ast.UnaryOp(ast.Not(), test), test)


def _cuts(statement: ast.stmt) -> Iterator[ast.AST]:
    """Slices of what is handed on, and rows that are taken out of it."""
    match statement:
        case ast.Return(value=value) if value is not None and _is_slice(value):
            yield statement
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="parametrize"), args=[_, given, *_])):
            if _is_slice(given) or any(_compares(one) for one in _filters(given)):
                yield statement
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="pop"), args=[at])) if _is_number(at):
            yield statement
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="remove"), args=[ast.Dict() | ast.Tuple()])
        ):
            yield statement
        case ast.Delete(targets=[ast.Subscript(value=ast.Name(), slice=at)]) if _is_number(at) or _is_range(at):
            yield statement


def _is_slice(value: ast.expr) -> bool:
    """True for a part of rows between numbers that stand there; the first line of a table is its heading."""
    if not isinstance(value, ast.Subscript) or not _is_range(value.slice):
        return False
    return not (isinstance(value.value, ast.Call) and last(value.value.func) in _TEXTS)


def _is_range(at: ast.expr) -> bool:
    if not isinstance(at, ast.Slice):
        return False
    is_heading = at.upper is None and isinstance(at.lower, ast.Constant) and at.lower.value == 1
    return not is_heading and any(one is not None and _is_number(one) for one in (at.lower, at.upper))


def _is_number(at: ast.expr) -> bool:
    inner = at.operand if isinstance(at, ast.UnaryOp) else at
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int)


def _filters(value: ast.expr) -> Iterator[ast.expr]:
    match value:
        case ast.ListComp(generators=generators) | ast.GeneratorExp(generators=generators):
            for one in generators:
                yield from one.ifs
        case ast.Call(func=ast.Name(id="filter"), args=[ast.Lambda(body=test), _]):
            yield test
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _COPIES:
            yield from _filters(inner)


def _compares(test: ast.expr) -> bool:
    """True for a question about what a row says, not for one whether it says anything."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _compares(inner)
        case ast.BoolOp(values=values):
            return any(_compares(one) for one in values)
        case ast.Compare(left=ast.Subscript(slice=ast.Constant(value=str())) | ast.Attribute()):
            return True
        case ast.Compare(comparators=[ast.Subscript(slice=ast.Constant(value=str()))]):
            return True
        case ast.Compare(left=ast.Call(func=ast.Attribute(attr="get"))):
            return True
        case _:
            return False
