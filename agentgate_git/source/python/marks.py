"""Decorators and `pytestmark` values: which of them keep a test from running."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from agentgate_git.model.inventory import CONDITIONAL, EXPECTED_FAIL, MADE_ROW, NOT_COLLECTED, ROW, RUNS, SKIPPED
from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last
from agentgate_git.source.python.conditions import DEPENDS, NEVER, negated, truth
from agentgate_git.source.python.effects import Effect, guarded, is_certain, written
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.names import Scope, flat
from agentgate_git.source.python.tables import part_of, table_rows

_FUEL = 4
FIXTURES = frozenset(("pytest.fixture", "pytest.yield_fixture", "pytest_asyncio.fixture"))
_NOT_TESTS = ("nose.tools.nottest", "nose.tools.nontrivial.nottest", "numpy.testing.dec.setastest")
_GIVEN_NAMES = ("os", "sys", "platform")
# What stands in the names of Django's marks about features of a database.
_WORDS = ("If", "Unless", "UnlessAny")
# Decorators after which a test is an attribute.
_ATTRIBUTES = frozenset(("property", "cached_property", "classproperty", "abstractproperty"))
_RETURNS_NOTHING = ", which returns nothing"
# What a condition of a mark costs of what a file may spend (Scope.spend): one list of marks may serve many tests.
_STEPS_PER_CONDITION = 8


class Place(Record):
    """Where a marker is read: the names in force, and marker names that the manifest forbids."""

    scope: Scope
    forbidden: frozenset[str]


def mark_effects(nodes: Iterable[ast.expr], place: Place) -> tuple[Effect, ...]:
    """The effects of decorators, or of the parts of a `pytestmark` value, in order."""
    return tuple(effect for node in nodes for effect in _effects(node, place, _FUEL))


def attribute_effects(name: str, value: ast.expr, place: Place) -> Iterator[Effect]:
    """What setting one attribute of a module, class or test does to it."""
    if name == "pytestmark":
        yield from mark_effects(pytestmark_parts(value, place.scope), place)
        return
    if name not in ("__test__", "__unittest_skip__", "__unittest_expecting_failure__"):
        return
    known = fold(value, place.scope.constant)
    if known is UNKNOWN:
        yield Effect(CONDITIONAL, f"{name} = {written(value, 60)}", value.lineno, written(value))
    elif name == "__test__" and not known:
        yield Effect(NOT_COLLECTED, f"__test__ = {written(value, 60)}", value.lineno)
    elif name != "__test__" and known:
        yield Effect(SKIPPED, f"{name} = {written(value, 60)}", value.lineno)


def pytestmark_parts(value: ast.expr, scope: Scope) -> list[ast.expr]:
    """The marks in the value of a `pytestmark`: one, or a list, tuple or sum of them."""
    scope.spend()
    node = scope.settled(value) or value
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [part.value if isinstance(part, ast.Starred) else part for part in node.elts]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*pytestmark_parts(node.left, scope), *pytestmark_parts(node.right, scope)]
    return [node]


def last_name(node: ast.expr) -> str:
    """The last identifier of what is called or named: `skip` for `pytest.mark.skip(...)`."""
    target = node
    while isinstance(target, ast.Call):
        target = target.func
    return last(target)


def _effects(node: ast.expr, place: Place, fuel: int) -> Iterator[Effect]:
    place.scope.spend()
    if last_name(node) in place.forbidden:
        yield Effect(SKIPPED, f"{last_name(node)}, which the manifest forbids", node.lineno)
    if last_name(node) in _ATTRIBUTES and not isinstance(node, ast.Call):
        yield Effect(NOT_COLLECTED, f"{last_name(node)}, which makes it no method", node.lineno)
        return
    if isinstance(node, ast.IfExp):
        yield from _chosen(node, place, fuel)
        return
    bare = _READERS.get(place.scope.dotted(node))
    if bare is not None:
        yield from bare(ast.copy_location(ast.Call(node, [], []), node), place)
        return
    called = _READERS.get(place.scope.dotted(node.func)) if isinstance(node, ast.Call) else None
    if isinstance(node, ast.Call) and called is not None:
        yield from called(node, place)
    elif fuel:
        yield from _followed(node.func if isinstance(node, ast.Call) else node, place, fuel - 1)


def _chosen(node: ast.IfExp, place: Place, fuel: int) -> Iterator[Effect]:
    """The marks of both sides of a choice, each under what chooses it."""
    for test, part in ((node.test, node.body), (negated(node.test), node.orelse)):
        found = list(_effects(part, place, fuel - 1)) if fuel and not isinstance(part, ast.Lambda) else []
        if found:
            verdict, text = truth(test, place.scope), written(test)
            yield from (guarded(effect, verdict, text) for effect in found)


def _followed(target: ast.expr, place: Place, fuel: int) -> Iterator[Effect]:
    """Marks behind a name of this file: an assigned mark, or a decorator function that applies one."""
    if isinstance(target, ast.Call):
        yield from _effects(target, place, fuel)
        return
    bound = place.scope.assigned(target)
    if bound is not None:
        yield from (effect for part in pytestmark_parts(bound, place.scope) for effect in _effects(part, place, fuel))
    definition = place.scope.definition(target)
    if isinstance(definition, ast.FunctionDef):
        yield from _decorator_body(definition, target.lineno, place, fuel)


def _decorator_body(decorator: ast.FunctionDef, line: int, place: Place, fuel: int) -> Iterator[Effect]:
    """What a decorator of this file returns, and what it sets on the function that it is given."""
    inner = place._replace(scope=Scope(decorator.body, place.scope))
    statements = list(flat(decorator.body))
    place.scope.spend(len(statements))
    for statement in decorator.body:
        match statement:
            case ast.Return(value=value) if value is not None:
                if isinstance(value, ast.IfExp):
                    sides = (_put_on(one, decorator) for one in (value.body, value.orelse))
                    chosen: ast.expr = ast.copy_location(ast.IfExp(value.test, *sides), value)
                else:
                    chosen = _put_on(value, decorator)
                effects = _effects(chosen, inner, fuel)
                yield from (effect for effect in effects if not effect.marker.endswith(_RETURNS_NOTHING))
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(), attr=name)], value=value):
                yield from attribute_effects(name, value, inner)
            case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(name)), value])):
                yield from attribute_effects(name, value, inner)
    if not decorator.decorator_list and not any(_leaves_something(statement) for statement, _ in statements):
        yield Effect(NOT_COLLECTED, f"{decorator.name}{_RETURNS_NOTHING}", line)


def _put_on(value: ast.expr, decorator: ast.FunctionDef) -> ast.expr:
    """The mark alone, where the decorator returns the mark put on the function that it was given."""
    given = decorator.args.args[0].arg if decorator.args.args else ""
    match value:
        case ast.Call(func=mark, args=[ast.Name(id=name)], keywords=[]) if name == given:
            return mark
        case _:
            return value


def _leaves_something(statement: ast.stmt) -> bool:
    """True for a statement that makes a decorator return a value, or makes it no plain function."""
    match statement:
        case ast.Return(value=None | ast.Constant(value=None)):
            return False
        case ast.Return() | ast.Raise():
            return True
        case ast.Expr(value=value) | ast.Assign(value=value):
            return isinstance(value, ast.Yield | ast.YieldFrom)
        case _:
            return False


def _skip(call: ast.Call, place: Place) -> Iterator[Effect]:
    yield Effect(SKIPPED, f"{place.scope.dotted(call.func)}", call.lineno)


def _expected_failure(call: ast.Call, place: Place) -> Iterator[Effect]:
    yield Effect(EXPECTED_FAIL, f"{place.scope.dotted(call.func)}", call.lineno)


def _not_a_test(call: ast.Call, place: Place) -> Iterator[Effect]:
    yield Effect(NOT_COLLECTED, f"{place.scope.dotted(call.func)}", call.lineno)


def _mark_skipif(call: ast.Call, place: Place) -> Iterator[Effect]:
    yield from _under_conditions(call, Effect(SKIPPED, "pytest.mark.skipif", call.lineno), place)


def _mark_xfail(call: ast.Call, place: Place) -> Iterator[Effect]:
    said = [fold(one.value, place.scope.constant) for one in call.keywords if one.arg == "strict"]
    strict = next((one for one in said if isinstance(one, bool)), None)
    marker = "pytest.mark.xfail" if strict is None else f"pytest.mark.xfail(strict={strict})"
    yield from _under_conditions(call, Effect(EXPECTED_FAIL, marker, call.lineno), place)


def _under_conditions(call: ast.Call, effect: Effect, place: Place) -> Iterator[Effect]:
    """pytest skips when any condition holds, and when there is none."""
    conditions = [*call.args, *(one.value for one in call.keywords if one.arg == "condition")]
    if not conditions:
        yield effect
    place.scope.spend(_STEPS_PER_CONDITION * len(conditions))
    for node in conditions:
        condition = _parsed(node, place.scope)
        scope = place.scope if condition is node else _with_given_names(place.scope)
        verdict = truth(condition, scope) if condition is not None else DEPENDS
        yield guarded(effect, verdict, written(condition or node))


def _with_given_names(scope: Scope) -> Scope:
    """The names in force in a condition given as text: pytest adds modules that the file need not import."""
    missing = [ast.alias(name) for name in _GIVEN_NAMES if not scope.is_bound(name)]
    return Scope([ast.Import(missing, lineno=0)], scope) if missing else scope


def _parsed(node: ast.expr, scope: Scope) -> ast.expr | None:
    """A condition given as text is evaluated by pytest; None when the text is no expression."""
    text = fold(node, scope.constant)
    if not isinstance(text, str):
        return node
    try:
        parsed = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for inner in ast.walk(parsed):
        inner.lineno = node.lineno  # type: ignore[attr-defined]  # names are looked up as of this line
    return parsed


def _skip_if(call: ast.Call, place: Place) -> Iterator[Effect]:
    yield from _unittest_guard(call, place, lambda node: node)


def _skip_unless(call: ast.Call, place: Place) -> Iterator[Effect]:
    yield from _unittest_guard(call, place, negated)


def _unittest_guard(call: ast.Call, place: Place, turn: Callable[[ast.expr], ast.expr]) -> Iterator[Effect]:
    conditions = [*call.args[:1], *(one.value for one in call.keywords if one.arg == "condition")]
    place.scope.spend(_STEPS_PER_CONDITION * len(conditions))
    for node in conditions:
        condition = turn(node)
        effect = Effect(SKIPPED, f"{place.scope.dotted(call.func)}", call.lineno)
        yield guarded(effect, truth(condition, place.scope), written(condition))


def _parametrize(call: ast.Call, place: Place) -> Iterator[Effect]:
    """Without values the one test that is left is skipped; values can carry marks of their own."""
    given = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "argvalues")]
    for node in given:
        value = place.scope.settled(node) or node
        if is_empty(value, place.scope):
            yield Effect(SKIPPED, "pytest.mark.parametrize without values", call.lineno)
        elif isinstance(value, ast.List | ast.Tuple):
            yield from _row_effects(table_rows(value, place.scope), call.lineno, place)
            if any(isinstance(item, ast.Starred | ast.Subscript) for item in value.elts):
                yield from _picked_rows(value, call, place.scope)
        else:
            yield from _made_rows(value, call.lineno, place)
            yield from _picked_rows(value, call, place.scope)


def _made_rows(value: ast.expr, line: int, place: Place) -> Iterator[Effect]:
    """What marks do that a comprehension gives to some of the rows it makes."""
    if not isinstance(value, ast.ListComp | ast.GeneratorExp) or not isinstance(value.elt, ast.Call):
        return
    marks = (one.value for one in value.elt.keywords if one.arg == "marks")
    for mark in marks if last_name(value.elt) == "param" else ():
        for named, node in _marks_of(mark, place.scope):
            parts = pytestmark_parts(node, place.scope)
            for effect in mark_effects(parts, place):
                if effect.state != RUNS:
                    told = named or effect.condition or MADE_ROW
                    yield effect._replace(state=CONDITIONAL, condition=told, line=line)


def _marks_of(mark: ast.expr, scope: Scope) -> Iterator[tuple[str, ast.expr]]:
    """The marks of a table by the row that has them: `MARKS.get(case, ())`, `MARKS[case]`, `xfail if … else ()`."""
    match mark:
        case (
            ast.Call(func=ast.Attribute(value=ast.Name() as table, attr="get"))
            | ast.Subscript(value=ast.Name() as table)
        ):
            held = scope.settled(table)
            pairs = zip(held.keys, held.values, strict=True) if isinstance(held, ast.Dict) else ()
            yield from ((f"{MADE_ROW}({_named([key])})", value) for key, value in pairs if key is not None)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield f"{MADE_ROW}({_named([test])})", body
            yield f"{MADE_ROW}({_named([negated(test)])})", orelse
        case _:
            yield "", mark


def fixture_rows(decorator: ast.expr, place: Place) -> Iterator[Effect]:
    """What marks on the parameters of a fixture do to the tests that ask for it."""
    for one in decorator.keywords if isinstance(decorator, ast.Call) else ():
        if one.arg == "params":
            value = place.scope.settled(one.value) or one.value
            if isinstance(value, ast.List | ast.Tuple):
                place.scope.spend(len(value.elts))
                yield from _row_effects(table_rows(value, place.scope), decorator.lineno, place)
            else:
                yield from _picked_rows(value, decorator, place.scope)  # type: ignore[arg-type]  # it is a call


def _picked_rows(value: ast.expr, call: ast.Call, scope: Scope) -> Iterator[Effect]:
    """What a table loses of which only a part is taken."""
    part = part_of(value, scope)
    if part is None:
        return
    marker = "pytest.mark.parametrize over a part of a table"
    for row in part.left_out:
        arguments = row.args if isinstance(row, ast.Call) and last_name(row) == "param" else [row]
        yield Effect(CONDITIONAL, marker, call.lineno, f"{ROW}({_named(arguments)})")
    if part.how:
        yield Effect(CONDITIONAL, marker, call.lineno, f"only rows with {part.how}")


def _named(arguments: list[ast.expr]) -> str:
    return ", ".join(written(argument, 60) for argument in arguments).replace("; ", ", ")


def _row_effects(rows: list[ast.expr], line: int, place: Place) -> Iterator[Effect]:
    stopped: list[tuple[ast.expr, Effect]] = []
    for row in rows:
        if isinstance(row, ast.Call) and place.scope.dotted(row.func) == "pytest.param":
            marks = (one.value for one in row.keywords if one.arg == "marks")
            parts = [part for value in marks for part in pytestmark_parts(value, place.scope)]
            stopped.extend((row, effect) for effect in mark_effects(parts, place) if effect.state != RUNS)
    certain = [(row, effect) for row, effect in stopped if is_certain(effect)]
    if certain and len({id(row) for row, _ in certain}) == len(rows):
        yield certain[0][1]._replace(marker=f"{certain[0][1].marker} on every parameter", line=line)
        return
    for row, effect in stopped:
        arguments = row.args if isinstance(row, ast.Call) else []
        named = _named(arguments)
        where = f"{ROW}({named})" if is_certain(effect) else f"{effect.condition} for ({named})"
        yield effect._replace(state=CONDITIONAL, condition=where)


def is_empty(node: ast.expr, scope: Scope) -> bool:
    """True for an expression that has no items, whatever happens."""
    value: Any = fold(node, scope.constant)
    if value is not UNKNOWN:
        return hasattr(value, "__len__") and len(value) == 0
    match node:
        case ast.Call(func=ast.Name(id="range" | "iter" | "filter" | "map"), args=[*_, last]):
            number = fold(last, scope.constant)
            return number == 0 or (hasattr(number, "__len__") and len(number) == 0)
        case ast.ListComp(generators=[first, *_]) | ast.GeneratorExp(generators=[first, *_]):
            return is_empty(first.iter, scope) or any(truth(test, scope) == NEVER for test in first.ifs)
        case _:
            return False


def _depends(call: ast.Call, place: Place) -> Iterator[Effect]:
    """pytest-dependency skips a test unless those that it names have passed before it in the same run."""
    named = [one.value for one in call.keywords if one.arg == "depends"]
    names = fold(named[0], place.scope.constant) if named else ()
    known = [one for one in names if isinstance(one, str)] if isinstance(names, list | tuple) else []
    effect = Effect(CONDITIONAL, "pytest.mark.dependency", call.lineno, f"{', '.join(known)} passed before")
    place.scope.spend(_STEPS_PER_CONDITION + len(known))
    is_of_file = not any(one.arg == "scope" for one in call.keywords)
    for name in known:
        if is_of_file and name.isidentifier() and name.startswith("test_") and not place.scope.is_bound(name):
            yield Effect(SKIPPED, f"pytest.mark.dependency on {name}, which is no test of the file", call.lineno)
            return
    if named:
        yield effect


def _feature(call: ast.Call, place: Place) -> Iterator[Effect]:
    """Django asks the database that the tests run on what it can do."""
    name = place.scope.dotted(call.func)
    lead = "with" if "skipIf" in name else "without"
    texts = [one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if texts:
        yield Effect(CONDITIONAL, name, call.lineno, f"{lead} {', '.join(texts)}")


_Reader = Callable[[ast.Call, Place], Iterator[Effect]]
_READERS: dict[str, _Reader] = {
    "pytest.mark.skip": _skip,
    "pytest.mark.skipif": _mark_skipif,
    "pytest.mark.xfail": _mark_xfail,
    "pytest.mark.parametrize": _parametrize,
    "pytest.mark.dependency": _depends,
    "unittest.skip": _skip,
    "unittest.skipIf": _skip_if,
    "unittest.skipUnless": _skip_unless,
    "unittest.expectedFailure": _expected_failure,
    **{f"django.test{place}.skip{word}DBFeature": _feature for place in ("", ".testcases") for word in _WORDS},
    **dict.fromkeys((*_NOT_TESTS, *FIXTURES), _not_a_test),
}
