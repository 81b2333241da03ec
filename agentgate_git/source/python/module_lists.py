"""Lists on which something is put by calls: `hooks.append(check)`, at the top of a file and in a function."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from agentgate_git.model.record import Record
from agentgate_git.source.nodes import nodes_of

# What puts something on a list, and what keeps it for the end.
ADDS = ("append", "add", "insert", "appendleft", "register")


class PutOn(Record):
    """How often something is put on what has a name, and the calls that put the value of a name on anything."""

    times: dict[str, int]
    given: dict[str, list[ast.Call]]


class Tables(Record):
    """The names of one file: what they are set to, how often anything reads them, and how often something is put on."""

    values: dict[str, ast.expr | None]
    reads: dict[str, int]
    times: dict[str, int]

    def of(self, name: str) -> tuple[ast.expr | None, int, int]:
        """What a name is set to, None where that is open; how often it is read and something is put on it."""
        return self.values.get(name), self.reads.get(name, 0), self.times.get(name, 0)


def put_on(calls: Iterable[ast.Call]) -> PutOn:
    """What some calls of ADDS do."""
    times: dict[str, int] = {}
    given: dict[str, list[ast.Call]] = {}
    for call in calls:
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if isinstance(owner, ast.Name):
            times[owner.id] = times.get(owner.id, 0) + 1
        for one in call.args:
            if isinstance(one, ast.Name):
                given.setdefault(one.id, []).append(call)
    return PutOn(times, given)


def tables_of(tree: ast.Module) -> Tables:
    """The tables of a file, found once."""
    values: dict[str, ast.expr | None] = {}
    reads: dict[str, int] = {}
    calls: list[ast.Call] = []
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
        elif type(node) is ast.Call and type(node.func) is ast.Attribute and node.func.attr in ADDS:
            calls.append(node)
    return Tables(values, reads, put_on(calls).times)
