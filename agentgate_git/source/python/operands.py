"""The operands of a comparison: what wrappers, copies and patterns leave of the value that is looked at."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from agentgate_git.model.inventory import BOUND, CLOSE, EXACT, NONE, OR_MISSING, PRESENT, SOUGHT, STRENGTHS
from agentgate_git.source.nodes import last
from agentgate_git.source.python.text import Writer

# Calls that compare two values, seek one in another, or ask for a type.
EXACT_CALLS = frozenset(("array_equal", "equals", "__eq__", "cmp", "eq", "array_equiv", "identical"))
SOUGHT_CALLS = frozenset(
    (
        *("startswith", "endswith", "match", "search", "fullmatch", "issubset", "issuperset", "fnmatch", "any"),
        *("find", "findall", "is_relative_to", "__contains__", "contains"),
    )
)
TYPE_CALLS = frozenset(("isinstance", "issubclass", "hasattr", "callable"))
# The relation of what holds for every item.
EACH_TRUE, EACH_FALSE = "each is truthy", "each is falsy"
# A comparison and its negation, and a comparison with its sides turned about.
FLIPPED: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.Lt: ast.GtE(),
    ast.GtE: ast.Lt(),
    ast.Gt: ast.LtE(),
    ast.LtE: ast.Gt(),
}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
# What a wrapper around a value leaves of it: everything else counts as the value itself.
LOSSY = {
    **dict.fromkeys(("sorted", "set", "frozenset", "Counter", "round", "abs", "lower", "upper", "casefold"), CLOSE),
    **dict.fromkeys(("strip", "rstrip", "lstrip", "removeprefix", "removesuffix", "floor", "ceil", "trunc"), CLOSE),
    **dict.fromkeys(
        ("len", "sum", "max", "min", "count", "any", "all", "bool", "isinstance", "type", "hash", "keys"), SOUGHT
    ),
}
# Of a table or an array, what leaves its values out.
_PARTIAL = frozenset(("shape", "columns", "dtypes", "dtype", "ndim"))
# Methods whose arguments say what is taken off.
_OF_TEXT = frozenset(("strip", "rstrip", "lstrip", "removeprefix", "removesuffix"))
_METACHARACTERS = frozenset(".^$*+?{}[]|()\\")
_ARRAYS = frozenset(("array", "asarray", "asanyarray", "copy", "deepcopy", "atleast_1d", "Series", "DataFrame"))
_FUEL = 8


def unwrapped(node: ast.expr) -> tuple[ast.expr, str, str]:
    """The value inside wrappers, the wrappers as words, and the strength of an equality that is left."""
    words, limit = "", EXACT
    for _ in range(_FUEL):
        if isinstance(node, ast.SetComp):
            as_list = ast.copy_location(ast.ListComp(node.elt, node.generators), node)
            return as_list, f"{words}set ", STRENGTHS[max(STRENGTHS.index(limit), STRENGTHS.index(CLOSE))]
        bare = listed(node)
        node = bare if isinstance(bare, ast.Attribute) and bare.attr in _PARTIAL else node
        if isinstance(node, ast.Attribute) and node.attr in _PARTIAL:
            words, limit, node = f"{words}{node.attr} ", SOUGHT, node.value
            continue
        if not isinstance(node, ast.Call):
            break
        name = last(node.func)
        if name not in LOSSY:
            break
        is_method = isinstance(node.func, ast.Attribute) and (name in _OF_TEXT or not node.args) and name != "count"
        inner = node.func.value if is_method and isinstance(node.func, ast.Attribute) else None
        if not is_method and isinstance(node.func, ast.Name | ast.Attribute) and node.args and name != "count":
            inner = node.args[0]
        if inner is None:
            break
        inner = listed(inner)
        words += f"{name} "
        limit = STRENGTHS[max(STRENGTHS.index(limit), STRENGTHS.index(LOSSY[name]))]
        node = inner
    return node, words, limit


def kept(node: ast.expr, writer: Writer) -> ast.expr:
    """What `snapshot({…})` of inline-snapshot holds: it is equal to that alone, and written anew only when asked."""
    match node:
        case ast.Call(func=func, args=[value], keywords=[]) if last(func) == "snapshot":
            return value if writer.text(func) == "inline_snapshot.snapshot" else node
    return node


def listed(node: ast.expr) -> ast.expr:
    """What a list is made of, where it is made for a call that takes any iterable."""
    match node:
        case ast.Call(func=ast.Name(id="list" | "tuple"), args=[value], keywords=[]):
            return value
        case _:
            return node


def copied(node: ast.expr) -> ast.expr:
    """What an array or a frame is a copy of."""
    for _ in range(_FUEL):
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=[value]) if name in _ARRAYS:
                node = value
            case ast.Call(func=ast.Attribute(value=value, attr="copy" | "tolist"), args=[]):
                node = value
            case _:
                break
    return node


def unrounded(node: ast.expr) -> ast.expr:
    """What is rounded on the other side of a comparison too."""
    return node.args[0] if isinstance(node, ast.Call) and last(node.func) == "round" and node.args else node


def whole(pattern: Any, how: str) -> str | None:
    """The one text that a pattern of plain characters fits, anchored where `how` it is tried leaves its ends open."""
    if not isinstance(pattern, str):
        return None
    plain = pattern
    if how != "fullmatch":
        if not plain.endswith("\\Z"):
            return None
        plain = plain[:-2]
        if how == "search" and not plain.startswith(("\\A", "^")):
            return None
        plain = plain.removeprefix("\\A").removeprefix("^")
    return plain if _METACHARACTERS.isdisjoint(plain) else None


def of_items(call: ast.Call) -> ast.expr | None:
    """What is asked of each item where `all` or `any` of a comparison is: `np.all(a == b)`, `(a == b).any()`."""
    match call:
        case ast.Call(args=[ast.Compare() as asked], keywords=[], func=ast.Attribute()):
            return asked
        case ast.Call(args=[], keywords=[], func=ast.Attribute(value=ast.Compare() as asked)):
            return asked
        case ast.Call(args=[ast.GeneratorExp() | ast.ListComp() as items], func=ast.Name(id="any")):
            is_plain = isinstance(items.elt, ast.Compare | ast.Call) and not any(one.ifs for one in items.generators)
            return items.elt if is_plain else None
        case _:
            return None


def of_whole(call: ast.Call) -> ast.expr | None:
    """What holds the items that `all` or `any` asks for their truth: `all(xs)`, `np.all(xs)`, `xs.all()`."""
    match call:
        case ast.Call(args=[items], keywords=[]) if not isinstance(items, ast.GeneratorExp | ast.ListComp):
            return items
        case ast.Call(func=ast.Attribute(value=items), args=[], keywords=[]):
            return items
        case _:
            return None


def with_default(node: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """What is looked up, and what stands for it where it is not there: `row.get("a", 1)` is `row["a"]` or 1."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="get" | "pop" | "setdefault"), args=[key, default]):
            found: ast.expr = ast.Subscript(owner, key, ast.Load())
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value=str(name)), default]):
            found = ast.Attribute(owner, name, ast.Load())
        case ast.Call(func=ast.Name(id="next"), args=[owner, default]):
            found = ast.Call(ast.Name("next", ast.Load()), [owner], [])
        case ast.BoolOp(op=ast.Or(), values=[owner, default]):
            return owner, default
        case _:
            return None
    return ast.fix_missing_locations(ast.copy_location(found, node)), default


