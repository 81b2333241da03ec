"""Module level of a test file: definitions, fixtures, and what decides for every test in it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from agentgate_git.model.inventory import CONDITIONAL, NOT_COLLECTED
from agentgate_git.model.record import Record
from agentgate_git.source.python.bodies import EARLY_RETURN, STEPS_PER_EFFECT, Body, function_effects, statement_effects
from agentgate_git.source.python.conditions import ALWAYS, DEPENDS, NEVER, negated, truth
from agentgate_git.source.python.effects import Effect, guarded, written
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.marks import (
    FIXTURES,
    Place,
    attribute_effects,
    fixture_rows,
    last_name,
    mark_effects,
    pytestmark_parts,
)
from agentgate_git.source.python.names import Function, Scope, flat
from agentgate_git.source.python.own_methods import wrapper_effects
from agentgate_git.source.python.tried_imports import tried

_SETUPS = frozenset(("setUpModule", "setup_module", "setup_function", "setup", "pytest_generate_tests"))
_TEARDOWNS = frozenset(("tearDownModule", "teardown_module", "teardown_function", "teardown"))

_LAYERS = 1
# How many fixtures one may lead to, one by the other.
_CHAIN = 8


class Placed(Record):
    """A definition and what the branches around it do to it."""

    node: Function | ast.ClassDef
    effects: tuple[Effect, ...]


class ModuleFacts(Record):
    """A file as far as it is the same for all its tests.

    `effects` hold for every test; `changes` are done to one after its definition, by name (`Class.test_x`).
    """

    scope: Scope
    body: Body
    statements: list[ast.stmt]
    definitions: tuple[Placed, ...]
    fixtures: dict[str, Function]
    effects: tuple[Effect, ...]
    changes: dict[str, tuple[Effect, ...]]
    setups: frozenset[str]

    def is_fixture(self, function: Function) -> bool:
        """True for a function that pytest takes for a fixture and so never for a test."""
        return is_fixture(function, self.scope)

    def fixture_effects(self, function: Function) -> Iterator[Effect]:
        """What the fixtures of this file that a function asks for do, by argument or by usefixtures."""
        asked = (*_arguments(function), *_used_fixtures(function.decorator_list, self.scope))
        yield from _asked_effects(asked, self.fixtures, self.body)

    def used_effects(self, marks: Iterable[ast.expr]) -> Iterator[Effect]:
        """What the fixtures of this file do that the marks of a class ask for."""
        yield from _asked_effects(_used_fixtures(marks, self.scope), self.fixtures, self.body)


def read_module(tree: ast.Module, forbidden: frozenset[str], steps: int) -> ModuleFacts:
    """The facts of a module that hold before any single test is looked at; `steps` bound the reading (Scope)."""
    scope = Scope(tree.body, steps=steps)
    body = Body(Place(scope, forbidden), {}, {}, {}, {})
    definitions = tuple(_definitions(tree.body, (), scope))
    functions = [placed.node for placed in definitions if not isinstance(placed.node, ast.ClassDef)]
    fixtures = {function.name: function for function in functions if is_fixture(function, scope)}
    setups = [function for function in functions if function.name in _SETUPS]
    effects = (
        *marker_effects(tree.body, body.place),
        *statement_effects(tree.body, body),
        *(effect for function in setups for effect in setup_effects(function, body)),
        *(
            effect
            for function in fixtures.values()
            if is_autouse(function, scope)
            for effect in setup_effects(function, body)
        ),
        *_asked_effects(_used_fixtures(_module_marks(tree.body, scope), scope), fixtures, body),
    )
    return ModuleFacts(
        scope, body, tree.body, definitions, fixtures, effects, changes(tree.body, body.place), _SETUPS | _TEARDOWNS
    )


def decorator_effects(decorators: Iterable[ast.expr], body: Body) -> Iterator[Effect]:
    """What decorators do: marks and fixtures, and those of this file by what they put in place of the function."""
    for decorator in decorators:
        yield from mark_effects([decorator], body.place)
        definition = body.place.scope.definition(_called(decorator))
        if isinstance(definition, ast.FunctionDef):
            if definition not in body.wrapped:
                body.wrapped[definition] = tuple(_wrapper_effects(definition, body, _LAYERS))
            body.place.scope.spend(STEPS_PER_EFFECT * len(body.wrapped[definition]))
            for effect in body.wrapped[definition]:
                yield effect._replace(marker=f"{definition.name}, which does {effect.marker}")


def _wrapper_effects(decorator: ast.FunctionDef, body: Body, layers: int) -> Iterator[Effect]:
    """What the functions do that a decorator, or a maker of decorators, returns."""
    inside = body.inside(decorator)
    may_return_else = any(isinstance(one, ast.Return) and is_nested for one, is_nested in flat(decorator.body))
    verdict = DEPENDS if may_return_else else ALWAYS
    given = next(_arguments(decorator), "")
    for statement in decorator.body:
        if isinstance(statement, ast.Return) and statement.value is not None:
            wrapper = inside.place.scope.definition(statement.value)
            if isinstance(wrapper, ast.FunctionDef | ast.AsyncFunctionDef) and wrapper in decorator.body:
                done = [*setup_effects(wrapper, inside)]
                if given and not any(isinstance(one, ast.FunctionDef) for one in wrapper.body):
                    done += wrapper_effects(wrapper, given)
                if isinstance(wrapper, ast.FunctionDef) and layers:
                    done += _wrapper_effects(wrapper, inside, layers - 1)
                yield from (guarded(effect, verdict, f"a branch of {decorator.name}") for effect in done)


def parameter_effects(fixture: Function, place: Place) -> Iterator[Effect]:
    """What marks on the parameters of a fixture do to the tests that run with it."""
    return (effect for decorator in fixture.decorator_list for effect in fixture_rows(decorator, place))


def fixture_values(fixture: Function, scope: Scope) -> tuple[str, ...]:
    """The parameters of a fixture as they are written, without their marks."""
    found: list[str] = []
    for decorator in fixture.decorator_list:
        for one in decorator.keywords if isinstance(decorator, ast.Call) else ():
            value = scope.settled(one.value) or one.value if one.arg == "params" else None
            rows = value.elts if isinstance(value, ast.List | ast.Tuple) else ()
            scope.spend(len(rows))
            for row in rows:
                parts = row.args if isinstance(row, ast.Call) and last_name(row) == "param" else [row]
                found.append(f"{fixture.name}: {', '.join(written(part, 60) for part in parts)}")
    return tuple(found)


def setup_effects(function: Function, body: Body) -> Iterator[Effect]:
    """What a fixture or set-up function does to the tests it runs before."""
    return (effect for effect in function_effects(function, body) if effect.marker != EARLY_RETURN)


def marker_effects(statements: Iterable[ast.stmt], place: Place) -> Iterator[Effect]:
    """What `pytestmark`, `__test__` and `__unittest_skip__` do in the body of a module or class, or in its branches."""
    for statement in statements:
        match statement:
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign() if statement.value is not None:
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                for target in targets:
                    if isinstance(target, ast.Name):
                        yield from attribute_effects(target.id, statement.value, place)
            case ast.If(test=test, body=then, orelse=otherwise):
                yield from _marked_if(test, then, place)
                yield from _marked_if(negated(test), otherwise, place)
            case ast.Try() | ast.TryStar():
                yield from marker_effects([*statement.body, *statement.orelse, *statement.finalbody], place)
                verdict = ALWAYS if any(isinstance(one, ast.Raise) for one in statement.body) else DEPENDS
                shown = tried(statement.body)
                for handler in statement.handlers:
                    caught = f"except {written(handler.type)}" if handler.type else "except"
                    caught = f"{caught} after {shown}" if shown else caught
                    yield from (guarded(one, verdict, caught) for one in marker_effects(handler.body, place))
            case ast.With(body=body):
                yield from marker_effects(body, place)
            case ast.For(body=body) | ast.While(body=body):
                yield from (guarded(one, DEPENDS, "a loop") for one in marker_effects(body, place))
            case ast.Match(cases=cases):
                for case in cases:
                    yield from (guarded(one, DEPENDS, "a case") for one in marker_effects(case.body, place))


def _marked_if(test: ast.expr, then: list[ast.stmt], place: Place) -> Iterator[Effect]:
    effects = tuple(marker_effects(then, place)) if then else ()
    if effects:
        verdict = truth(test, place.scope)
        yield from (guarded(one, verdict, written(test)) for one in effects)


def is_fixture(function: Function, scope: Scope) -> bool:
    """True when a decorator makes the function a fixture."""
    return any(scope.dotted(_called(decorator)) in FIXTURES for decorator in function.decorator_list)


def is_autouse(function: Function, scope: Scope) -> bool:
    """True for a fixture that runs without being asked for."""
    return any(
        one.arg == "autouse" and fold(one.value, scope.constant) is not False
        for decorator in function.decorator_list
        if isinstance(decorator, ast.Call) and scope.dotted(decorator.func) in FIXTURES
        for one in decorator.keywords
    )


_DEFINING = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.If, ast.Try, ast.With, ast.For, ast.While),
)


def _definitions(statements: list[ast.stmt], effects: tuple[Effect, ...], scope: Scope) -> Iterator[Placed]:
    """Functions and classes in order, with what the `if` around each of them means for it."""
    for statement in statements:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield Placed(statement, effects)
            case ast.If(test=test, body=then, orelse=otherwise):
                for asked, branch in ((test, then), (negated(test), otherwise)):
                    if any(isinstance(one, _DEFINING) for one in branch):
                        yield from _definitions(branch, (*effects, _defined_if(asked, scope)), scope)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                yield from _definitions([*body, *orelse, *final], effects, scope)
                for handler in handlers:
                    yield from _definitions(handler.body, effects, scope)
            case ast.With(body=body) | ast.For(body=body) | ast.While(body=body):
                yield from _definitions(body, effects, scope)


def _defined_if(test: ast.expr, scope: Scope) -> Effect:
    """A definition under a condition is there when it holds; skipping is asked of the opposite."""
    verdict = truth(negated(test), scope)
    line = test.lineno
    if verdict == ALWAYS:
        return Effect(NOT_COLLECTED, f"if {written(test, 60)}", line)
    state = "runs" if verdict == NEVER else CONDITIONAL
    return Effect(state, f"if {written(test, 60)}", line, written(negated(test)))


def changes(statements: list[ast.stmt], place: Place, inherited: Iterable[str] = ()) -> dict[str, tuple[Effect, ...]]:
    """What statements after a definition do to it, by its name: rebinding, deleting, setting attributes.

    `inherited` are names that a class has before its body begins.
    """
    found: dict[str, list[Effect]] = {}
    defined: set[str] = set(inherited)
    loops: dict[str, list[str]] = {}

    def is_known(path: str) -> bool:
        return path in loops or path.partition(".")[0] in defined

    for statement, is_nested in flat(statements):
        if isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
            loops[statement.target.id] = _looped(statement.iter, place.scope)
            continue
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.add(statement.name)
            found.pop(statement.name, None)
        for target, effects in _changed(statement, place, is_known):
            names = loops.get(target, [target])
            is_open = is_nested and target not in loops
            for name in (one for one in names if one.partition(".")[0] in defined):
                verdict = DEPENDS if is_open else ALWAYS
                done = (guarded(one, verdict, "a branch of the module") for one in effects)
                found.setdefault(name, []).extend(done)
    return {name: tuple(effects) for name, effects in found.items()}


def _changed(
    statement: ast.stmt, place: Place, is_known: Callable[[str], bool]
) -> Iterator[tuple[str, tuple[Effect, ...]]]:
    """What a statement does to what is known: a name, or one of its attributes."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _assigned(target, value, place, is_known)
        case ast.Delete(targets=targets):
            for target in targets:
                yield _path(target), (Effect(NOT_COLLECTED, "del", statement.lineno),)
        case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[owner, name, value])):
            attribute = fold(name, place.scope.constant)
            if isinstance(attribute, str):
                yield _path(owner), tuple(attribute_effects(attribute, value, place))


