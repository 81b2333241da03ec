"""Methods by which a test case keeps its own tests from running: `run`, and what `__init_subclass__` does to them.

Both stand in a class and hold for all tests of it and of those that inherit from it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.inventory import CONDITIONAL, NOT_COLLECTED, RUNS, SKIPPED
from agentgate_git.source.nodes import last
from agentgate_git.source.python.conditions import negated
from agentgate_git.source.python.effects import Effect, written
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.marks import Place, mark_effects
from agentgate_git.source.python.names import Function

RUNS_A_TEST = ("run", "__call__", "_callTestMethod", "debug", "runTest")
OF_SUBCLASSES = "__init_subclass__"

_FUEL = 20

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Guards = tuple[ast.expr | str, ...]


def run_effects(methods: Mapping[str, Function]) -> Iterator[Effect]:
    """What `run` and its like do to tests where a way through them leads past what they stand for."""
    for name in RUNS_A_TEST:
        function = methods.get(name)
        if function is None or name == "runTest":
            continue
        told = f"{name}(), which leaves without running the test"
        yield from _past(list(_ways(function.body, (), _FUEL, _runs)), told)


def wrapper_effects(wrapper: Function, wrapped: str) -> Iterator[Effect]:
    """What a function that a decorator puts in place of a test does, where a way through it calls no `wrapped`."""

    def calls(statement: ast.stmt) -> bool:
        return any(isinstance(node, ast.Name) and node.id == wrapped for node in ast.walk(statement))

    ways = list(_ways(wrapper.body, (), _FUEL, calls))
    if not any(isinstance(one, str) for _, guards, _ in ways for one in guards):  # how often a loop goes round is open
        yield from _past(ways, "a wrapper, which leaves without calling the test")


def _past(ways: list[tuple[bool, Guards, int]], told: str) -> Iterator[Effect]:
    """What the ways through a function mean for the test that it is there to run."""
    if not any(is_run for is_run, _, _ in ways):
        return  # another way to run altogether, which nothing here tells
    if len(ways) == 1 and ways[0][1]:
        _, guards, line = ways[0]  # there is no other way than past the test
        held = [written(negated(one)) for one in guards if not isinstance(one, str)]
        yield Effect(CONDITIONAL, told, line, "; ".join(held) or str(guards[0]))
        return
    for is_run, guards, line in ways:
        if is_run:
            continue
        if guards:
            condition = "; ".join(one if isinstance(one, str) else written(one) for one in guards)
            yield Effect(CONDITIONAL, told, line, condition)
        else:
            yield Effect(SKIPPED, told, line)


def _ways(
    statements: Iterable[ast.stmt], guards: Guards, fuel: int, runs: Callable[[ast.stmt], bool]
) -> Iterator[tuple[bool, Guards, int]]:
    """Where a function runs the test, and where it leaves before: each with its conditions.

    What follows either is not looked at: the test has run by then, or does not.
    """
    for statement in statements if fuel else ():
        found: list[tuple[bool, Guards, int]] = []
        ends = [guards]
        match statement:
            case ast.If(test=test, body=then, orelse=otherwise):
                ends = [(*guards, test), (*guards, negated(test))]
                found += _ways(then, ends[0], fuel - 1, runs)
                found += _ways(otherwise, ends[1], fuel - 1, runs)
            case ast.With(body=body) | ast.AsyncWith(body=body):
                found += _ways(body, guards, fuel - 1, runs)
            case ast.Try(body=body, handlers=handlers, orelse=otherwise, finalbody=final):
                found += _ways([*body, *otherwise, *final], guards, fuel - 1, runs)
                del handlers
            case ast.For(iter=items, body=body):
                found += _ways(body, (*guards, f"for each of {written(items)}"), fuel - 1, runs)
            case _ if runs(statement):
                found.append((True, guards, statement.lineno))
            case ast.Return() | ast.Raise():
                found += [(False, guards, statement.lineno)] if isinstance(statement, ast.Return) else []
                yield from found
                return
        yield from found
        if all(any(len(known) == len(one) and known[-1:] == one[-1:] for _, known, _ in found) for one in ends):
            return


def _runs(statement: ast.stmt) -> bool:
    """True for a statement that hands the test on: to the class above, to its own name, to what the test is."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Call):
            called = node.func
            name = last(called)
            if name in ("super", "_testMethodName", "getattr") or name in RUNS_A_TEST or "run" in name.lower():
                return True
    return False


