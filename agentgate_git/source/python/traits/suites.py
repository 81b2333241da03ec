"""Runners of unittest that a project writes itself: which tests they load, and what they make of the result."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from agentgate_git.model.facts import Trait
from agentgate_git.source.nodes import last
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.names import Function, flat
from agentgate_git.source.python.traits.hooks import COLLECTION, OPEN, OUTCOME
from agentgate_git.source.python.walk import TEST, Spot

CASE = "suite.case"
RESULT = "exit.result"

_LOADS = frozenset(
    ("loadTestsFromTestCase", "makeSuite", "loadTestsFromModule", "getTestCaseNames", "loadTestsFromName")
)
_PREFIX = "testMethodPrefix"
_PATTERNS = "testNamePatterns"
# A module of tests by the names that runners look for, and how such a pattern is written.
_ANY_TEST = ("test_qzx.py", "qzx_test.py", "testqzx.py", "tests.py", "qzx_tests.py", "qzxtests.py", "tests_qzx.py")
_KNOWN = ("test", "test_", "it_", "should_")
_RESULT = frozenset(("errors", "failures", "testsfailed"))
_WHOLE = ("wasSuccessful", "successful", "returncode", "exitcode")
_FAILURES = frozenset(("addFailure", "addError", "addSubTest", "addUnexpectedSuccess"))
_SOFTENED = frozenset(("addSuccess", "addExpectedFailure", "addSkip"))
_KEPT = frozenset((*_FAILURES, "append", "extend", "fail", "stop"))


def suite_traits(statement: ast.stmt, calls: Iterable[ast.Call], spot: Spot) -> Iterator[Trait]:
    """What one statement of a runner of tests says about which tests it takes, and about how they ended."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if last(target) == _PREFIX:
                    yield from _prefixed(value, statement, spot)
                elif last(target) == _PATTERNS and not (isinstance(value, ast.Constant) and value.value is None):
                    yield _trait(COLLECTION, statement, spot, f"{_PATTERNS} = {written(value, 80)}")
        case ast.FunctionDef(name=name) if name in _FAILURES and spot.owner and spot.function is None:
            if _softens(statement):
                yield _trait(OUTCOME, statement, spot, f"{name} is overridden and counts a failure for something else")
        case ast.Expr(value=ast.Call(func=called, args=[status])) if last(called) in ("exit", "_exit"):
            yield from _left(status, statement, spot)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Attribute(attr=part), attr="clear" | "pop"))):
            if part in _RESULT and spot.when != TEST:
                yield _trait(OUTCOME, statement, spot, f"{part} of a result are taken away")
        case ast.Raise(exc=ast.Call(func=called, args=[status])) if last(called) == "SystemExit":
            yield from _left(status, statement, spot)
        case ast.Return(value=status) if status is not None and spot.function is not None:
            yield from _left(status, statement, spot)
    for call in calls:
        name = last(call.func)
        if name == "discover":
            yield from _discovered(call, spot)
        elif name in _LOADS and call.args:
            yield _trait(CASE, call, spot, written(call.args[0], 80))


def runner_traits(function: Function, spot: Spot) -> Iterator[Trait]:
    """What a runner of Django's that a project writes itself answers in the place of how many tests failed."""
    if spot.function is not None or not spot.owner:
        return
    returned = [one.value for one, _ in flat(function.body) if isinstance(one, ast.Return)]
    if function.name == "suite_result":
        kept = (one for one in returned if one is not None and not _asks_above(one, function.name))
        for value in kept:
            names = {node.attr for node in ast.walk(value) if isinstance(node, ast.Attribute)}
            if "failures" not in names and names.isdisjoint(_WHOLE):
                yield _trait(RESULT, value, spot, f"suite_result returns {written(value, 80)}")
        if not any(one is not None for one in returned):
            yield _trait(RESULT, function, spot, "suite_result returns nothing")
    elif function.name == "run_tests" and any(_asks_above(one, "run_tests") for one in function.body):
        constants = (one for one in returned if isinstance(one, ast.Constant) and not one.value)
        yield from (_trait(RESULT, one, spot, f"run_tests returns {written(one, 80)}") for one in constants)


def _asks_above(node: ast.AST, name: str) -> bool:
    """True where the method of the class above is called."""
    return any(
        isinstance(one, ast.Call) and last(one.func) == name and "super" in written(one.func, 80)
        for one in ast.walk(node)
    )


def _prefixed(value: ast.expr, statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    prefix = fold(value, spot.scope.constant)
    if prefix not in _KNOWN:
        is_open = prefix is UNKNOWN
        yield _trait(COLLECTION + OPEN if is_open else COLLECTION, statement, spot, f"{_PREFIX} = {written(value, 60)}")


def _discovered(call: ast.Call, spot: Spot) -> Iterator[Trait]:
    """A pattern by which only some modules of tests are loaded."""
    given = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "pattern")]
    for node in given:
        pattern = fold(node, spot.scope.constant)
        if isinstance(pattern, str) and not any(fnmatchcase(one, pattern) for one in _ANY_TEST):
            is_open = "test" not in pattern.lower()
            kind = COLLECTION + OPEN if is_open else COLLECTION
            yield _trait(kind, call, spot, f"discover loads only {pattern}")


def _softens(function: Function) -> bool:
    """True for a method that hands a failure on as something else, and does not tell it as one."""
    calls = [node for statement in function.body for node in ast.walk(statement) if isinstance(node, ast.Call)]
    names = {last(call.func) for call in calls}
    return not names.isdisjoint(_SOFTENED) and names.isdisjoint(_KEPT)


def _left(status: ast.expr, statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """An exit status that is made of a part of the result: errors without failures, or the other way round."""
    names = {node.attr for node in ast.walk(status) if isinstance(node, ast.Attribute)}
    called = {node.id for node in ast.walk(status) if isinstance(node, ast.Name)}
    parts = names & _RESULT
    if len(parts) == 1 and "testsfailed" not in parts and names.isdisjoint(_WHOLE) and called.isdisjoint(_WHOLE):
        is_status = not isinstance(statement, ast.Return) or isinstance(status, ast.IfExp | ast.Compare | ast.Call)
        if is_status:
            yield _trait(RESULT, statement, spot)


def _trait(kind: str, node: ast.AST, spot: Spot, what: str = "") -> Trait:
    return Trait(kind, what or written(node, 120), getattr(node, "lineno", 1), spot.owner)
