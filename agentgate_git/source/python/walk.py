"""The statements of a Python file with where they stand: when they run, under which guards, in whose body."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from agentgate_git.source.nodes import last
from agentgate_git.source.python.conditions import ALWAYS, NEVER, negated, truth
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.module import is_autouse, is_fixture
from agentgate_git.source.python.names import Function, Scope, TooTangled

# When a statement runs: as the file is imported, before or around every test that the file decides for (hooks,
# autouse fixtures, module set-up), for the tests that ask (fixtures, set-up of a class), in a test, after tests, when
# called.
IMPORTED = "imported"
SUITE = "suite"
SETUP = "setup"
TEST = "test"
TEARDOWN = "teardown"
CALLED = "called"

MAX_NESTING = 40
# Conditions that are kept of those a statement runs under, the last ones: a file can pile up any number.
MAX_GUARDS = 24

_SUITE_NAMES = frozenset(("setUpModule", "setup_module", "setup_function", "setup_package", "load_tests"))
_SETUP_NAMES = frozenset(("setUp", "setUpClass", "asyncSetUp", "setup_method", "setup_class", "setUpTestData"))
_TEARDOWN_NAMES = frozenset(
    (
        *("tearDown", "tearDownClass", "tearDownModule", "asyncTearDown", "teardown_method", "teardown_class"),
        *("teardown_module", "teardown_function", "teardown_package", "doCleanups", "doClassCleanups"),
    )
)
_CATCHES_EXIT = frozenset(("raises", "assertRaises", "assertRaisesRegex", "suppress", "pytest_raises"))

# Statements that hold no others.
_PLAIN = frozenset(
    (
        *(ast.Expr, ast.Assign, ast.Assert, ast.Return, ast.Import, ast.ImportFrom, ast.AugAssign, ast.AnnAssign),
        *(ast.Raise, ast.Pass, ast.Delete, ast.Break, ast.Continue, ast.Global, ast.Nonlocal),
    )
)
_NO_EXPRESSIONS = frozenset(
    (
        *("ctx", "id", "attr", "op", "ops", "kind", "arg", "name", "names", "module", "level", "type_comment"),
        *("body", "orelse", "finalbody", "handlers", "cases", "lineno", "is_async", "conversion", "simple"),
        *("type_params", "str"),
    )
)
_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef), ("decorator_list", "returns")),
    ast.Constant: (),
    ast.Lambda: ("body",),
    ast.IfExp: ("test", "body", "orelse"),
}

Guards = tuple[ast.expr | str, ...]


class Spot:
    """Where a statement stands. `owner` is the qualified name of the function or class around it.

    `when` is one of the words above; `module` the statements of the file, `function` the innermost function.
    `guards` are the conditions it runs under, source or an expression; `is_nested` is true in a function inside a
    function, `is_caught` where what it raises is expected or caught, `is_script` below a test of `__name__`.
    `memo` holds what was found out of a body, by what was asked and the body's `id`; all spots of a file share it.
    """

    __slots__ = (
        "_scope",
        "function",
        "guards",
        "is_caught",
        "is_nested",
        "is_script",
        "memo",
        "module",
        "outer",
        "owner",
        "when",
    )

    def __init__(self, module: list[ast.stmt], scope: Scope) -> None:
        self.owner = ""
        self.when = IMPORTED
        self.module = module
        self.memo: dict[tuple[str, int], Any] = {}
        self.function: Function | None = None
        self.outer: Spot | None = None
        self.guards: Guards = ()
        self.is_nested = self.is_caught = self.is_script = False
        self._scope: Scope | None = scope

    @property
    def scope(self) -> Scope:
        """The names that are bound here; made when it is first asked for."""
        if self._scope is None:
            outer = self.outer
            if self.function is None or outer is None:
                raise AssertionError("a spot without a scope has a function and an outer spot")
            self._scope = outer.scope.inside(self.function)
        return self._scope

    def is_guarded(self) -> bool:
        """True when a condition that may be false stands before the statement."""
        return any(isinstance(guard, str) or self._truth(guard) != ALWAYS for guard in self.guards)

    def is_dead(self) -> bool:
        """True when a condition before the statement never holds."""
        return any(not isinstance(guard, str) and self._truth(guard) == NEVER for guard in self.guards)

    def condition(self) -> str:
        """The guards as they are written."""
        return "; ".join(guard if isinstance(guard, str) else self._written(guard) for guard in self.guards)

    def _written(self, guard: ast.expr) -> str:
        """A guard, which many statements stand under, as it is written; it is kept, so that its `id` is no other's."""
        found = self.memo.get(("guard", id(guard)))
        if found is None:
            found = self.memo["guard", id(guard)] = (guard, written(guard))
        return str(found[1])

    def _truth(self, guard: ast.expr) -> str:
        """What is known of a guard here; kept like what is written of it, for each scope it is asked in."""
        _, found = self.memo.setdefault(("truth", id(guard)), (guard, {}))
        if self.scope not in found:
            found[self.scope] = truth(guard, self.scope)
        return str(found[self.scope])

    def _below(self) -> Spot:
        """A copy, for the caller to change."""
        spot = Spot.__new__(Spot)
        spot._scope = self._scope
        spot.function = self.function
        spot.guards = self.guards
        spot.is_caught = self.is_caught
        spot.is_nested = self.is_nested
        spot.is_script = self.is_script
        spot.memo = self.memo
        spot.module = self.module
        spot.outer = self.outer
        spot.owner = self.owner
        spot.when = self.when
        return spot

    def under(self, *guards: ast.expr | str) -> Spot:
        """The spot of statements under further conditions."""
        spot = self._below()
        spot._scope = self.scope
        spot.is_script = self.is_script or any(not isinstance(guard, str) and _is_main(guard) for guard in guards)
        spot.guards = (*self.guards[-MAX_GUARDS:], *guards)
        return spot

    def caught(self) -> Spot:
        """The spot of statements whose exceptions are caught."""
        spot = self._below()
        spot._scope = self.scope
        spot.is_caught = True
        return spot

    def inside(self, function: Function, when: str) -> Spot:
        """The spot of a function's body."""
        spot = self._below()
        spot._scope = None
        spot.owner = f"{self.owner}::{function.name}" if self.owner else function.name
        spot.when = when
        spot.function = function
        spot.outer = self
        if when == TEST:
            spot.guards = ()
        spot.is_nested = self.function is not None
        spot.is_caught = False
        return spot

    def inside_class(self, node: ast.ClassDef) -> Spot:
        """The spot of a class body."""
        spot = self._below()
        spot._scope = self.scope
        spot.owner = f"{self.owner}::{node.name}" if self.owner else node.name
        return spot


