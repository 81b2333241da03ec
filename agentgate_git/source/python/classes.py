"""Test classes: which are collected, what their markers and set-up do, and which tests they inherit."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from agentgate_git.model.inventory import CONDITIONAL, NOT_COLLECTED, SKIPPED
from agentgate_git.model.record import Record
from agentgate_git.source.nodes import nodes_of
from agentgate_git.source.python.bodies import Body, function_effects
from agentgate_git.source.python.effects import Effect, is_certain
from agentgate_git.source.python.marks import last_name, mark_effects, pytestmark_parts
from agentgate_git.source.python.module import (
    ModuleFacts,
    Placed,
    changes,
    decorator_effects,
    is_autouse,
    is_fixture,
    marker_effects,
    setup_effects,
)
from agentgate_git.source.python.names import Function, Scope, flat
from agentgate_git.source.python.own_methods import OF_SUBCLASSES, run_effects, subclass_effects
from agentgate_git.source.python.unit import Unit

_CASES = ("Case", "Base", "Test", "Mixin")
_SETUPS = ("setUp", "setUpClass", "asyncSetUp", "setup_method", "setup_class", "setup")
FUNCTION_NAME = "a name that pytest does not collect"
CLASS_NAME = "a class name that pytest does not collect"
_CONSTRUCTORS = ("__init__", "__new__")
_PLAIN_BASES = frozenset(("object", "ABC", "abc.ABC", "Generic", "typing.Generic", "Protocol", "typing.Protocol"))
_MAX_ANCESTORS = 20
# The one base that calls what is async and never awaits it, and the methods by which a class may do so by itself.
_PLAIN_CASES = frozenset(("unittest.TestCase", "unittest.case.TestCase"))
_OWN_WAYS = frozenset(("run", "__call__", "_callTestMethod", "debug", "__init__", "__getattribute__"))


class _Lineage(Record):
    """A class with its ancestors in this file, nearest first, and the names of ancestors that are not in it."""

    classes: tuple[ast.ClassDef, ...]
    is_test_case: bool
    foreign_bases: tuple[str, ...]
    foreign: tuple[ast.expr, ...] = ()


class ClassReader:
    """Reads the test classes of one module.

    `foreign_bases` collects the names of classes of other files that collected classes inherit from.
    """

    def __init__(self, module: ModuleFacts) -> None:
        self._module = module
        self.foreign_bases: set[str] = set()
        # What methods do to themselves, with the methods of the class that was looked at; and what they call of it.
        self._done: dict[Function, tuple[tuple[Effect, ...], Mapping[str, Function]]] = {}
        self._own_calls: dict[Function, frozenset[str]] = {}

    def units(self, placed: Placed, prefix: str = "", inherited: tuple[Effect, ...] = ()) -> Iterator[Unit]:
        """Every function of a class that may be a test, those of base classes in this file included."""
        node = placed.node
        if not isinstance(node, ast.ClassDef):
            return
        lineage = self._lineage(node)
        methods = _methods(lineage)
        scope = Scope(node.body, self._module.scope)
        place = self._module.body.place._replace(scope=scope)
        body = self._module.body._replace(place=place, methods=methods)
        effects = (
            *inherited,
            *placed.effects,
            *self._module.changes.get(node.name, ()),
            *self._class_effects(lineage),
            *self._setup_effects(methods, body),
            *self._not_collected(node, lineage, methods),
            *run_effects(methods),
        )
        set_aside = self._set_aside(lineage)
        inside = changes(node.body, place, methods)
        if not any(is_certain(effect) for effect in effects):
            self.foreign_bases.update(lineage.foreign_bases)
        for name, function in methods.items():
            is_helper = not name.startswith("test") and is_fixture(function, scope)
            if name in _SETUPS or name.startswith("__") or is_helper:
                continue
            more = (
                *inside.get(name, ()),
                *(one._replace(condition="") for names, one in set_aside if name in names),
                *(_once(one) for names, one in set_aside if not names),
                *_never_awaited(function, lineage, methods, self._module.scope),
            )
            yield self._unit(f"{prefix}{node.name}::{name}", node, function, (*effects, *more), body)
        for inner in node.body:
            if isinstance(inner, ast.ClassDef) and not lineage.is_test_case:
                yield from self.units(Placed(inner, ()), f"{prefix}{node.name}::", effects)

    def offered(self, node: ast.ClassDef) -> Iterator[Effect]:
        """What a class does to the tests of those that inherit from it: markers and set-up."""
        lineage = self._lineage(node)
        methods = _methods(lineage)
        place = self._module.body.place._replace(scope=Scope(node.body, self._module.scope))
        yield from self._class_effects(lineage)
        yield from self._setup_effects(methods, self._module.body._replace(place=place, methods=methods))
        yield from run_effects(methods)
        if OF_SUBCLASSES in methods:
            for names, effect in subclass_effects(methods[OF_SUBCLASSES], place):
                told = f"name in {names!r}" if names else effect.condition
                yield effect._replace(state=CONDITIONAL if told else effect.state, condition=told)

    def _set_aside(self, lineage: _Lineage) -> tuple[tuple[tuple[str, ...], Effect], ...]:
        """What classes above do to the tests of a class as it is made."""
        methods = _methods(lineage._replace(classes=lineage.classes[1:]))
        if OF_SUBCLASSES not in methods:
            return ()
        return tuple(subclass_effects(methods[OF_SUBCLASSES], self._module.body.place))

    def taken(self, node: ast.ClassDef) -> tuple[tuple[ast.expr, ...], tuple[ast.expr, ...], tuple[Function, ...]]:
        """What decides for the tests of a class by other names: marks, foreign base classes, set-up functions."""
        lineage = self._lineage(node)
        marks = (
            mark
            for one in lineage.classes
            for mark in (*one.decorator_list, *(value for value in _values_of(one, "pytestmark")))
        )
        setups = (function for name, function in _methods(lineage).items() if name in _SETUPS)
        return tuple(marks), lineage.foreign, tuple(setups)

    def _unit(
        self, qualified: str, owner: ast.ClassDef, function: Function, effects: tuple[Effect, ...], body: Body
    ) -> Unit:
        own = (
            *self._module.changes.get(f"{owner.name}.{function.name}", ()),
            *decorator_effects(function.decorator_list, body),
            *self._module.fixture_effects(function),
            *self._effects_of(function, body),
        )
        if not function.name.startswith("test"):
            own = (*own, Effect(NOT_COLLECTED, FUNCTION_NAME, function.lineno))
        return Unit(qualified, function, (*effects, *own), is_branched=False, body=body, owner=owner)

    def _effects_of(self, function: Function, body: Body) -> tuple[Effect, ...]:
        """What a method does to itself; found once for all classes in which it calls the same methods."""
        seen = self._done.get(function)
        if seen is None:
            self._done[function] = seen = (function_effects(function, body), body.methods)
            return seen[0]
        if function not in self._own_calls:
            self._own_calls[function] = _own_calls(function)
        if all(seen[1].get(name) is body.methods.get(name) for name in self._own_calls[function]):
            return seen[0]
        return function_effects(function, body)

    def _lineage(self, node: ast.ClassDef) -> _Lineage:
        classes: list[ast.ClassDef] = []
        foreign: list[str] = []
        nodes: list[ast.expr] = []
        is_test_case = False
        queue = [node]
        while queue and len(classes) < _MAX_ANCESTORS:
            current = queue.pop(0)
            if current in classes:
                continue
            classes.append(current)
            for base in current.bases:
                target = base.value if isinstance(base, ast.Subscript) else base
                definition = self._module.scope.definition(target)
                name = self._module.scope.dotted(target) or (target.id if isinstance(target, ast.Name) else "")
                if isinstance(definition, ast.ClassDef):
                    queue.append(definition)
                elif name not in _PLAIN_BASES:
                    is_test_case = is_test_case or name.endswith("TestCase")
                    foreign.append(last_name(target))
                    nodes.append(target)
        return _Lineage(tuple(classes), is_test_case, tuple(foreign), tuple(nodes))

    def _class_effects(self, lineage: _Lineage) -> Iterator[Effect]:
        """Markers of the class and its ancestors. The nearest `__test__` decides; the rest adds up."""
        has_test_flag = False
        for node in lineage.classes:
            scope = Scope(node.body, self._module.scope)
            place = self._module.body.place._replace(scope=scope)
            yield from mark_effects(node.decorator_list, self._module.body.place)
            held = (part for value in _values_of(node, "pytestmark") for part in pytestmark_parts(value, scope))
            yield from self._module.used_effects((*node.decorator_list, *held))
            for effect in marker_effects(node.body, place):
                if not (has_test_flag and effect.marker.startswith("__test__")):
                    yield effect
            has_test_flag = has_test_flag or _sets(node, "__test__")

    def _setup_effects(self, methods: dict[str, Function], body: Body) -> Iterator[Effect]:
        for name, function in methods.items():
            if name in _SETUPS or (is_fixture(function, body.place.scope) and is_autouse(function, body.place.scope)):
                yield from setup_effects(function, body)

    def _not_collected(self, node: ast.ClassDef, lineage: _Lineage, methods: dict[str, Function]) -> Iterator[Effect]:
        if lineage.is_test_case:
            return
        if not node.name.startswith("Test") and not lineage.foreign_bases:
            yield Effect(NOT_COLLECTED, CLASS_NAME, node.lineno)
        for name in _CONSTRUCTORS:
            if name in methods and not lineage.foreign_bases:
                yield Effect(NOT_COLLECTED, f"{name} in a test class", methods[name].lineno)


def _methods(lineage: _Lineage) -> dict[str, Function]:
    """The methods that instances have: the last definition of a name in the nearest class that has one."""
    found: dict[str, Function] = {}
    for node in reversed(lineage.classes):
        for statement, _ in flat(node.body):
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                found[statement.name] = statement
    return found


def _once(effect: Effect) -> Effect:
    """An effect with conditions, as one that may happen."""
    return effect._replace(state=CONDITIONAL) if effect.condition else effect


def _never_awaited(
    function: Function, lineage: _Lineage, methods: Mapping[str, Function], scope: Scope
) -> Iterator[Effect]:
    """An `async def` that nothing awaits: a plain test case calls it, and what it would check stays undone."""
    if not isinstance(function, ast.AsyncFunctionDef) or function.decorator_list:
        return
    is_decorated = any(one.decorator_list for one in lineage.classes)
    has_own_way = is_decorated or not _OWN_WAYS.isdisjoint(methods)
    if lineage.foreign and not has_own_way and all(scope.dotted(one) in _PLAIN_CASES for one in lineage.foreign):
        yield Effect(SKIPPED, "async def, which unittest.TestCase never awaits", function.lineno)
        return
    names = [*lineage.foreign_bases, *(one.name for one in lineage.classes)]
    if any("async" in name.lower() for name in names) or not any(name.endswith(_CASES) for name in names):
        return
    awaits = any(isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith) for node in nodes_of(function))
    if not awaits and "TestCase" in lineage.foreign_bases:
        yield Effect(SKIPPED, "async def, which nothing awaits", function.lineno)
    elif not awaits:  # a base of another name may be one that awaits, as those of frameworks of the network are
        yield Effect(CONDITIONAL, "async def", function.lineno, "no base class awaits it")


def _own_calls(function: Function) -> frozenset[str]:
    """The names of the methods that a method calls on its own instance or class."""
    called = (node.func for node in nodes_of(function) if type(node) is ast.Call)
    return frozenset(
        one.attr
        for one in called
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in ("self", "cls")
    )


def _values_of(node: ast.ClassDef, name: str) -> Iterator[ast.expr]:
    for statement in node.body:
        if isinstance(statement, ast.Assign) and _sets_in(statement, name):
            yield statement.value


def _sets_in(statement: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)


def _sets(node: ast.ClassDef, name: str) -> bool:
    return any(True for _ in _values_of(node, name))