def _assigned(
    target: ast.expr, value: ast.expr, place: Place, is_known: Callable[[str], bool]
) -> Iterator[tuple[str, tuple[Effect, ...]]]:
    if isinstance(target, ast.Attribute) and is_known(owner := _path(target.value)):
        yield owner, tuple(attribute_effects(target.attr, value, place))
    path = _path(target)
    if not is_known(path):
        return
    if isinstance(value, ast.Call) and any(_path(argument) == path for argument in value.args):
        yield path, mark_effects([value], place)
    elif isinstance(value, ast.Constant | ast.Lambda | ast.Call) and not _mentions(value, path):
        yield path, (Effect(NOT_COLLECTED, f"{path} = {written(value, 60)}", value.lineno),)


def _looped(items: ast.expr, scope: Scope) -> list[str]:
    """The definitions that a loop goes through, by name or by text."""
    held = scope.settled(items) or items
    parts = held.elts if isinstance(held, ast.Tuple | ast.List | ast.Set) else []
    texts = (fold(part, scope.constant) for part in parts)
    return [text if isinstance(text, str) else _path(part) for part, text in zip(parts, texts, strict=True)]


def _mentions(value: ast.expr, path: str) -> bool:
    name = path.rpartition(".")[2]
    return any(
        (isinstance(node, ast.Name) and node.id == name) or (isinstance(node, ast.Attribute) and node.attr == name)
        for node in ast.walk(value)
    )


