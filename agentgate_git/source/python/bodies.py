"""Function bodies and module bodies: statements that end a test as skipped before it has said anything."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agentgate_git.model.inventory import CONDITIONAL, EXPECTED_FAIL, RUNS, SKIPPED
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.nodes import FIELDS, fields_of, last
from agentgate_git.source.python.conditions import ALWAYS, DEPENDS, NEVER, may_tell, negated, truth
from agentgate_git.source.python.effects import Effect, guarded, is_certain, written
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.marks import Place, is_empty, mark_effects
from agentgate_git.source.python.names import Function, Scope
from agentgate_git.source.python.standard_library import is_standard

EARLY_RETURN = "return as the first statement"

_FUEL = 6
_SKIP_ERRORS = {
    "pytest.skip.Exception": "pytest.skip.Exception",
    "unittest.SkipTest": "unittest.SkipTest",
}
_XFAIL_ERRORS = ("pytest.xfail.Exception",)
_CATCH_ALL = frozenset(("BaseException", "builtins.BaseException", *_SKIP_ERRORS, *_XFAIL_ERRORS))
_CATCH_ERRORS = frozenset(("Exception", "builtins.Exception"))
_CATCHERS = frozenset(("raises", "assertRaises", "assertRaisesRegex", "suppress", "expectedException"))
_LEAVES = frozenset(
    (
        *(ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del),
        *(ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    )
)
_NODES_PER_STEP = 4
# What a helper, a fixture or a decorator does counts for each test that it does it to.
STEPS_PER_EFFECT = 5
# Statements that only evaluate expressions.
_PLAIN = frozenset((ast.Expr, ast.Assign, ast.Assert, ast.AugAssign, ast.AnnAssign, ast.Delete))
# A version that stands for one that no package will have.
_NO_VERSION = pattern_of(r"(?:9{2,6}|10{2,5})(?:\.\d{1,6}){0,4}")
_OUTCOMES = frozenset(("skip", "xfail", "importorskip"))
_APPLIERS = frozenset(("applymarker", "add_marker"))


class Body(Record):
    """Where statements are read: names and forbidden markers, the methods that `self.` reaches, and what is known
    already about functions that were called, (`wrapped`) about what decorators put in place and fixtures do before, and
    (`asked`) about the variables of the environment that the text of a condition of the module asks for.
    """

    place: Place
    methods: Mapping[str, Function]
    known: dict[Function, tuple[Effect, ...]]
    wrapped: dict[Function, tuple[Effect, ...]]
    asked: dict[str, tuple[str, ...]]

    def inside(self, function: Function) -> Body:
        """The view from inside a function."""
        place = Place(self.place.scope.inside(function), self.place.forbidden)
        return Body(place, self.methods, self.known, self.wrapped, self.asked)


def function_effects(function: Function, body: Body, fuel: int = _FUEL) -> tuple[Effect, ...]:
    """What running a function does to the test it belongs to; nothing follows the first certain effect."""
    return tuple(_block(function.body, body.inside(function), fuel))


def statement_effects(statements: list[ast.stmt], body: Body) -> tuple[Effect, ...]:
    """What running statements at module level does to every test of the module."""
    return tuple(_block(statements, body, _FUEL))


def _block(statements: list[ast.stmt], body: Body, fuel: int, has_rest: bool = False) -> Iterator[Effect]:
    is_head = True
    for index, statement in enumerate(statements):
        rest = has_rest or index + 1 < len(statements)
        if isinstance(statement, ast.Return | ast.Break | ast.Continue) or _is_yield(statement):
            yield from _expressions(statement, body, fuel)
            if isinstance(statement, ast.Return) and is_head and rest:
                yield Effect(SKIPPED, EARLY_RETURN, statement.lineno)
            return
        for effect in _statement(statement, body, fuel, rest and is_head):
            yield effect
            if is_certain(effect):
                return
        if isinstance(statement, ast.Raise):
            return
        is_head = is_head and _says_nothing(statement)


def _statement(statement: ast.stmt, body: Body, fuel: int, has_rest: bool) -> Iterator[Effect]:
    if type(statement) in _PLAIN:
        yield from _expressions(statement, body, fuel)
        return
    match statement:
        case ast.Raise(exc=error) if error is not None:
            yield from _raised(error, body)
        case ast.If(test=test, body=then, orelse=otherwise):
            yield from _branch(test, then, body, fuel, has_rest)
            yield from _branch(negated(test), otherwise, body, fuel, has_rest)
        case ast.With(items=items, body=inner) | ast.AsyncWith(items=items, body=inner):
            if not any(_catches(item.context_expr) for item in items):
                yield from _block(inner, body, fuel, has_rest)
        case ast.Try() | ast.TryStar():
            yield from _try(statement, body, fuel)
        case ast.While(test=test, body=inner):
            yield from _branch(test, inner, body, fuel, has_rest)
        case ast.For(iter=items, body=inner) | ast.AsyncFor(iter=items, body=inner):
            yield from _loop(items, inner, body, fuel)
        case ast.Match(subject=subject, cases=cases):
            effects = tuple(effect for case in cases for effect in _block(case.body, body, fuel))
            yield from _guarded(effects, DEPENDS, f"match {written(subject)}") if effects else ()
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return
        case _:
            yield from _expressions(statement, body, fuel)


def _branch(test: ast.expr, then: list[ast.stmt], body: Body, fuel: int, has_rest: bool) -> Iterator[Effect]:
    effects = list(_block(then, body, fuel, has_rest)) if then else []
    if effects:
        verdict = truth(test, body.place.scope)
        leaves = any(effect.marker == EARLY_RETURN for effect in effects)
        is_kept = verdict == ALWAYS or (leaves and _is_left_here(test, verdict, body.place.scope))
        yield from _guarded(
            [effect for effect in effects if is_kept or effect.marker != EARLY_RETURN], verdict, written(test)
        )


def _is_left_here(test: ast.expr, verdict: str, scope: Scope) -> bool:
    """True for a condition that holds wherever the gate runs tests, though not everywhere."""
    return verdict == DEPENDS and may_tell(written(test)) and truth(negated(test), scope) == NEVER


def _guarded(effects: Iterable[Effect], verdict: str, condition: str) -> Iterator[Effect]:
    return (guarded(effect, verdict, condition) for effect in effects)


def _loop(items: ast.expr, inner: list[ast.stmt], body: Body, fuel: int) -> Iterator[Effect]:
    effects = tuple(_block(inner, body, fuel))
    if effects:
        value = fold(items, body.place.scope.constant)
        verdict = DEPENDS if value is UNKNOWN else ALWAYS if value else NEVER
        yield from _guarded(effects, verdict, f"for each of {written(items)}")


def _try(statement: ast.Try | ast.TryStar, body: Body, fuel: int) -> Iterator[Effect]:
    scope = body.place.scope
    caught = {name for handler in statement.handlers for name in _caught(handler, scope)}
    for effect in _block(statement.body, body, fuel):
        is_error = "SkipTest" in effect.marker
        if not (caught & _CATCH_ALL or (is_error and caught & _CATCH_ERRORS)):
            yield effect
    verdict = _failure(statement.body)
    for handler in statement.handlers:
        effects = tuple(_block(handler.body, body, fuel))
        if effects:
            condition = f"except {written(handler.type)}" if handler.type else "except"
            tried = ", ".join(written(inner, 60) for inner in statement.body[:2])
            yield from _guarded(effects, verdict, f"{condition} after {tried}")
    yield from _block(statement.orelse, body, fuel)
    yield from _block(statement.finalbody, body, fuel)


def _failure(statements: list[ast.stmt]) -> str:
    """Whether a `try` body fails: a raise always does, importing the standard library never does."""
    if isinstance(statements[0], ast.Raise):
        return ALWAYS
    return NEVER if all(_is_standard_import(statement) for statement in statements) else DEPENDS


def _is_standard_import(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import):
        return all(is_standard(one.name) for one in statement.names)
    return isinstance(statement, ast.ImportFrom) and not statement.level and is_standard(statement.module or "")


def _caught(handler: ast.ExceptHandler, scope: Scope) -> Iterator[str]:
    if handler.type is None:
        yield "BaseException"
        return
    for node in handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]:
        yield scope.dotted(node) or (node.id if isinstance(node, ast.Name) else "")


def _raised(error: ast.expr, body: Body) -> Iterator[Effect]:
    scope = body.place.scope
    name = scope.dotted(error.func if isinstance(error, ast.Call) else error)
    if name in _SKIP_ERRORS:
        yield Effect(SKIPPED, f"raise {name}", error.lineno)
    elif name in _XFAIL_ERRORS:
        yield Effect(EXPECTED_FAIL, f"raise {name}", error.lineno)
    elif isinstance(error, ast.Call):
        yield from _call(error, body, _FUEL)
        if isinstance(error.func, ast.Attribute) and error.func.attr == "skipException":
            yield Effect(SKIPPED, "raise self.skipException", error.lineno)


def _expressions(statement: ast.stmt, body: Body, fuel: int) -> Iterator[Effect]:
    if isinstance(statement, ast.Expr):
        yield from _expression(statement.value, body, fuel)
        return
    kind = type(statement)
    fields = FIELDS.get(kind)
    for field in fields_of(kind) if fields is None else fields:
        value = getattr(statement, field, None)
        for node in value if isinstance(value, list) else (value,):
            if isinstance(node, ast.expr) and type(node) not in _LEAVES:
                yield from _expression(node, body, fuel)


def _expression(root: ast.expr, body: Body, fuel: int) -> Iterator[Effect]:
    """Calls that evaluating an expression makes for certain; those behind `and`, `or` and `if` are guarded."""
    stack: list[Any] = [root]
    steps = 0
    while stack:
        node = stack.pop()
        kind = type(node)
        steps += 1
        if kind in _LEAVES:
            continue
        if kind is ast.Attribute:
            stack.append(node.value)
        elif kind is ast.Call:
            yield from _call(node, body, fuel)
            stack += (node.func, *node.args, *node.keywords)
        elif kind is ast.BoolOp:
            first, *others = node.values
            stack.append(first)
            test = first if isinstance(node.op, ast.And) else negated(first)
            yield from (effect for other in others for effect in _guarded_expression(test, other, body, fuel))
        elif kind is ast.IfExp:
            stack.append(node.test)
            yield from _guarded_expression(node.test, node.body, body, fuel)
            yield from _guarded_expression(negated(node.test), node.orelse, body, fuel)
        elif node is not None:
            fields = FIELDS.get(kind)
            for field in fields_of(kind) if fields is None else fields:
                value = getattr(node, field, None)
                if type(value) is list:
                    stack += value
                else:
                    stack.append(value)
    body.place.scope.spend(steps // _NODES_PER_STEP)


def _guarded_expression(test: ast.expr, node: ast.expr, body: Body, fuel: int) -> Iterator[Effect]:
    effects = list(_expression(node, body, fuel))
    if effects:
        yield from _guarded(effects, truth(test, body.place.scope), written(test))


def _call(call: ast.Call, body: Body, fuel: int) -> Iterator[Effect]:
    scope = body.place.scope
    is_method_of_others = isinstance(call.func, ast.Attribute) and call.func.attr not in _OUTCOMES
    match "" if is_method_of_others else scope.dotted(call.func):
        case "pytest.skip":
            yield Effect(SKIPPED, "pytest.skip()", call.lineno)
        case "pytest.xfail":
            yield Effect(EXPECTED_FAIL, "pytest.xfail()", call.lineno)
        case "pytest.importorskip":
            yield _import_or_skip(call, scope)
        case _:
            yield from _other_call(call, body, fuel)


def _import_or_skip(call: ast.Call, scope: Scope) -> Effect:
    module = fold(call.args[0], scope.constant) if call.args else UNKNOWN
    is_there = isinstance(module, str) and is_standard(module)
    condition = f"cannot import {module}" if isinstance(module, str) else written(call)
    least = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "minversion")]
    version = fold(least[0], scope.constant) if least else ""
    if isinstance(version, str) and _NO_VERSION.fullmatch(version):
        return Effect(SKIPPED, f"pytest.importorskip() of a version {version}", call.lineno)
    return Effect(RUNS if is_there else CONDITIONAL, "pytest.importorskip()", call.lineno, condition)


def _other_call(call: ast.Call, body: Body, fuel: int) -> Iterator[Effect]:
    if isinstance(call.func, ast.Attribute):
        name = call.func.attr
        if name == "skipTest":
            yield Effect(SKIPPED, "self.skipTest()", call.lineno)
        elif name == "parametrize" and len(call.args) > 1 and not isinstance(call.args[1], ast.Name):
            if is_empty(call.args[1], body.place.scope):
                yield Effect(SKIPPED, "parametrize() without values", call.lineno)
        elif name in _APPLIERS and call.args:
            yield from _applied(call.args[0], body)
        elif isinstance(call.func.value, ast.Name) and call.func.value.id in ("self", "cls"):
            yield from _helper(body.methods.get(name), body, fuel)
    else:
        definition = body.place.scope.definition(call.func)
        yield from _helper(definition if not isinstance(definition, ast.ClassDef) else None, body, fuel)


def _helper(function: Function | None, body: Body, fuel: int) -> Iterator[Effect]:
    """What calling a function of this file does; leaving it early is no effect on the caller."""
    if function is None or fuel == 0:
        return
    if function not in body.known:
        body.known[function] = ()
        body.known[function] = function_effects(function, body, fuel - 1)
    body.place.scope.spend(STEPS_PER_EFFECT * len(body.known[function]))
    for effect in body.known[function]:
        if effect.marker != EARLY_RETURN:
            yield effect._replace(marker=f"{function.name}(), which does {effect.marker}")


def _applied(mark: ast.expr, body: Body) -> Iterator[Effect]:
    name = fold(mark, body.place.scope.constant)
    if name in ("skip", "xfail"):
        yield Effect(SKIPPED if name == "skip" else EXPECTED_FAIL, f"add_marker({name!r})", mark.lineno)
    else:
        yield from mark_effects([mark], body.place)


def _catches(context: ast.expr) -> bool:
    """True for `with raises(...)` and its like: what is raised inside does not end the test."""
    target = context.func if isinstance(context, ast.Call) else context
    name = last(target)
    return name in _CATCHERS


def _is_yield(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr | ast.Assign) and isinstance(statement.value, ast.Yield | ast.YieldFrom)


def _says_nothing(statement: ast.stmt) -> bool:
    """True for what may stand before the first statement that counts: docstrings, imports, constants."""
    if isinstance(statement, ast.Import | ast.ImportFrom | ast.Pass | ast.Global | ast.Nonlocal):
        return True
    return isinstance(statement, ast.Expr | ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.Constant)
