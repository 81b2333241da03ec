"""Tables of parameters of which a filter, a slice or a comprehension takes a part: which rows it leaves out."""

from __future__ import annotations

import ast
from typing import Any

from agentgate_git.model.record import Record
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.names import Scope

_FUEL = 6
_COPIES = frozenset(("list", "tuple", "sorted", "set", "reversed"))


class Part(Record):
    """What is taken of a table: the rows `left_out` for certain, and in words `how` the others are picked.

    `how` is empty where every row is known to be taken or left out.
    """

    left_out: tuple[ast.expr, ...]
    how: str


def table_rows(table: ast.List | ast.Tuple, scope: Scope) -> list[ast.expr]:
    """The rows of a table, those of tables that are unpacked into it in their place."""
    rows: list[ast.expr] = []
    for item in table.elts:
        held = _table(item.value, scope) if isinstance(item, ast.Starred) else None
        rows += held.elts if held is not None else [item]
    return rows


def part_of(value: ast.expr, scope: Scope, fuel: int = _FUEL) -> Part | None:
    """The part of a table that an expression takes; None for any other expression, and for a whole table."""
    if not fuel:
        return None
    match value:
        case ast.ListComp(generators=[first]) | ast.GeneratorExp(generators=[first]) if first.ifs:
            return _filtered(first.target, first.ifs, first.iter, scope)
        case ast.Call(func=ast.Name(id="filter"), args=[ast.Lambda(args=given, body=test), table]) if given.args:
            name = ast.copy_location(ast.Name(given.args[0].arg), test)
            return _filtered(name, [test], table, scope)
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _COPIES:
            return part_of(inner, scope, fuel - 1)
        case ast.Call(func=ast.Attribute(attr="islice") | ast.Name(id="islice"), args=[table, *bounds]) if bounds:
            return _sliced(table, _islice(bounds), value, scope)
        case ast.Subscript(value=table, slice=ast.Slice() as bounds):
            return _sliced(table, bounds, value, scope)
        case ast.Name() if (bound := scope.settled(value)) is not None:
            return part_of(bound, scope, fuel - 1)
        case ast.BinOp(op=ast.Sub(), left=table, right=less):
            return _without(table, less, scope)
        case ast.BinOp(op=ast.Add()) | ast.List() | ast.Tuple():
            return _joined(value, scope)
        case _:
            return None


def _without(table: ast.expr, less: ast.expr, scope: Scope) -> Part | None:
    """What is left of a set of rows without others."""
    inner = table.args[0] if isinstance(table, ast.Call) and len(table.args) == 1 else table
    held = scope.settled(inner) or inner
    gone = fold(less, scope.constant)
    if not isinstance(held, ast.List | ast.Tuple | ast.Set) or not isinstance(gone, list | tuple | set | frozenset):
        return None
    scope.spend(len(held.elts))
    left_out = tuple(row for row in held.elts if (known := fold(row, scope.constant)) is not UNKNOWN and known in gone)
    return Part(left_out, "") if left_out else None


