"""What is made to be gone through and never is: `map(check, ROWS)` alone on a line runs no check."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.source.python import reasons
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.names import Function, flat
from agentgate_git.source.python.text import Writer

_MAPS = ("map", "starmap", "filter")


def mapped(function: Function, flow: Flow, writer: Writer) -> Iterator[tuple[ast.Call, str]]:
    """The calls that `map` and its kin make of functions of the file, each with why nothing makes them, if so.

    What each of the items is called there is not known: it has the name of the argument.
    """
    calls = [call for name in _MAPS for call in flow.calls.get(name, ()) if call.args]
    left = _left_alone(function, flow) if calls else frozenset[int]()
    for call in calls:
        definition = writer.definition(call.args[0])
        if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef):
            given = [one.arg for one in (*definition.args.posonlyargs, *definition.args.args)]
            items: list[ast.expr] = [ast.copy_location(ast.Name(one, ast.Load()), call) for one in given]
            made = ast.copy_location(ast.Call(call.args[0], items, []), call)
            is_lazy = id(call) in left and isinstance(call.func, ast.Name)  # a pool maps at once
            yield made, reasons.LAZY if is_lazy else ""


def never_gone_through(statement: ast.stmt, flow: Flow) -> str:
    """Why a generator expression that stands alone, or under a name that nobody reads, makes no check."""
    match statement:
        case ast.Expr(value=ast.GeneratorExp()):
            return reasons.LAZY
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.GeneratorExp()) if not flow.top().loads.get(name, 0):
            return reasons.LAZY
        case _:
            return ""


def _left_alone(function: Function, flow: Flow) -> frozenset[int]:
    """The calls that stand alone as statements, or under a name that nobody reads."""
    found = []
    for statement, _ in flat(function.body):
        match statement:
            case ast.Expr(value=ast.Call() as call):
                found.append(id(call))
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                found += [] if flow.top().loads.get(name, 0) else [id(call)]
    return frozenset(found)
