"""Constant folding: the value an expression has whatever happens, or UNKNOWN.

Nothing is executed: only literals, operators and a handful of harmless built-ins are computed, on small values.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

MAX_DEPTH = 40
MAX_LENGTH = 4096
MAX_HELD = 4 * MAX_LENGTH
MAX_NUMBER = 1 << 64
MAX_POWER = 64


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()

Leaf = Callable[[ast.expr], Any]

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.Not: operator.not_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, items: item in items,
    ast.NotIn: lambda item, items: item not in items,
}
_BUILTINS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (bool, len, int, str, any, all, abs, tuple, list, set, frozenset, dict, chr, ord, sorted)
}
_COLLECTIONS = (tuple, list, set, frozenset, dict)
_METHODS = frozenset(
    ("lower", "upper", "strip", "startswith", "endswith", "join", "replace", "casefold", "title", "split", "splitlines")
)


def fold(node: ast.expr, leaf: Leaf, depth: int = MAX_DEPTH) -> Any:
    """The value of an expression, or UNKNOWN. `leaf` is asked for names, attributes and calls."""
    if depth == 0:
        return UNKNOWN
    kind = type(node)
    if kind is ast.Constant:
        return _small(node.value)  # type: ignore[attr-defined]
    computed = _COMPUTED.get(kind)
    if computed is None:
        return leaf(node)
    try:
        return _small(computed(node, leaf, depth - 1))
    except (TypeError, ValueError, ArithmeticError, LookupError):
        return UNKNOWN


def _small(value: Any) -> Any:
    if value is UNKNOWN or value is None:
        return value
    if isinstance(value, int | float) and abs(value) > MAX_NUMBER:
        return UNKNOWN
    return UNKNOWN if (hasattr(value, "__len__") and len(value) > MAX_LENGTH) or _is_vast(value) else value


def _is_vast(value: Any) -> bool:
    """True for collections that hold collections until they are too much to be compared."""
    stack, count = [value], 0
    while stack:
        one = stack.pop()
        if isinstance(one, _COLLECTIONS):
            count += len(one)
            if count > MAX_HELD:
                return True
            stack.extend(one)
    return False


def _sequence(node: Any, leaf: Leaf, depth: int) -> Any:
    return _collection(node, _fold_all(node.elts, leaf, depth))


def _dict(node: ast.Dict, leaf: Leaf, _depth: int) -> Any:
    return leaf(node) if node.keys else {}


def _named(node: ast.NamedExpr, leaf: Leaf, depth: int) -> Any:
    return fold(node.value, leaf, depth)


def _unary(node: ast.UnaryOp, leaf: Leaf, depth: int) -> Any:
    value = fold(node.operand, leaf, depth)
    return UNKNOWN if value is UNKNOWN else _UNARY[type(node.op)](value)


def _operation(node: ast.BinOp, leaf: Leaf, depth: int) -> Any:
    return _binary(node.op, fold(node.left, leaf, depth), fold(node.right, leaf, depth))


def _choice(node: ast.IfExp, leaf: Leaf, depth: int) -> Any:
    chosen = fold(node.test, leaf, depth)
    return UNKNOWN if chosen is UNKNOWN else fold(node.body if chosen else node.orelse, leaf, depth)


def _fold_all(nodes: list[ast.expr], leaf: Leaf, depth: int) -> list[Any] | _Unknown:
    values = [fold(node, leaf, depth) for node in nodes]
    return UNKNOWN if any(value is UNKNOWN for value in values) else values


def _collection(node: ast.expr, values: list[Any] | _Unknown) -> Any:
    if isinstance(values, _Unknown):
        return UNKNOWN
    if isinstance(node, ast.Tuple):
        return tuple(values)
    return set(values) if isinstance(node, ast.Set) else values


def _binary(op: ast.operator, left: Any, right: Any) -> Any:
    if left is UNKNOWN or right is UNKNOWN or type(op) not in _BINARY:
        return UNKNOWN
    if isinstance(op, ast.Mod) and isinstance(left, str | bytes):
        return UNKNOWN
    if isinstance(op, ast.Pow | ast.LShift) and not (isinstance(right, int) and 0 <= right <= MAX_POWER):
        return UNKNOWN
    if isinstance(op, ast.Mult) and not (isinstance(left, int | float) and isinstance(right, int | float)):
        number, sized = (left, right) if isinstance(left, int) else (right, left)
        if not isinstance(number, int) or number * len(sized) > MAX_LENGTH:
            return UNKNOWN
    return _BINARY[type(op)](left, right)


def _bool_op(node: ast.BoolOp, leaf: Leaf, depth: int) -> Any:
    """`False and x` is False whatever x is; so is `x and False` for what a condition asks."""
    decides = isinstance(node.op, ast.Or)
    values = [fold(value, leaf, depth) for value in node.values]
    for value in values:
        if value is not UNKNOWN and bool(value) is decides:
            return value
    return UNKNOWN if any(value is UNKNOWN for value in values) else values[-1]


def _compare(node: ast.Compare, leaf: Leaf, depth: int) -> Any:
    left = fold(node.left, leaf, depth)
    for op, comparator in zip(node.ops, node.comparators, strict=True):
        right = fold(comparator, leaf, depth)
        if left is UNKNOWN or right is UNKNOWN:
            return UNKNOWN
        if not _COMPARE[type(op)](left, right):
            return False
        left = right
    return True


def _joined(node: ast.JoinedStr, leaf: Leaf, depth: int) -> Any:
    parts = []
    for value in node.values:
        plain = value.value if isinstance(value, ast.FormattedValue) and value.format_spec is None else value
        part = fold(plain, leaf, depth)
        if not isinstance(part, str | int):
            return UNKNOWN
        parts.append(str(part))
    return "".join(parts)


def _subscript(node: ast.Subscript, leaf: Leaf, depth: int) -> Any:
    known = leaf(node)
    if known is not UNKNOWN:
        return known
    value = fold(node.value, leaf, depth)
    if value is UNKNOWN:
        return UNKNOWN
    if not isinstance(node.slice, ast.Slice):
        index = fold(node.slice, leaf, depth)
        return UNKNOWN if index is UNKNOWN else value[index]
    bounds = [
        fold(part, leaf, depth) if part else None for part in (node.slice.lower, node.slice.upper, node.slice.step)
    ]
    return UNKNOWN if UNKNOWN in bounds else value[slice(*bounds)]


def _call(node: ast.Call, leaf: Leaf, depth: int) -> Any:
    known = leaf(node)
    if known is not UNKNOWN or node.keywords:
        return known
    values = _fold_all(node.args, leaf, depth)
    if isinstance(values, _Unknown):
        return UNKNOWN
    match node.func:
        case ast.Name(id=name) if name in _BUILTINS:
            return _BUILTINS[name](*values)
        case ast.Attribute(value=owner, attr=name) if name in _METHODS:
            text = fold(owner, leaf, depth)
            return getattr(text, name)(*values) if isinstance(text, str) else UNKNOWN
        case _:
            return UNKNOWN


_COMPUTED: dict[type[ast.expr], Callable[[Any, Leaf, int], Any]] = {
    ast.NamedExpr: _named,
    ast.Tuple: _sequence,
    ast.List: _sequence,
    ast.Set: _sequence,
    ast.Dict: _dict,
    ast.UnaryOp: _unary,
    ast.BinOp: _operation,
    ast.BoolOp: _bool_op,
    ast.Compare: _compare,
    ast.IfExp: _choice,
    ast.JoinedStr: _joined,
    ast.Subscript: _subscript,
    ast.Call: _call,
}