class Walk:
    """Every statement of a module, each with its Spot; functions that the module calls as it loads count as loading."""

    def __init__(self, tree: ast.Module, scope: Scope) -> None:
        self._tree = tree
        self._scope = scope
        self._loads = _called_names(tree.body)

    def __iter__(self) -> Iterator[tuple[ast.stmt, Spot]]:
        yield from self._block(self._tree.body, Spot(self._tree.body, self._scope), MAX_NESTING)

    def _block(self, statements: Iterable[ast.stmt], spot: Spot, depth: int) -> Iterator[tuple[ast.stmt, Spot]]:
        for statement in statements:
            if depth == 0:
                raise TooTangled("its statements are nested too deeply to be followed")
            yield statement, spot
            if type(statement) in _PLAIN:
                continue
            match statement:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    inner = spot.inside(statement, self._when(statement, spot))
                    yield from self._block(statement.body, inner, depth - 1)
                case ast.ClassDef():
                    yield from self._block(statement.body, spot.inside_class(statement), depth - 1)
                case ast.If(test=test, body=then):
                    yield from self._branches(statement, spot, depth - 1)
                    if _leaves(then):
                        spot = spot.under(negated(test))
                case (
                    ast.For(iter=items, body=body, orelse=otherwise)
                    | ast.AsyncFor(iter=items, body=body, orelse=otherwise)
                ):
                    inner = spot if _is_fixed(items) else spot.under(f"for each of {written(items)}")
                    yield from self._block(body, inner, depth - 1)
                    yield from self._block(otherwise, spot, depth - 1)
                case ast.While(test=test, body=body, orelse=otherwise):
                    yield from self._block([*body, *otherwise], spot.under(test), depth - 1)
                case ast.With(items=with_items, body=body) | ast.AsyncWith(items=with_items, body=body):
                    inner = spot.caught() if any(map(_expects, with_items)) else spot
                    yield from self._block(body, inner, depth - 1)
                case ast.Try() | ast.TryStar():
                    yield from self._try(statement, spot, depth - 1)
                case ast.Match():
                    for case in statement.cases:
                        yield from self._block(case.body, spot.under(_matched(statement.subject, case)), depth - 1)

    def _branches(self, statement: ast.If, spot: Spot, depth: int) -> Iterator[tuple[ast.stmt, Spot]]:
        """The branches of an `if`; those of its `elif` lie as deep as its own."""
        while True:
            yield from self._block(statement.body, spot.under(statement.test), depth)
            if not statement.orelse:
                return
            spot = spot.under(negated(statement.test))
            first = statement.orelse[0]
            if len(statement.orelse) > 1 or not isinstance(first, ast.If):
                yield from self._block(statement.orelse, spot, depth)
                return
            statement = first
            yield statement, spot

    def _try(self, statement: ast.Try | ast.TryStar, spot: Spot, depth: int) -> Iterator[tuple[ast.stmt, Spot]]:
        yield from self._block(statement.body, spot.caught() if statement.handlers else spot, depth)
        for handler in statement.handlers:
            guard = f"except {written(handler.type)}" if handler.type else "except"
            yield from self._block(handler.body, spot.under(guard), depth)
        yield from self._block([*statement.orelse, *statement.finalbody], spot, depth)

    def _when(self, function: Function, spot: Spot) -> str:
        if spot.function is not None:
            return spot.when if spot.when != IMPORTED else CALLED
        name = function.name
        if name.startswith("pytest_") or name in _SUITE_NAMES:
            return SUITE
        if is_fixture(function, spot.scope):
            return SUITE if is_autouse(function, spot.scope) and not spot.owner else SETUP
        if name in _SETUP_NAMES:
            return SETUP
        if name in _TEARDOWN_NAMES:
            return TEARDOWN
        if name.startswith("test"):
            return TEST
        return SUITE if name in self._loads and not spot.owner else CALLED


