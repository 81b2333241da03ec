"""Statuses that a script of Python makes a success of, though they say that tests failed."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from agentgate_git.source.commands.runner_tables import IGNORED
from agentgate_git.source.nodes import last

EXITS = frozenset(("exit", "SystemExit", "_exit"))
_TOLD = 80


def mapped_statuses(statements: Iterable[ast.stmt]) -> dict[ast.AST, str]:
    """The calls whose status is made a success of where it says that tests failed: `0 if rc in (0, 1) else rc`."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    made: dict[str, str] = {}
    for node in nodes:
        match node:
            case ast.IfExp(test=test, body=ast.Constant(value=0 | None) as kept) if kept.value is not False:
                name, how = _takes_failures(test), ast.unparse(node)[:_TOLD]
            case ast.If(test=test, body=[only], orelse=[]) if _is_well(only):
                name, how = _takes_failures(test), f"if {ast.unparse(test)}: {ast.unparse(only)}"[:_TOLD]
            case _:
                continue
        if name:
            made[name] = f"{IGNORED}: `{how}`"
    found: dict[ast.AST, str] = {}
    for node in nodes if made else ():
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            how = made.get(node.targets[0].id, "")
            for inner in ast.walk(node.value) if how else ():
                if isinstance(inner, ast.Call):
                    found[inner] = how
    return found


def _takes_failures(test: ast.expr) -> str:
    """The name whose value is asked for, where a status of failed tests is among those that are asked for."""
    match test:
        case ast.Compare(
            left=left, ops=[ast.In()], comparators=[ast.Tuple(elts=codes) | ast.List(elts=codes) | ast.Set(elts=codes)]
        ):
            asked = codes
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[code]):
            asked = [code]
        case _:
            return ""
    named = left.value if isinstance(left, ast.Attribute) and left.attr == "returncode" else left
    is_of_failure = any(isinstance(one, ast.Constant) and type(one.value) is int and one.value == 1 for one in asked)
    return named.id if is_of_failure and isinstance(named, ast.Name) else ""


def _is_well(statement: ast.stmt) -> bool:
    """True for a statement that ends, or goes on, with a status of 0."""
    match statement:
        case ast.Expr(value=ast.Call(func=called, args=given)) if last(called) in EXITS:
            return not given or (isinstance(given[0], ast.Constant) and given[0].value == 0)
        case ast.Return(value=ast.Constant(value=0)) | ast.Assign(value=ast.Constant(value=0)):
            return True
        case ast.Raise(exc=ast.Call(func=called, args=[ast.Constant(value=0)])):
            return last(called) == "SystemExit"
        case _:
            return False
