"""Which classes of a file inherit from classes of others, and the inherited tests that they give up."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.names import Scope


class Inherited(Record):
    """(class, dotted name of a base of another file, or empty) and (`Class::test_x`, line) of tests given up."""

    bases: tuple[tuple[str, str], ...]
    cleared: tuple[tuple[str, int], ...]


def inherited(classes: Iterable[ast.ClassDef], scope: Scope) -> Inherited:
    """What the classes of a module take from others: an empty base stands for each class itself."""
    bases: list[tuple[str, str]] = []
    cleared: list[tuple[str, int]] = []
    for node in classes:
        bases.append((node.name, ""))
        for base in node.bases:
            target = base.value if isinstance(base, ast.Subscript) else base
            if not isinstance(scope.definition(target), ast.ClassDef):
                bases.append((node.name, scope.dotted(target) or ast.unparse(target)))
        cleared += [(f"{node.name}::{name}", line) for name, line in _cleared(node)]
    return Inherited(tuple(bases), tuple(cleared))


def _cleared(node: ast.ClassDef) -> Iterator[tuple[str, int]]:
    """`test_x = None` where nothing in the class takes it for a place to keep something."""
    if all(last(base).endswith("TestCase") for base in node.bases):
        return
    found: list[tuple[str, int]] = []
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=None)) if name.startswith("test"):
                found.append((name, statement.lineno))
    used = {getattr(one, "attr", "") or getattr(one, "name", "") for one in nodes_of(node)} if found else set()
    yield from (one for one in found if one[0] not in used)
