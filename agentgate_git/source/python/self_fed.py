"""Expected values that a table of parameters takes from the very function that is tested."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import Assertion
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python import reasons
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.names import Function, Scope


def computed(found: Iterable[Assertion], function: Function, scope: Scope) -> Iterator[Assertion]:
    """The assertions of a test, those void that compare a call with a parameter which the same call made."""
    tables = [one for one in function.decorator_list if isinstance(one, ast.Call) and last(one.func) == "parametrize"]
    made = dict(pair for table in tables for pair in _made(table, scope))
    for one in found:
        calls = made.get(one.expected, frozenset()) if made and not one.void and one.relation == "==" else frozenset()
        is_own = any(f"{name}(" in one.subject.rpartition(")")[0] for name in calls)
        yield one._replace(void=reasons.SELF_FED) if is_own else one


def _made(table: ast.Call, scope: Scope) -> Iterator[tuple[str, frozenset[str]]]:
    """Each parameter whose values are calls, with the last names of what is called."""
    names = fold(table.args[0], scope.constant) if table.args else ""
    values = table.args[1] if len(table.args) > 1 else None
    if not isinstance(names, str) or values is None:
        return
    listed = [name.strip() for name in names.split(",")]
    rows = scope.settled(values) or values if isinstance(values, ast.Name) else values
    items = [rows.elt] if isinstance(rows, ast.ListComp | ast.GeneratorExp) else getattr(rows, "elts", [])
    for at, name in enumerate(listed):
        calls = {call for item in items for call in _called(item, at, len(listed))}
        if calls:
            yield name, frozenset(calls)


def _called(item: ast.expr, at: int, count: int) -> Iterator[str]:
    """What is called for one value of a row: by the functions of a file, no types and no marks."""
    if isinstance(item, ast.Call) and last(item.func) == "param":
        item = ast.copy_location(ast.Tuple(item.args, ast.Load()), item)
        value = item.elts[at] if at < len(item.elts) else None
    elif count == 1:
        value = item
    else:
        value = item.elts[at] if isinstance(item, ast.Tuple | ast.List) and at < len(item.elts) else None
    for node in nodes_of(value) if value is not None else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = last(node.func)
            if name.islower() and name not in _BUILT_IN:
                yield name


_BUILT_IN = frozenset(
    (
        *(
            "str",
            "int",
            "float",
            "bytes",
            "list",
            "tuple",
            "dict",
            "set",
            "frozenset",
            "len",
            "range",
            "sorted",
            "repr",
        ),
        *("sum", "min", "max", "abs", "bool", "object", "type", "approx", "date", "datetime", "timedelta", "array"),
        *("join", "format", "encode", "decode", "replace", "upper", "lower", "strip", "split", "get", "zip", "map"),
    )
)