def comes_to(node: ast.expr, is_expected: Callable[[ast.expr], bool]) -> tuple[ast.expr | None, str, str] | None:
    """What is left of an expression that comes to what is expected on ways of its own: `f() and 2`, `(f(), 2)[1]`.

    As what is looked at still, how, and how strongly; nothing is looked at where it always comes to it.
    """
    match node:
        case ast.BoolOp(op=ast.And(), values=[*asked, end]) if is_expected(end):
            return asked[0], "is truthy beside", PRESENT
        case ast.IfExp(test=test, body=body, orelse=other):
            both = is_expected(body), is_expected(other)
            if all(both):
                return None, "", NONE
            if both[0]:
                return test, "is truthy beside", PRESENT
            return (body, OR_MISSING, SOUGHT) if both[1] else None
        case ast.Call(func=ast.Name(id="max" | "min" as name), args=[one, other], keywords=[]):
            if is_expected(one) != is_expected(other):
                return (other if is_expected(one) else one), "<=" if name == "max" else ">=", BOUND
        case ast.Subscript(value=ast.Tuple(elts=parts) | ast.List(elts=parts), slice=ast.Constant(value=int(at))):
            is_open = any(isinstance(one, ast.Starred) for one in parts)
            if not is_open and -len(parts) <= at < len(parts) and is_expected(parts[at]):
                return None, "", NONE
    return None


def are_paired(ones: list[ast.expr], others: list[ast.expr]) -> bool:
    """True for the items of two tuples of one length, which are equal when each item is."""
    return len(ones) == len(others) > 0 and not any(isinstance(one, ast.Starred) for one in (*ones, *others))
