"""What the names of one function stand for, line by line: enough to tell a checked value from one just assigned."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections import Counter
from functools import cached_property
from operator import itemgetter
from typing import Any

from agentgate_git.model.record import Record
from agentgate_git.source.nodes import FIELDS, fields_of, last, nodes_of
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.module_lists import ADDS, PutOn, put_on
from agentgate_git.source.python.names import Function

_BRANCHES = frozenset(
    (
        *(ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.TryStar, ast.Match, ast.Lambda, ast.ClassDef),
        *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    )
)
# Functions that look at what they are given and leave it as it is.
_ONLY_LOOKS = ("assert", "eq_")
# Functions that tell somebody, and let the test go on.
_SAYS = (
    "print",
    "pprint",
    "debug",
    "info",
    "warning",
    "warn",
    "error",
    "exception",
    "critical",
    "log",
    "write",
    "echo",
)
_FUEL = 12
_NODES_PER_STEP = 2
_AT = itemgetter(0)


class _Definition(Record):
    """`at` is where the value is complete: what it is computed from still sees the definition before."""

    at: tuple[int, int]
    value: ast.expr | None


class Flow:
    """The assignments in a function, nested functions included, which makes what it answers err towards "unknown".

    `calls` are all calls by the last name of what is called, `loads` how often a name is read, `steps` what reading
    it cost (Scope.spend).
    """

    def __init__(self, function: Function, outer: Flow | None = None) -> None:
        self._outer = outer
        self._definitions: dict[str, list[_Definition]] = {}
        self._branched: set[str] = set()
        self._constants: dict[ast.expr, Any] = {}
        self._folded: dict[tuple[ast.expr, int], Any] = {}
        self._changed: set[str] = set()
        self._grown: set[str] = set()
        self._shared: set[str] = set()
        self._imports: set[tuple[int, int]] = set()
        self._known: set[ast.AST] = set()
        self.loads: dict[str, int] = {}
        self.last_load: dict[str, int] = {}
        self.calls: dict[str, list[ast.Call]] = {}
        self.failures: list[int] = []
        self.functions: dict[str, Function] = {}
        self.classes: dict[str, ast.ClassDef] = {}
        self.imported: set[str] = set()
        self.has_yield = False
        self.lambdas: list[ast.Lambda] = []
        # The lines on which something is awaited.
        self.awaits: set[int] = set()
        self.attributes: list[tuple[ast.Attribute, ast.expr]] = []
        # How often a name is only looked at, once somebody asked (never_called).
        self.looks: Counter[str] | None = None
        self.arguments = tuple(one.arg for one in _arguments(function))
        for name in self.arguments:
            self._bind(name, (0, 0), None, is_nested=False)
        self.steps = self._read(function)

    def value(self, node: ast.Name) -> ast.expr | None:
        """The one expression that a name stands for at its line; None when branches or loops leave it open."""
        rows = self._definitions.get(node.id)
        if rows is None:
            return self._outer.value(node) if self._outer else None
        if node.id in self._shared:
            return None
        before = bisect_right(rows, (node.lineno, node.col_offset), key=_AT)
        if not before or (len(rows) > 1 and node.id in self._branched):
            return None
        return rows[before - 1].value

    def is_local(self, name: str) -> bool:
        """True for a name that this function or one around it binds."""
        return name in self._definitions or (self._outer is not None and self._outer.is_local(name))

    def is_assigned(self, name: str) -> bool:
        """True for a local name that is more than an import inside the function."""
        rows = self._definitions.get(name, ())
        return any(row.at not in self._imports for row in rows) or (
            self._outer is not None and self._outer.is_assigned(name)
        )

    def top(self) -> Flow:
        """The flow of the outermost function."""
        return self if self._outer is None else self._outer.top()

    def constant(self, node: ast.expr) -> Any:
        """What a local name or a literal is for certain, else UNKNOWN; what was changed in place is not certain."""
        kind = type(node)
        if kind is ast.Constant:
            return fold(node, self._full_leaf)
        found = self._constants.get(node, self)
        if found is self:
            found = self._constants[node] = fold(node, self._full_leaf)
        return found

    def _full_leaf(self, node: ast.expr) -> Any:
        return self._leaf(node, _FUEL)

    def definition(self, name: str) -> Function | ast.ClassDef | None:
        """The function or class of that name that is defined inside, or around."""
        found = self.functions.get(name) or self.classes.get(name)
        return found if found or self._outer is None else self._outer.definition(name)

    def _leaf(self, node: ast.expr, fuel: int) -> Any:
        if not isinstance(node, ast.Name) or fuel == 0:
            return UNKNOWN
        if node.id == "__debug__":
            return True
        value = self.value(node)
        if value is None or not self.is_local(node.id):
            return UNKNOWN
        # Kept by the value: names that each stand for several others would else be followed ever more often.
        found = self._folded.get((value, fuel), self)
        if found is self:
            found = self._folded[value, fuel] = fold(value, lambda leaf: self._leaf(leaf, fuel - 1))
        is_fixed = isinstance(found, str | bytes | int | float | None) or not self.is_changed(node.id)
        return found if is_fixed else UNKNOWN

    def is_changed(self, name: str) -> bool:
        """True for a name whose value may be changed in place: it is handed on, or something is called on it."""
        return name in self._changed or (self._outer is not None and self._outer.is_changed(name))

    def is_grown(self, name: str) -> bool:
        """True for a name something of which is called or set: a list that may have other items by then."""
        return name in self._grown or (self._outer is not None and self._outer.is_grown(name))

    def is_only_told(self, name: str, end: int, inside: int) -> bool:
        """True for a name that is read `inside` a handler and, behind line `end`, only to be printed or logged."""
        told = self._told.get(name, ())
        return self.loads.get(name, 0) <= inside + len(told) - bisect_right(told, end)

    @cached_property
    def put_on(self) -> PutOn:
        """What the function puts on lists."""
        return put_on(call for name in ADDS for call in self.calls.get(name, ()))

    @cached_property
    def _told(self) -> dict[str, list[int]]:
        """The lines on which names are read for no more than to be printed or logged."""
        found: dict[str, list[int]] = {}
        calls = {id(call): call for name in _SAYS for call in self.calls.get(name, ())}
        inner = {id(one) for call in calls.values() for one in nodes_of(call) if id(one) in calls and one is not call}
        for call in (call for at, call in calls.items() if at not in inner):
            for one in nodes_of(call):
                if type(one) is ast.Name and type(one.ctx) is ast.Load:
                    found.setdefault(one.id, []).append(call.lineno)
        return {name: sorted(lines) for name, lines in found.items()}

    def _bind(self, name: str, at: tuple[int, int], value: ast.expr | None, is_nested: bool) -> None:
        self._definitions.setdefault(name, []).append(_Definition(at, value))
        if is_nested:
            self._branched.add(name)

    def _read(self, function: Function) -> int:
        steps = 0
        nested: list[Any] = []
        flat: list[Any] = function.body[::-1]
        for is_nested, stack in ((False, flat), (True, nested)):
            while stack:
                node = stack.pop()
                steps += 1
                kind = type(node)
                if kind is ast.Name:
                    self._name(node, is_nested)
                elif kind is ast.Attribute:
                    if type(node.value) is ast.Name:
                        self._changed.add(node.value.id)
                        self._grown.add(node.value.id)
                    stack.append(node.value)
                elif node is not None and kind is not ast.Constant:
                    bind = _BINDERS.get(kind)
                    if bind is not None:
                        bind(self, node, is_nested)
                    inner = nested if kind in _BRANCHES else stack
                    fields = FIELDS.get(kind)
                    for field in fields_of(kind) if fields is None else fields:
                        child = getattr(node, field, None)
                        if type(child) is list:
                            inner += child[::-1]
                        elif child is not None:
                            inner.append(child)
        for rows in self._definitions.values():
            if len(rows) > 1:
                rows.sort(key=_AT)
        return steps // _NODES_PER_STEP

    def _name(self, node: Any, is_nested: bool) -> None:
        name = node.id
        if type(node.ctx) is ast.Load:
            self.loads[name] = self.loads.get(name, 0) + 1
            self.last_load[name] = max(self.last_load.get(name, 0), node.lineno)
        elif node not in self._known:
            self._bind(name, _start(node), None, is_nested)

    def _assign(self, node: Any, is_nested: bool) -> None:
        for target in node.targets:
            self._target(target, node.value, is_nested)

    def _annotated(self, node: Any, is_nested: bool) -> None:
        if node.value is not None:
            self._target(node.target, node.value, is_nested)

    def _walrus(self, node: Any, is_nested: bool) -> None:
        self._target(node.target, node.value, is_nested)

    def _augmented(self, node: Any, is_nested: bool) -> None:
        self._target(node.target, None, is_nested)

    def _target(self, target: ast.expr, value: ast.expr | None, is_nested: bool) -> None:
        if isinstance(target, ast.Name):
            self._known.add(target)
            self._bind(target.id, _start(target) if value is None else _end(value), value, is_nested)
        elif isinstance(target, ast.Subscript | ast.Attribute):
            if isinstance(target.value, ast.Name):
                self._changed.add(target.value.id)
                self._grown.add(target.value.id)
            if isinstance(target, ast.Attribute) and value is not None:
                self.attributes.append((target, value))
        elif (
            isinstance(target, ast.Tuple | ast.List)
            and isinstance(value, ast.Tuple | ast.List)
            and len(target.elts) == len(value.elts)
            and not any(isinstance(one, ast.Starred) for one in (*target.elts, *value.elts))
        ):
            for inner, part in zip(target.elts, value.elts, strict=True):
                self._target(inner, part, is_nested)

    def _call(self, node: Any, _is_nested: bool) -> None:
        called = node.func
        name = last(called)
        if isinstance(called, ast.Attribute):
            self.calls.setdefault(called.attr, []).append(node)
            if called.attr == "fail":
                self.failures.append(node.lineno)
            if isinstance(called.value, ast.Name):
                self._changed.add(called.value.id)
        elif isinstance(called, ast.Name):
            self.calls.setdefault(called.id, []).append(node)
        if name.startswith(_ONLY_LOOKS):
            return
        for argument in (*node.args, *(one.value for one in node.keywords)):
            if isinstance(argument, ast.Name):
                self._changed.add(argument.id)

    def _yield(self, _node: Any, _is_nested: bool) -> None:
        self.has_yield = True

    def _await(self, node: Any, _is_nested: bool) -> None:
        self.awaits.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))

    def _lambda(self, node: Any, _is_nested: bool) -> None:
        self.lambdas.append(node)

    def _failure(self, node: Any, _is_nested: bool) -> None:
        self.failures.append(node.lineno)

    def _function(self, node: Any, is_nested: bool) -> None:
        self.functions[node.name] = _later(self.functions.get(node.name), node)
        self._bind(node.name, _start(node), None, is_nested)

    def _class(self, node: Any, is_nested: bool) -> None:
        self.classes[node.name] = _later(self.classes.get(node.name), node)
        self._bind(node.name, _start(node), None, is_nested)

    def _named(self, node: Any, is_nested: bool) -> None:
        if node.name:
            self._bind(node.name, _start(node), None, is_nested)

    def _imported(self, node: Any, is_nested: bool) -> None:
        self._imports.add(_start(node))
        for one in node.names:
            name = one.asname or one.name.partition(".")[0]
            self.imported.add(name)
            self._bind(name, _start(node), None, is_nested)

    def _outside(self, node: Any, _is_nested: bool) -> None:
        self._shared.update(node.names)

    def _deleted(self, node: Any, is_nested: bool) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._bind(target.id, _start(node), None, is_nested)


_BINDERS: dict[type[ast.AST], Any] = {
    ast.Assign: Flow._assign,
    ast.Await: Flow._await,
    ast.AnnAssign: Flow._annotated,
    ast.AugAssign: Flow._augmented,
    ast.NamedExpr: Flow._walrus,
    ast.Call: Flow._call,
    ast.Raise: Flow._failure,
    ast.Lambda: Flow._lambda,
    ast.Yield: Flow._yield,
    ast.YieldFrom: Flow._yield,
    ast.FunctionDef: Flow._function,
    ast.AsyncFunctionDef: Flow._function,
    ast.ClassDef: Flow._class,
    ast.ExceptHandler: Flow._named,
    ast.MatchAs: Flow._named,
    ast.MatchStar: Flow._named,
    ast.Import: Flow._imported,
    ast.ImportFrom: Flow._imported,
    ast.Global: Flow._outside,
    ast.Nonlocal: Flow._outside,
    ast.Delete: Flow._deleted,
}


def _later(known: Any, node: Any) -> Any:
    """Of two definitions with one name the one further down."""
    return known if known is not None and known.lineno > node.lineno else node


def _start(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: Any) -> tuple[int, int]:
    return node.end_lineno, node.end_col_offset


def _arguments(function: Function) -> list[ast.arg]:
    arguments = function.args
    others = [one for one in (arguments.vararg, arguments.kwarg) if one]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *others]