def subclass_effects(function: Function, place: Place) -> Iterator[tuple[tuple[str, ...], Effect]]:
    """What a method does to attributes of its first argument: the names where they are known, none for all of them."""
    given = function.args.args[0].arg if function.args.args else ""
    for statement, guards in _nested(function.body, (), _FUEL):
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=owner), name, value])):
                is_own = owner == given
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attribute)], value=value):
                is_own, name = owner == given, ast.copy_location(ast.Constant(attribute), value)
            case _:
                continue
        stops = _stops(value, place) if is_own else None
        if stops is not None:
            names = _names(name, guards, place)
            conditions = [one if isinstance(one, str) else written(one) for one in guards]
            yield names, stops._replace(condition="; ".join(conditions))


def _stops(value: ast.expr, place: Place) -> Effect | None:
    """What an attribute becomes, if that is no test any more."""
    if isinstance(value, ast.Constant) and value.value is None:
        return Effect(NOT_COLLECTED, "setattr() to None", value.lineno)
    found = [one for one in mark_effects([value], place) if one.state not in (RUNS, CONDITIONAL)]
    return found[0] if found else None


def _names(name: ast.expr, guards: Guards, place: Place) -> tuple[str, ...]:
    """The names that are set, as far as they stand there: one by itself, or those of the loop around it."""
    known = fold(name, place.scope.constant)
    if isinstance(known, str):
        return (known,)
    texts: list[str] = []
    for guard in guards:
        node = _listed(guard) if not isinstance(guard, str) else None
        if node is not None:
            values = fold(node, place.scope.constant)
            texts += [one for one in values if isinstance(one, str)] if isinstance(values, list | tuple | set) else []
    return tuple(texts)


def _listed(guard: ast.expr) -> ast.expr | None:
    match guard:
        case ast.Compare(ops=[ast.In()], comparators=[held]):
            return held
        case ast.Compare(ops=[ast.Eq()], comparators=[ast.Constant(value=str()) as one]):
            return ast.copy_location(ast.Tuple([one], ast.Load()), one)
        case _:
            return None


def _nested(statements: Iterable[ast.stmt], guards: Guards, fuel: int) -> Iterator[tuple[ast.stmt, Guards]]:
    for statement in statements if fuel else ():
        match statement:
            case ast.If(test=test, body=then, orelse=otherwise):
                yield from _nested(then, (*guards, *([] if _asks_for_method(test) else [test])), fuel - 1)
                yield from _nested(otherwise, (*guards, negated(test)), fuel - 1)
            case ast.For(target=ast.Name() as target, iter=ast.Tuple() | ast.List() | ast.Set() | ast.Name() as items):
                held = ast.copy_location(ast.Compare(target, [ast.In()], [items]), items)
                yield from _nested(statement.body, (*guards, held), fuel - 1)
            case ast.For(body=body) | ast.With(body=body):
                yield from _nested(body, guards, fuel - 1)
            case _:
                yield statement, guards


def _asks_for_method(test: ast.expr) -> bool:
    """True for a question that every test answers with yes: is there such a method, can it be called."""
    match test:
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.Call(func=ast.Name(id="callable" | "hasattr")):
            return True
        case ast.Call(func=ast.Attribute(attr="startswith"), args=[ast.Constant(value="test" | "test_")]):
            return True
        case _:
            return False