class _Taken:
    """What the parts of a joined table take of the tables that they name."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.tables: dict[int, ast.List | ast.Tuple] = {}
        self.rows: set[int] = set()
        self.is_known = True

    def add(self, node: ast.expr, fuel: int = _FUEL) -> None:
        """Count the rows of one part; a part of another kind leaves open what it takes."""
        match node:
            case _ if not fuel:
                self.is_known = False
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                self.add(left, fuel - 1)
                self.add(right, fuel - 1)
            case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _COPIES:
                self.add(inner, fuel - 1)
            case ast.Subscript(value=table, slice=at) if (held := _table(table, self._scope)) is not None:
                self._take(held, at)
            case ast.Name() if (held := _table(node, self._scope)) is not None:
                self.tables[id(held)] = held
                self.rows.update(id(item) for item in held.elts)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                for item in items:
                    if isinstance(item, ast.Starred):
                        self.add(item.value, fuel - 1)
                    elif isinstance(item, ast.Subscript):
                        self.add(item, fuel - 1)
            case _:
                self.is_known = False

    def _take(self, held: ast.List | ast.Tuple, at: ast.expr) -> None:
        self.tables[id(held)] = held
        if isinstance(at, ast.Slice):
            numbers = [fold(one, self._scope.constant) if one else None for one in (at.lower, at.upper, at.step)]
            if not all(number is None or isinstance(number, int) for number in numbers) or numbers[2] == 0:
                self.is_known = False
                return
            self.rows.update(id(item) for item in held.elts[slice(*numbers)])
            return
        number = fold(at, self._scope.constant)
        if isinstance(number, int) and -len(held.elts) <= number < len(held.elts):
            self.rows.add(id(held.elts[number]))
        else:
            self.is_known = False


def _joined(value: ast.expr, scope: Scope) -> Part | None:
    """What a sum of parts, or a list with parts unpacked into it, leaves out of the tables that it takes from."""
    taken = _Taken(scope)
    taken.add(value)
    if not taken.is_known:
        return None
    left_out = tuple(row for table in taken.tables.values() for row in table.elts if id(row) not in taken.rows)
    scope.spend(len(left_out))
    return Part(left_out, "") if left_out else None


def _table(node: ast.expr, scope: Scope) -> ast.List | ast.Tuple | None:
    held = scope.settled(node) or node
    return held if isinstance(held, ast.List | ast.Tuple) else None


def _islice(bounds: list[ast.expr]) -> ast.Slice:
    first, second = (bounds[0], bounds[1]) if len(bounds) > 1 else (None, bounds[0])
    return ast.Slice(first, second, bounds[2] if len(bounds) > 2 else None)


def _sliced(table: ast.expr, bounds: ast.Slice, value: ast.expr, scope: Scope) -> Part | None:
    held = _table(table, scope)
    if held is None or any(isinstance(item, ast.Starred) for item in held.elts):
        return None
    numbers = [fold(one, scope.constant) if one else None for one in (bounds.lower, bounds.upper, bounds.step)]
    if not all(number is None or isinstance(number, int) for number in numbers) or numbers[2] == 0:
        return Part((), written(value, 80))
    taken = {id(item) for item in held.elts[slice(*numbers)]}
    left_out = tuple(item for item in held.elts if id(item) not in taken)
    return Part(left_out, "") if left_out else None


def _filtered(target: ast.expr, tests: list[ast.expr], table: ast.expr, scope: Scope) -> Part | None:
    held = _table(table, scope)
    if held is None:
        return None
    rows = table_rows(held, scope)
    scope.spend(len(rows) * len(tests))
    left_out: list[ast.expr] = []
    is_open = False
    for row in rows:
        verdicts = [_holds(test, target, row, scope) for test in tests]
        if any(verdict is not UNKNOWN and not verdict for verdict in verdicts):
            left_out.append(row)
        elif any(verdict is UNKNOWN for verdict in verdicts):
            is_open = True
    if not (left_out or is_open):
        return None
    return Part(tuple(left_out), " and ".join(written(test, 80) for test in tests) if is_open else "")


def _holds(test: ast.expr, target: ast.expr, row: ast.expr, scope: Scope) -> Any:
    names = _unpacked(target, row)

    def leaf(node: ast.expr) -> Any:
        match node:
            case ast.Name(id=name) if name in names:
                return fold(names[name], scope.constant)
            case ast.Attribute(value=ast.Name(id=name), attr="values") if name in names:
                return tuple(fold(value, scope.constant) for value in _values(names[name]))
            case ast.Attribute(value=ast.Name(id=name), attr="id") if name in names:
                return _id(names[name], scope)
            case ast.Subscript(value=ast.Name(id=name), slice=key) if name in names:
                return _item(names[name], fold(key, leaf), scope)
            case ast.Subscript(value=inner, slice=key):
                held, at = leaf(inner), fold(key, leaf)
                return held[at] if isinstance(held, tuple | list | dict) and at is not UNKNOWN else UNKNOWN
            case _:
                return scope.constant(node)

    return fold(test, leaf)


def _item(row: ast.expr, at: Any, scope: Scope) -> Any:
    """One value of a row, whether or not the others are known."""
    if isinstance(row, ast.Tuple | ast.List) and isinstance(at, int) and -len(row.elts) <= at < len(row.elts):
        return fold(row.elts[at], scope.constant)
    held = fold(row, scope.constant)
    return held[at] if isinstance(held, tuple | list | dict | str) and at is not UNKNOWN else UNKNOWN


def _unpacked(target: ast.expr, row: ast.expr) -> dict[str, ast.expr]:
    if isinstance(target, ast.Name):
        return {target.id: row}
    parts = target.elts if isinstance(target, ast.Tuple | ast.List) else []
    values = row.elts if isinstance(row, ast.Tuple | ast.List) else []
    pairs = zip(parts, values, strict=True) if len(parts) == len(values) else ()
    return {part.id: value for part, value in pairs if isinstance(part, ast.Name)}


def _values(row: ast.expr) -> list[ast.expr]:
    """The values of `pytest.param(…)`."""
    return row.args if isinstance(row, ast.Call) else []


def _id(row: ast.expr, scope: Scope) -> Any:
    named = [one.value for one in row.keywords if one.arg == "id"] if isinstance(row, ast.Call) else []
    return fold(named[0], scope.constant) if named else UNKNOWN
