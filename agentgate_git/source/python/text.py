"""Expressions as text that stays the same under another layout, other names for locals and other import spellings."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable
from typing import Any

from agentgate_git.source.python.fingerprint import shape_of
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.names import Function, Scope

MAX_TEXT = 200

_MAX_DEPTH = 30
_KEPT = 120
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.FloorDiv: "//",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
    ast.Not: "not ",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Invert: "~",
    ast.And: "and",
    ast.Or: "or",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
_FILLED_LATER = frozenset((ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp))
_SCALARS = (str, bytes, int, float)
_COPIERS = frozenset(("list", "tuple"))
# How often a name is read that is copied, and then compared with the copy.
_ONCE_EACH = 2


def operator_of(node: ast.AST) -> str:
    """The sign of an operator node."""
    return _OPERATORS[type(node)]


def bounded(text: str) -> str:
    """A text of at most MAX_TEXT characters that differs where the whole text differs."""
    if len(text) <= MAX_TEXT:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]
    return f"{text[:_KEPT]}…{digest}"


def placeholder(name: str) -> str:
    """What stands for an argument of a helper until a call says what it is."""
    return f"\N{LEFT-POINTING ANGLE BRACKET}{name}\N{RIGHT-POINTING ANGLE BRACKET}"


class Writer:
    """Writes expressions of one function: locals as what they were assigned, imported names by where they come from.

    `scope` makes the scope of the function, `outside` is the one around it. `parameters` are written as placeholders.
    `callables` tells which names the file calls somewhere; `stand_ins` are
    the dotted names that the function replaces by something with an answer of its own.
    """

    def __init__(
        self,
        scope: Callable[[], Scope],
        outside: Scope,
        flow: Flow,
        callables: Callable[[], frozenset[str]],
        parameters: frozenset[str] = frozenset(),
        outer: Writer | None = None,
    ) -> None:
        self._inside = scope
        self._outside = outside
        self._flow = flow
        self._parameters = parameters
        self._outer = outer
        self._callables = callables
        self.stand_ins: frozenset[str] = frozenset()
        self._names: dict[str, str] = {}
        self._constants: dict[str, str] = {}
        self._values: dict[ast.expr, str] = {}
        self._texts: dict[ast.expr, str] = {}

    def text(self, node: ast.expr) -> str:
        """The normalised text of an expression, at most MAX_TEXT characters."""
        found = self._texts.get(node)
        if found is None:
            found = self._texts[node] = bounded(self._write(node, _MAX_DEPTH))
        return found

    def plain(self, node: ast.expr) -> str:
        """The text of an expression without what does nothing to a value: `+ 0`, `* 1`, `list(…)`, `[:]`."""
        for _ in range(_MAX_DEPTH):
            node = _plain(node)
            value = self._flow.value(node) if isinstance(node, ast.Name) else None
            if value is None or type(value) in _FILLED_LATER or self._is_earlier_copy(value):
                break
            node = value
        return self.text(node)

    def source_of(self, node: ast.expr) -> str:
        """The text of what a name is a copy of that nothing changed since: `expected = result.copy()`; else empty."""
        value = self._flow.value(node) if isinstance(node, ast.Name) else None
        match value:
            case ast.Call(func=ast.Attribute(value=ast.Name() as held, attr="copy"), args=[], keywords=[]):
                pass
            case ast.Call(func=ast.Attribute(attr="copy" | "deepcopy" | "array"), args=[ast.Name() as held]):
                pass
            case _:
                return ""
        return "" if self._flow.loads.get(held.id, 0) > _ONCE_EACH else self.plain(held)

    def _is_earlier_copy(self, value: ast.expr) -> bool:
        """True for a copy of what may have been changed since: `before = list(items); sort(items)`."""
        held = _plain(value)
        if held is value or not isinstance(held, ast.Name) or isinstance(value, ast.BinOp):
            return False
        return self._flow.loads.get(held.id, 0) > _ONCE_EACH and self._flow.is_changed(held.id)

    def dotted(self, node: ast.expr) -> str:
        """The dotted name that an expression stands for (`app.calc.total`), or the name as it is written."""
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Attribute):
            return f"{self.dotted(node.value)}.{node.attr}"
        return ""

    def constant(self, node: ast.expr) -> Any:
        """What an expression is for certain, else UNKNOWN; constants of the module count too, which flow leaves out."""
        return fold(node, self._leaf)

    def settled(self, node: ast.expr) -> ast.expr:
        """What a name of the module stands for, where that is one expression; anything else is itself."""
        if not isinstance(node, ast.Name) or self._flow.is_local(node.id):
            return node
        return self._outside.settled(node) or node

    def _leaf(self, node: ast.expr) -> Any:
        known = self._flow.constant(node)
        if known is not UNKNOWN or not isinstance(node, ast.Name) or self._flow.is_local(node.id):
            return known
        return UNKNOWN if node.id in self._parameters else self._outside.constant(node)

    def definition(self, node: ast.expr) -> Function | ast.ClassDef | None:
        """The function or class of this file that an expression names, or None."""
        if not isinstance(node, ast.Name):
            return None
        found = self._flow.definition(node.id)
        return found or (None if self._flow.is_local(node.id) else self._outside.definition(node))

    def is_callable(self, node: ast.Name) -> bool:
        """True for the name of a function or class: defined here, or imported and called in this file."""
        if self.definition(node) is not None:
            return True
        if self._flow.is_assigned(node.id) or node.id not in self._callables():
            return False
        return self._flow.is_local(node.id) or self._outside.is_bound(node.id)

    def is_true(self, node: ast.expr) -> bool:
        """True for a name of the module that stands for what is true, wherever it is asked."""
        if not isinstance(node, ast.Name) or self._flow.is_local(node.id):
            return False
        value = self._outside.settled(node)
        return isinstance(value, ast.Constant) and bool(value.value)

    def _write(self, node: Any, depth: int) -> str:
        write = _WRITERS.get(type(node))
        if depth == 0 or write is None:
            return f"<{shape_of([node]).digest or type(node).__name__}>"
        return write(self, node, depth - 1)

    def _all(self, nodes: list[Any], depth: int) -> str:
        return ", ".join([self._write(node, depth) for node in nodes])

    def _name_or_value(self, node: ast.Name, depth: int) -> str:
        if node.id in self._parameters and self._flow.value(node) is None:
            return placeholder(node.id)
        value = self._flow.value(node)
        if value is None and not self._flow.is_local(node.id):
            return self._shared(node)
        if value is None or type(value) is ast.Lambda:
            return self._name(node)
        if type(value) in _FILLED_LATER and self._flow.is_changed(node.id):
            return self._name(node)
        found = self._values.get(value)
        if found is None:
            self._outside.spend()
            found = self._values[value] = bounded(self._write(value, depth))
        return found

    def _name(self, node: ast.Name) -> str:
        found = self._names.get(node.id)
        if found is None:
            if node.id in self._parameters:
                found = placeholder(node.id)
            elif not self._flow.is_local(node.id):
                found = self._outside.dotted(node) or node.id
            elif node.id in self._flow.imported:
                found = self._inside().dotted(node) or node.id
            else:
                found = self._outer._name(node) if self._outer else node.id
            self._names[node.id] = found
        return found

    def _shared(self, node: ast.Name) -> str:
        """A name of the module: as its value when that is one constant, so that another name for it is no change."""
        found = self._constants.get(node.id)
        if found is None:
            value = self._outside.settled(node) if node.id not in self._parameters else None
            if isinstance(value, ast.Constant) and isinstance(value.value, _SCALARS):
                found = bounded(repr(value.value))
            else:
                found = self._name(node)
            self._constants[node.id] = found
        return found

    def _constant(self, node: ast.Constant, _depth: int) -> str:
        value = node.value
        return hex(value) if type(value) is int and abs(value) > 1 << 64 else repr(value)

    def _attribute(self, node: ast.Attribute, depth: int) -> str:
        return f"{self._write(node.value, depth)}.{node.attr}"

    def _call(self, node: ast.Call, depth: int) -> str:
        named = sorted([f"{one.arg or '**'}={self._write(one.value, depth)}" for one in node.keywords])
        parts = [self._write(one, depth) for one in node.args]
        return f"{self._write(node.func, depth)}({', '.join([*parts, *named])})"

    def _binary(self, node: ast.BinOp, depth: int) -> str:
        return f"({self._write(node.left, depth)} {_OPERATORS[type(node.op)]} {self._write(node.right, depth)})"

    def _unary(self, node: ast.UnaryOp, depth: int) -> str:
        return f"{_OPERATORS[type(node.op)]}{self._write(node.operand, depth)}"

    def _boolean(self, node: ast.BoolOp, depth: int) -> str:
        sign = f" {_OPERATORS[type(node.op)]} "
        return f"({sign.join([self._write(one, depth) for one in node.values])})"

    def _compare(self, node: ast.Compare, depth: int) -> str:
        parts = [self._write(node.left, depth)]
        for op, other in zip(node.ops, node.comparators, strict=True):
            parts += [_OPERATORS[type(op)], self._write(other, depth)]
        return f"({' '.join(parts)})"

    def _subscript(self, node: ast.Subscript, depth: int) -> str:
        return f"{self._write(node.value, depth)}[{self._write(node.slice, depth)}]"

    def _slice(self, node: ast.Slice, depth: int) -> str:
        parts = [self._write(part, depth) if part else "" for part in (node.lower, node.upper)]
        return ":".join([*parts, *([self._write(node.step, depth)] if node.step else [])])

    def _tuple(self, node: ast.Tuple, depth: int) -> str:
        return f"({self._all(node.elts, depth)}{',' if len(node.elts) == 1 else ''})"

    def _list(self, node: ast.List, depth: int) -> str:
        return f"[{self._all(node.elts, depth)}]"

    def _set(self, node: ast.Set, depth: int) -> str:
        return f"{{{', '.join(sorted([self._write(one, depth) for one in node.elts]))}}}"

    def _dict(self, node: ast.Dict, depth: int) -> str:
        pairs = [
            f"{self._write(key, depth) if key else '**'}: {self._write(value, depth)}"
            for key, value in zip(node.keys, node.values, strict=True)
        ]
        return f"{{{', '.join(sorted(pairs))}}}"

    def _choice(self, node: ast.IfExp, depth: int) -> str:
        parts = [self._write(part, depth) for part in (node.body, node.test, node.orelse)]
        return f"({parts[0]} if {parts[1]} else {parts[2]})"

    def _inner(self, node: ast.Await | ast.Starred | ast.NamedExpr | ast.Yield | ast.YieldFrom, depth: int) -> str:
        return "None" if node.value is None else self._write(node.value, depth)

    def _text_of_parts(self, node: ast.JoinedStr, depth: int) -> str:
        return f"f'{''.join([self._write(part, depth) for part in node.values])}'"

    def _part(self, node: ast.FormattedValue, depth: int) -> str:
        spec = f":{self._write(node.format_spec, depth)}" if node.format_spec else ""
        return f"{{{self._write(node.value, depth)}{spec}}}"

    def _comprehension(self, node: Any, depth: int) -> str:
        shown = [self._write(part, depth) for part in _elements(node)]
        loops = [
            f"for {self._write(one.target, depth)} in {self._write(one.iter, depth)}"
            + "".join(f" if {self._write(test, depth)}" for test in one.ifs)
            for one in node.generators
        ]
        return f"{type(node).__name__}({' : '.join(shown)} {' '.join(loops)})"

    def _lambda(self, node: ast.Lambda, depth: int) -> str:
        return f"lambda {', '.join([one.arg for one in node.args.args])}: {self._write(node.body, depth)}"


def _elements(node: Any) -> list[ast.expr]:
    return [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]


_WRITERS: dict[type[ast.AST], Callable[[Any, Any, int], str]] = {
    ast.Name: Writer._name_or_value,
    ast.Constant: Writer._constant,
    ast.Attribute: Writer._attribute,
    ast.Call: Writer._call,
    ast.BinOp: Writer._binary,
    ast.UnaryOp: Writer._unary,
    ast.BoolOp: Writer._boolean,
    ast.Compare: Writer._compare,
    ast.Subscript: Writer._subscript,
    ast.Slice: Writer._slice,
    ast.Tuple: Writer._tuple,
    ast.List: Writer._list,
    ast.Set: Writer._set,
    ast.Dict: Writer._dict,
    ast.IfExp: Writer._choice,
    ast.Await: Writer._inner,
    ast.Starred: Writer._inner,
    ast.Yield: Writer._inner,
    ast.YieldFrom: Writer._inner,
    ast.NamedExpr: Writer._inner,
    ast.JoinedStr: Writer._text_of_parts,
    ast.FormattedValue: Writer._part,
    ast.ListComp: Writer._comprehension,
    ast.SetComp: Writer._comprehension,
    ast.DictComp: Writer._comprehension,
    ast.GeneratorExp: Writer._comprehension,
    ast.Lambda: Writer._lambda,
}


def _plain(node: ast.expr) -> ast.expr:
    for _ in range(_MAX_DEPTH):
        match node:
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=ast.Constant(value=0)):
                node = left
            case ast.BinOp(left=ast.Constant(value=0), op=ast.Add(), right=right):
                node = right
            case ast.BinOp(
                left=left, op=ast.Mult() | ast.FloorDiv() | ast.Div() | ast.Pow(), right=ast.Constant(value=1)
            ):
                node = left
            case ast.BinOp(left=ast.Constant(value=1), op=ast.Mult(), right=right):
                node = right
            case ast.Subscript(value=value, slice=ast.Slice(lower=None, upper=None, step=None)):
                node = value
            case ast.Call(func=ast.Name(id=name), args=[value], keywords=[]) if name in _COPIERS:
                node = value
            case ast.NamedExpr(value=value):
                node = value
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=""), attr="join"), args=[value], keywords=[]):
                node = value
            case ast.JoinedStr(values=[ast.FormattedValue(value=value, format_spec=None, conversion=-1 | 115)]):
                node = value
            case ast.BinOp(left=value, op=ast.Add(), right=ast.Constant(value="" | b"")):
                node = value
            case ast.List(elts=[ast.Starred(value=value)]) | ast.Tuple(elts=[ast.Starred(value=value)]):
                node = value
            case ast.Dict(keys=[None], values=[value]):
                node = value
            case ast.ListComp(elt=ast.Name(id=name), generators=[ast.comprehension(target=ast.Name(id=other), ifs=[])]):
                if name != other:
                    return node
                node = node.generators[0].iter
            case _:
                return node
    return node