def _path(node: ast.expr) -> str:
    """`Class.test_x` for a plain name, an attribute chain or an entry of `globals()`, else empty."""
    match node:
        case ast.Subscript(value=ast.Call(func=ast.Name(id="globals" | "vars" | "locals"), args=[]), slice=key):
            return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else _path(key)
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=owner, attr=name):
            return f"{_path(owner)}.{name}" if _path(owner) else ""
        case _:
            return ""


def _called(decorator: ast.expr) -> ast.expr:
    return decorator.func if isinstance(decorator, ast.Call) else decorator


def _arguments(function: Function) -> Iterator[str]:
    return (one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs))


def _used_fixtures(marks: Iterable[ast.expr], scope: Scope) -> Iterator[str]:
    for mark in marks:
        call = scope.settled(mark) or mark
        if isinstance(call, ast.Call) and last_name(call) == "usefixtures":
            names = (fold(argument, scope.constant) for argument in call.args)
            yield from (name for name in names if isinstance(name, str))


def _module_marks(statements: list[ast.stmt], scope: Scope) -> Iterator[ast.expr]:
    """The marks that a file puts on all its tests."""
    for one in statements:
        match one:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
                yield from pytestmark_parts(value, scope)


def _asked_effects(names: Iterable[str], fixtures: dict[str, Function], body: Body) -> Iterator[Effect]:
    """What fixtures of these names do to those that ask for them, and what the fixtures do that they ask for."""
    for name in dict.fromkeys(names):
        fixture = fixtures.get(name)
        if fixture is not None:
            done = _done_by(fixture, fixtures, body, _CHAIN)
            body.place.scope.spend(STEPS_PER_EFFECT * len(done))
            yield from done


def _done_by(fixture: Function, fixtures: dict[str, Function], body: Body, hops: int) -> tuple[Effect, ...]:
    """What a fixture does by itself and by those that it asks for; found once for all that ask for it."""
    if fixture not in body.wrapped:
        body.wrapped[fixture] = ()  # one that leads to itself adds nothing
        done = [*parameter_effects(fixture, body.place), *setup_effects(fixture, body)]
        for name in _arguments(fixture) if hops else ():
            other = fixtures.get(name)
            if other is not None and other is not fixture:
                done += _done_by(other, fixtures, body, hops - 1)
        body.place.scope.spend(STEPS_PER_EFFECT * len(done))
        body.wrapped[fixture] = tuple(dict.fromkeys(done))
    return body.wrapped[fixture]