def _matched(subject: ast.expr, case: ast.match_case) -> ast.expr | str:
    """The condition of a case as a comparison, where its pattern is a literal; else as it is written."""
    literal = _literal(case.pattern)
    if literal is None or case.guard is not None:
        return written(case.pattern)
    return ast.copy_location(ast.Compare(subject, [ast.Eq()], [literal]), subject)


def _literal(pattern: ast.pattern) -> ast.expr | None:
    match pattern:
        case ast.MatchValue(value=value):
            return value
        case ast.MatchSequence(patterns=patterns):
            parts = [_literal(one) for one in patterns]
            known = [one for one in parts if one is not None]
            same = ast.List(list(known), ast.Load())
            return ast.copy_location(same, pattern) if len(known) == len(parts) else None
        case _:
            return None


def arguments_of(function: Function) -> list[str]:
    """The names of a function's arguments."""
    given = function.args
    return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def expressions(statement: ast.stmt) -> list[ast.AST]:
    """Every expression of one statement, without those of the statements in it and of functions it defines."""
    found: list[ast.AST] = []
    stack: list[Any] = [statement]
    pop, push, keep = stack.pop, stack.append, found.append
    while stack:
        node = pop()
        if node is None:
            continue
        keep(node)
        kind = type(node)
        if kind is ast.Name or kind is ast.Constant:
            continue
        fields = _FIELDS.get(kind)
        if fields is None:
            fields = _FIELDS[kind] = tuple(one for one in kind._fields if one not in _NO_EXPRESSIONS)
        for field in fields:
            value = getattr(node, field, None)
            if type(value) is list:
                stack += value
            elif value is not None:
                push(value)
    return found[1:]


def _called_names(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """Names of functions that statements of a module call for what they do."""
    return frozenset(
        one.value.func.id
        for one in statements
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) and isinstance(one.value.func, ast.Name)
    )


def _leaves(body: list[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def _is_main(guard: ast.expr) -> bool:
    match guard:
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()]):
            return True
        case ast.Compare(comparators=[ast.Name(id="__name__")], ops=[ast.Eq()]):
            return True
        case _:
            return False


def _is_fixed(items: ast.expr) -> bool:
    """True for a loop over a list that stands there, or over a number of rounds: its body runs."""
    match items:
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return bool(elements)
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant()]):
            return True
        case _:
            return False


def _expects(item: ast.withitem) -> bool:
    call = item.context_expr
    if not isinstance(call, ast.Call):
        return False
    called = call.func
    return (last(called)) in _CATCHES_EXIT
