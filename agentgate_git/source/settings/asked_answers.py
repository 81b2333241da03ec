"""Answers of commands that a task looks at itself: `result = c.run(…, warn=True)`, `if result.failed: raise`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.source.nodes import last

_EXITS = frozenset(("exit", "SystemExit", "_exit", "Exit", "abort", "fail", "error", "Failure"))


def looked_at(statements: Iterable[ast.stmt]) -> frozenset[ast.AST]:
    """The calls whose answer ends the task where it says so: a branch on it raises, or an exit is given it."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    names: set[str] = set()
    found: set[ast.AST] = set()
    for node in nodes:
        for asked in _asked(node):
            for inner in ast.walk(asked):
                if isinstance(inner, ast.Name):
                    names.add(inner.id)
                elif isinstance(inner, ast.Call):
                    found.add(inner)
    for node in nodes if names else ():
        if isinstance(node, ast.Assign) and any(isinstance(one, ast.Name) and one.id in names for one in node.targets):
            found.update(inner for inner in ast.walk(node.value) if isinstance(inner, ast.Call))
    return frozenset(found)


def _asked(node: ast.AST) -> Iterator[ast.expr]:
    """What decides whether the task ends here, or what it ends with."""
    match node:
        case ast.If(test=test, body=body, orelse=otherwise) if any(map(_ends, (*body, *otherwise))):
            yield test
        case ast.Call(func=called, args=args, keywords=keywords) if last(called) in _EXITS:
            yield from (*args, *(one.value for one in keywords))
        case ast.Assert(test=test):
            yield test


def _ends(statement: ast.stmt) -> bool:
    """True for a statement that raises, or exits with something else than success."""
    if isinstance(statement, ast.Raise):
        return True
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    call = statement.value
    is_well = call.args and isinstance(call.args[0], ast.Constant) and not call.args[0].value
    return last(call.func) in _EXITS and not is_well
