"""Two sides of a comparison that the same calls make alike, where they lose what told the sides apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from typing import Any

from agentgate_git.model.inventory import BUT_FOR
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.operands import LOSSY
from agentgate_git.source.python.text import Writer

_NAMED = pattern_of(
    r"(?:^|_)(?:norm\w*|canon\w*|strip\w*|squash\w*|squeeze\w*|collapse\w*|clean\w*|simplif\w*|lower\w*|plain\w*|fold\w*|ws|no)(?:_|$)",
    2,
)
# Calls that leave less of a value than they are given.
_LOSSY = frozenset(
    (
        *("sub", "subn", "quantize", "split", "lower", "upper", "casefold", "strip", "lstrip", "rstrip", "translate"),
        *("removeprefix", "removesuffix", "dedent", "shorten", "round", "int", "floor", "ceil", "trunc", "sorted"),
        *("set", "frozenset", "Counter", "len", "bool", "abs", "date", "filter", "pop", "discard", "rsplit", "hash"),
    )
)
_FIELDS_OF_TIME = frozenset(("microsecond", "second", "minute", "hour", "tzinfo", "day", "month", "year"))
_LINE_ENDS = frozenset(("\r", "\r\n", "\n", "\\r\\n", "\\r\\n?", "\\r", "\\r?\\n"))
_OF_CASE = frozenset(("lower", "upper", "casefold", "swapcase", "title", "capitalize"))
# Functions that write a text in fewer signs.
_FOLDERS = frozenset(("unidecode", "asciify", "deaccent", "strip_accents", "remove_accents"))
_FUEL = 6
# Of a function that makes alike, as every comparison with it has a look at it.
_MAX_NODES = 200


class Alike(Record):
    """What is looked at and what is expected, without what both are made alike by, and how that is called."""

    subject: ast.expr
    expected: ast.expr
    name: str


def made_alike(one: ast.expr, other: ast.expr, writer: Writer) -> Alike | None:
    """The two values within the same calls, where these leave less of them; None for any other pair."""
    name = ""
    if isinstance(one, ast.Call) and last(one.func) in LOSSY:
        return None  # which says itself what it leaves
    if isinstance(one, ast.DictComp | ast.ListComp | ast.SetComp) and type(one) is type(other):
        return _chosen(one, other, writer)
    for _ in range(_FUEL):
        step = _step(one, other, writer)
        if step is None:
            break
        name = name or _loss(one, writer)
        one, other = step
    return Alike(one, other, name) if name else None


def _chosen(one: Any, other: Any, writer: Writer) -> Alike | None:
    """Two values of which the same items are compared: `{k: xs[k] for k in ('a',)}`, `[x for x in xs if x.ok]`."""
    mine, theirs = one.generators, other.generators
    if len(mine) != 1 or len(theirs) != 1 or _asked(mine[0], writer) != _asked(theirs[0], writer):
        return None
    left, right = (node.value if isinstance(node, ast.DictComp) else node.elt for node in (one, other))
    if writer.text(left) == writer.text(right) and mine[0].ifs:
        sides = [_owner(part.iter) for part in (mine[0], theirs[0])]
        name = f"{BUT_FOR}what is not {'; '.join(writer.text(test) for test in mine[0].ifs)}"
    elif (
        isinstance(left, ast.Subscript) and isinstance(right, ast.Subscript) and _is_listed(mine[0], theirs[0], writer)
    ):
        sides = [left.value, right.value]
        name = f"{BUT_FOR}what is not in {writer.text(mine[0].iter)}"
    else:
        return None
    return None if writer.text(sides[0]) == writer.text(sides[1]) else Alike(sides[0], sides[1], name)


def _asked(loop: ast.comprehension, writer: Writer) -> tuple[str, ...]:
    return writer.text(loop.target), *(writer.text(test) for test in loop.ifs)


def _is_listed(one: ast.comprehension, other: ast.comprehension, writer: Writer) -> bool:
    """True for keys that are none of the two values, and the same for both."""
    is_same = writer.text(one.iter) == writer.text(other.iter)
    return is_same and isinstance(one.iter, ast.Tuple | ast.List | ast.Set | ast.Name)


def _owner(node: ast.expr) -> ast.expr:
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[], keywords=[]):
            return owner
        case _:
            return node


def folded_alike(one: ast.expr, other: ast.expr) -> Alike | None:
    """The value and the text that is expected, where both are folded before they are compared, in whatever order."""
    (inner, folds), (text, others) = _unfolded(one), _unfolded(other)
    shared = [name for name in others if name in folds]
    is_text = isinstance(text, ast.Constant) and isinstance(text.value, str | bytes)
    return Alike(inner, text, shared[0]) if shared and is_text and not isinstance(inner, ast.Constant) else None


def _unfolded(node: ast.expr) -> tuple[ast.expr, list[str]]:
    """What is inside calls that leave less of a text, and their names, the outermost first."""
    names: list[str] = []
    for _ in range(_FUEL):
        match node:
            case ast.Call(
                func=ast.Attribute(value=inner, attr="encode" | "decode" as name), args=args, keywords=keywords
            ):
                how = [*args[1:], *(one.value for one in keywords if one.arg == "errors")]
                is_lossy = any(isinstance(one, ast.Constant) and one.value in ("ignore", "replace") for one in how)
                names += [name] if is_lossy else []
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in _OF_CASE:
                names.append(name)
            case ast.Call(func=called, args=[*_, inner], keywords=[]) if last(called) in _FOLDERS:
                names.append(last(called))
            case ast.Subscript(value=inner, slice=ast.Slice()):
                names.append("[:]")
            case _:
                break
        node = inner
    return node, names


def _step(one: ast.expr, other: ast.expr, writer: Writer) -> tuple[ast.expr, ast.expr] | None:
    """The one part in which two expressions of the same kind differ."""
    if type(one) is not type(other) or isinstance(one, ast.Constant | ast.Name):
        return None
    mine, theirs = list(_parts(one)), list(_parts(other))
    if len(mine) != len(theirs) or _head(one) != _head(other):
        return None
    open_ones = [
        (left, right) for left, right in zip(mine, theirs, strict=True) if writer.text(left) != writer.text(right)
    ]
    return open_ones[0] if len(open_ones) == 1 else None


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=called, args=args, keywords=keywords):
            yield called.value if isinstance(called, ast.Attribute) else called
            yield from args
            yield from (one.value for one in keywords)
        case ast.BinOp(left=left, right=right):
            yield left
            yield right
        case ast.Subscript(value=value, slice=ast.Slice(lower=lower, upper=upper)):
            yield value
            yield from (one for one in (lower, upper) if one is not None)


def _head(node: ast.expr) -> tuple[object, ...]:
    """What two expressions have in common but for their parts."""
    match node:
        case ast.Call(func=called, args=args, keywords=keywords):
            return last(called), len(args), *(one.arg for one in keywords)
        case ast.BinOp(op=op):
            return (type(op),)
        case ast.Subscript(slice=ast.Slice(lower=lower, upper=upper, step=step)):
            return lower is None, upper is None, step is None
        case _:
            return (object(),)


def _loss(node: ast.expr, writer: Writer) -> str:
    """What loses something of a value, by its name; empty for what keeps all of it."""
    match node:
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod()):
            return "//"
        case ast.Subscript():
            return "[:]"
        case ast.Call(func=ast.Name() as called):
            definition = writer.definition(called)
            if isinstance(definition, ast.FunctionDef):
                parts = islice((one for one in nodes_of(definition) if isinstance(one, ast.Call)), _MAX_NODES)
                return called.id if any(_is_lossy(call) for call in parts) else ""
            is_named = definition is None and _NAMED.search(called.id) is not None
            return called.id if is_named or _is_lossy(node) else ""
        case ast.Call():
            return last(node.func) if _is_lossy(node) else ""
        case _:
            return ""


def _is_lossy(call: ast.Call) -> bool:
    name = last(call.func)
    texts = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if name in ("sub", "replace", "split"):
        first = texts[0] if texts else ""
        if name == "replace":
            is_of_time = any(one.arg in _FIELDS_OF_TIME for one in call.keywords)
            return is_of_time or (len(texts) == 2 and first not in _LINE_ENDS and len(texts[1]) < len(first))
        return first not in _LINE_ENDS
    return name in _LOSSY
