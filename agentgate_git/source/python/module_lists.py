"""Lists at the top of a file: what they are set to, how often anything reads them, and what puts something on them."""

from __future__ import annotations

import ast

from agentgate_git.model.record import Record
from agentgate_git.source.nodes import nodes_of

_ADDS = frozenset(("append", "add", "insert", "appendleft", "register"))


class Tables(Record):
    """All of one file, by names."""

    values: dict[str, ast.expr | None]
    reads: dict[str, int]
    added: dict[str, tuple[ast.Call, ...]]

    def of(self, name: str) -> tuple[ast.expr | None, int, tuple[ast.Call, ...]]:
        """What a name is set to, None where that is open; how often it is read; the calls that put something on it."""
        return self.values.get(name), self.reads.get(name, 0), self.added.get(name, ())


def _added_to(called: ast.expr) -> str:
    """The name of what something is put on by a call, empty for any other call."""
    match called:
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in _ADDS:
            return name
        case _:
            return ""


def tables_of(tree: ast.Module) -> Tables:
    """The tables of a file, found once."""
    values: dict[str, ast.expr | None] = {}
    reads: dict[str, int] = {}
    added: dict[str, list[ast.Call]] = {}
    for statement in tree.body:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AnnAssign):
            targets = [statement.target]
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(statement, ast.Assign | ast.AnnAssign):
                values[target.id] = None if target.id in values else statement.value
    for node in nodes_of(tree):
        if type(node) is ast.Name and type(node.ctx) is ast.Load:
            reads[node.id] = reads.get(node.id, 0) + 1
        elif type(node) is ast.Call and (name := _added_to(node.func)):
            added.setdefault(name, []).append(node)
    return Tables(values, reads, {name: tuple(calls) for name, calls in added.items()})
