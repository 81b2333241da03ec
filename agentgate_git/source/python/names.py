"""What the names of a Python module stand for: `m.skip` after `from pytest import mark as m` is pytest.mark.skip.

Imports, assignments, definitions and the usual disguises (`getattr` with a constant, `__dict__`, `__import__`)
are followed; nothing is executed.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Any

from agentgate_git.source.python.folding import UNKNOWN, fold

Function = ast.FunctionDef | ast.AsyncFunctionDef
Binding = str | ast.expr | Function | ast.ClassDef | None

# What a file may spend on being read, and how much more for each of its bytes: honest ones spend a third at most.
MAX_STEPS = 300_000
STEPS_PER_BYTE = 3

_NAMES_KEPT = 4096
_LINE = itemgetter(0)
_FUEL = 16
_FEW_BINDINGS = 4
_PREFIXES = (
    ("_pytest.mark.structures.MARK_GEN", "pytest.mark"),
    ("_pytest.mark.MARK_GEN", "pytest.mark"),
    ("_pytest.outcomes.Skipped", "pytest.skip.Exception"),
    ("_pytest.outcomes.XFailed", "pytest.xfail.Exception"),
    ("_pytest.outcomes", "pytest"),
    ("_pytest.fixtures", "pytest"),
    ("_pytest.mark", "pytest"),
    ("_pytest.runner.Skipped", "pytest.skip.Exception"),
    ("py.test", "pytest"),
    ("unittest.case", "unittest"),
    ("unittest.async_case", "unittest"),
    ("unittest2", "unittest"),
    ("nose.plugins.skip", "unittest"),
    ("nose.SkipTest", "unittest.SkipTest"),
    ("twisted.trial.unittest.SkipTest", "unittest.SkipTest"),
)
_PACKAGES = tuple({prefix.partition(".")[0] for prefix, _ in _PREFIXES})
_STARS = {
    "pytest": frozenset(("mark", "skip", "xfail", "fixture", "param", "importorskip", "raises")),
    "unittest": frozenset(("skip", "skipIf", "skipUnless", "expectedFailure", "SkipTest", "TestCase")),
}


_COMPOUND = frozenset(
    (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match)
)
_BINDING = frozenset(
    (
        *(ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor),
        *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    )
)


@lru_cache(maxsize=_NAMES_KEPT)
def canonical(name: str) -> str:
    """One spelling for a dotted name that can be reached by several."""
    if not name.startswith(_PACKAGES):
        return name
    for prefix, public in _PREFIXES:
        if name == prefix or name.startswith(prefix + "."):
            return public + name[len(prefix) :]
    return name


def flat(statements: Iterable[ast.stmt]) -> Iterator[tuple[ast.stmt, bool]]:
    """The statements that run in one scope, those inside `if`, `try`, `with` and loops too, marked as nested."""
    for outer in statements:
        yield outer, False
        if type(outer) in _COMPOUND:
            stack = _inner(outer)[::-1]
            while stack:
                statement = stack.pop()
                yield statement, True
                if type(statement) in _COMPOUND:
                    stack += _inner(statement)[::-1]


def _inner(statement: ast.stmt) -> list[ast.stmt]:
    blocks = [getattr(statement, field, []) for field in ("body", "orelse", "finalbody")]
    parts = [*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    return [inner for block in (*blocks[:1], *(part.body for part in parts), *blocks[1:]) for inner in block]


class TooTangled(RuntimeError):
    """Names and classes lead to one another more often than is worth following."""


class _Budget:
    """Steps that may still be taken in one file: honest files need a few for each statement."""

    def __init__(self, left: int) -> None:
        self.left = left


class Scope:
    """The bindings of a module, class or function body; what is not bound here is looked up outside.

    `steps` bound the reading of a whole file; inner scopes spend what the outermost was given.
    """

    def __init__(
        self,
        statements: Iterable[ast.stmt],
        outer: Scope | None = None,
        arguments: Iterable[str] = (),
        steps: int = MAX_STEPS,
    ) -> None:
        self._outer = outer
        self._budget: _Budget = outer._budget if outer else _Budget(steps)
        # What each name is bound to, by line, in order; and the names that some branch or loop binds.
        self._bindings: dict[str, list[tuple[int, Binding, bool]]] = {}
        self._nested: set[str] = set()
        self._stars: list[str] = []
        self._functions: dict[Function, Scope] = {}
        # What conditions of the scope amount to, by their text (conditions).
        self.told: dict[str, str] = {}
        self.waits: dict[str, tuple[str, ...]] = {}
        self._dotted_names: dict[tuple[str, int, int], str] = {}
        for name in arguments:
            self._bindings[name] = [(0, None, False)]
        for statement, is_nested in flat(statements):
            if type(statement) in _BINDING:
                self.spend()
                for name, binding in self._bound(statement):
                    self._bindings.setdefault(name, []).append((statement.lineno, binding, is_nested))
                    if is_nested:
                        self._nested.add(name)

    def inside(self, function: Function) -> Scope:
        """The scope of a function that is defined in this one; made once."""
        found = self._functions.get(function)
        if found is None:
            given = function.args
            names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            found = self._functions[function] = Scope(function.body, self, names)
        return found

    def spend(self, steps: int = 1) -> None:
        """Count steps of reading; `TooTangled` when the file has used up what it is given."""
        self._budget.left -= steps
        if self._budget.left < 0:
            raise TooTangled("its names and classes lead to one another too often to be followed")

    def dotted(self, node: ast.expr, fuel: int = _FUEL) -> str:
        """The canonical dotted name of what an expression refers to; empty when that is not known."""
        self.spend()
        if fuel == 0:
            return ""
        kind = type(node)
        if kind is ast.Name:
            return self._dotted_name(node.id, node.lineno, fuel - 1)  # type: ignore[attr-defined]
        if kind is ast.Attribute:
            return self._member(node.value, node.attr, fuel - 1)  # type: ignore[attr-defined]
        match node:
            case ast.Call():
                return self._dotted_call(node, fuel - 1)
            case ast.Subscript(value=owner, slice=key):
                return self._dotted_item(owner, key, fuel - 1)
            case ast.NamedExpr(value=value):
                return self.dotted(value, fuel - 1)
            case _:
                return ""

    def definition(self, node: ast.expr) -> Function | ast.ClassDef | None:
        """The function or class of this file that an expression names, or None."""
        for binding in self._candidates(node.id, node.lineno) if isinstance(node, ast.Name) else ():
            if isinstance(binding, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                return binding
        return None

    def assigned(self, node: ast.expr) -> ast.expr | None:
        """The expression last assigned to a name, or None."""
        for binding in self._candidates(node.id, node.lineno) if isinstance(node, ast.Name) else ():
            if isinstance(binding, ast.expr):
                return binding
        return None

    def settled(self, node: ast.expr) -> ast.expr | None:
        """The expression that a name stands for, when branches do not leave that open; else None."""
        self.spend()
        if not isinstance(node, ast.Name):
            return None
        scope = self._binder(node.id)
        if scope is None:
            return None
        rows = scope._bindings[node.id]
        if len(rows) > 1 and node.id in scope._nested:
            return None
        binding = _in_force(rows, node.lineno)
        return binding if isinstance(binding, ast.expr) else None

    def constant(self, node: ast.expr, fuel: int = _FUEL) -> Any:
        """The value of a name that stands for something foldable, else UNKNOWN."""
        bound = self.settled(node) if fuel else None
        return UNKNOWN if bound is None else fold(bound, lambda leaf: self.constant(leaf, fuel - 1))

    def is_bound(self, name: str) -> bool:
        """True when the name does not mean the built-in of that name."""
        return name in self._bindings or (self._outer is not None and self._outer.is_bound(name))

    def is_imported(self, module: str) -> bool:
        """True for a module that the file imports at its top, or something of it."""
        if self._outer is not None:
            return self._outer.is_imported(module)
        self.spend(len(self._bindings))
        beneath = f"{module}."
        return any(
            isinstance(binding, str) and (binding == module or binding.startswith(beneath)) and name not in self._nested
            for name, rows in self._bindings.items()
            for _, binding, _ in rows[:_FEW_BINDINGS]
        )

    def _binder(self, name: str) -> Scope | None:
        """The innermost scope that binds a name."""
        scope: Scope | None = self
        while scope is not None and name not in scope._bindings:
            scope = scope._outer
        return scope

    def _candidates(self, name: str, line: int) -> Iterable[Binding]:
        """Bindings of a name, the one in force at `line` first, then older ones, then later ones."""
        scope = self._binder(name)
        if scope is None:
            return ()
        rows = scope._bindings[name]
        if len(rows) == 1:
            return (rows[0][1],)
        return self._in_order(rows, bisect_right(rows, line, key=_LINE))

    def _in_order(self, rows: list[tuple[int, Binding, bool]], count: int) -> Iterator[Binding]:
        for at in chain(range(count - 1, -1, -1), range(count, len(rows))):
            self.spend()
            yield rows[at][1]

    def _dotted_name(self, name: str, line: int, fuel: int) -> str:
        scope = self._binder(name)
        rows = scope._bindings[name] if scope is not None else []
        if len(rows) < _FEW_BINDINGS:
            return self._dotted_binding(name, line, fuel)
        # A name that is bound again and again is asked for as often.
        key = (name, bisect_right(rows, line, key=_LINE), fuel)
        found = self._dotted_names.get(key)
        if found is None:
            found = self._dotted_names[key] = self._dotted_binding(name, line, fuel)
        return found

    def _dotted_binding(self, name: str, line: int, fuel: int) -> str:
        for binding in self._candidates(name, line):
            found = binding if isinstance(binding, str) else ""
            if isinstance(binding, ast.expr):
                found = self.dotted(binding, fuel)
            if found:
                return canonical(found)
        return self._from_star(name)

    def _from_star(self, name: str) -> str:
        for module in self._stars:
            if name in _STARS.get(module, ()):
                return f"{module}.{name}"
        return self._outer._from_star(name) if self._outer else ""

    def _member(self, owner: ast.expr, name: str, fuel: int) -> str:
        base = self.dotted(owner, fuel)
        return canonical(f"{base}.{name}") if base else ""

    def _dotted_call(self, node: ast.Call, fuel: int) -> str:
        if isinstance(node.func, ast.Name) and not self.is_bound(node.func.id):
            called = node.func.id
        else:
            called = self.dotted(node.func, fuel).removeprefix("builtins.")
        if called == "getattr" and len(node.args) >= 2:
            name = self._text(node.args[1])
            return self._member(node.args[0], name, fuel) if name else ""
        if called in ("__import__", "importlib.import_module") and node.args:
            return canonical(self._text(node.args[0]))
        if called in ("functools.partial", "pytest.mark.MarkDecorator") and node.args:
            return self.dotted(node.args[0], fuel)
        return ""

    def _dotted_item(self, owner: ast.expr, key: ast.expr, fuel: int) -> str:
        name = self._text(key)
        match owner:
            case ast.Attribute(value=inner, attr="__dict__"):
                return self._member(inner, name, fuel) if name else ""
            case ast.Call(func=ast.Name(id="vars"), args=[inner]):
                return self._member(inner, name, fuel) if name else ""
            case _:
                return canonical(name) if self.dotted(owner, fuel) == "sys.modules" else ""

    def _text(self, node: ast.expr) -> str:
        value = fold(node, self.constant)
        return value if isinstance(value, str) else ""

    def _bound(self, statement: ast.stmt) -> Iterator[tuple[str, Binding]]:
        match statement:
            case ast.Import(names=names):
                yield from ((one.asname, one.name) if one.asname else _top(one.name) for one in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                yield from self._imported("." * level + (module or ""), names)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _unpacked(target, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                yield name, value
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, statement
            case ast.AugAssign(target=target) | ast.For(target=target) | ast.AsyncFor(target=target):
                yield from _unpacked(target, None)
            case _:
                return

    def _imported(self, module: str, names: list[ast.alias]) -> Iterator[tuple[str, Binding]]:
        for one in names:
            if one.name == "*":
                self._stars.append(canonical(module))
            else:
                yield one.asname or one.name, f"{module}.{one.name}"


def _in_force(rows: list[tuple[int, Binding, bool]], line: int) -> Binding:
    """The last binding at or before a line, else the first after it."""
    return rows[max(0, bisect_right(rows, line, key=_LINE) - 1)][1]


def _top(name: str) -> tuple[str, str]:
    top = name.partition(".")[0]
    return top, top


def _unpacked(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[str, Binding]]:
    """Names that an assignment binds, with their part of the value where it can be told apart."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        parts: list[ast.expr | None] = [None] * len(target.elts)
        if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(parts):
            parts = [*value.elts]
        for inner, part in zip(target.elts, parts, strict=True):
            yield from _unpacked(inner, part)
