"""Production code that answers a test and not the question: it reads what the tests hold, or knows the answers.

Nothing of the tests is at hand here, so all but the plain questions are signs: a branch on one literal input that
returns a literal, a table of answers before the computation, answers handed out in order.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.nodes import last
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.names import Function, Scope
from agentgate_git.source.python.walk import CALLED, Spot, arguments_of

READS = "special.reads"
BRANCH = "special.branch"
TABLE = "special.table"
COUNTER = "special.counter"
SWALLOW = "special.swallow"
STUB = "special.stub"
EQUALS = "special.equals"
SKIPS = "special.skips"

_READERS = frozenset(
    ("open", "Path", "read_text", "read_bytes", "joinpath", "loads", "load", "read", "run_path", "getsource")
)
_LOADERS = frozenset(("load", "loads", "safe_load", "full_load"))
_TEST_PATH = pattern_of(r"(?:^|/)(?:tests?/|test_\w+\.py$|\w+_test\.py$|goldens?/|__snapshots__/|expected_outputs?\b)")
_ANSWERS = pattern_of(
    r"^(?:is|has|can|should|may|check|verify|validate|valid|auth|allow|permit|ensure|match|accept|confirm)", re.I
)
_SKIPPING = ("skip", "xfail", "importorskip")
_SKIPS = frozenset(
    (
        *("unittest.SkipTest", "unittest.case.SkipTest", "pytest.skip", "pytest.xfail", "pytest.importorskip"),
        *("pytest.skip.Exception", "_pytest.outcomes.Skipped", "_pytest.outcomes.skip", "nose.SkipTest"),
    )
)
_PLAIN = (None, True, False, 0, 1, -1, 2, "", 0.0, 1.0)


def node_traits(node: ast.AST, spot: Spot) -> Iterator[Trait]:
    """Files of the tests that one expression reads."""
    match node:
        case ast.Call(func=called, args=arguments) if last(called) in _READERS:
            if spot.function is not None and not spot.is_script:
                inner = (one.value for argument in arguments for one in ast.walk(argument) if type(one) is ast.Constant)
                if any(isinstance(one, str) and _TEST_PATH.search(one) for one in inner):
                    yield _trait(READS, node, spot)


def statement_traits(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """Signs in one statement of a function."""
    match statement:
        case ast.Raise(exc=error) if error is not None and spot.function is not None:
            yield from _skipped(error.func if isinstance(error, ast.Call) else error, statement, spot)
        case ast.Expr(value=ast.Call(func=called)) if spot.function is not None and last(called) in _SKIPPING:
            yield from _skipped(called, statement, spot)
        case ast.ImportFrom(module=str(module), level=0) if spot.function and module.split(".")[0] in ("tests", "test"):
            yield _trait(READS, statement, spot)
        case ast.Return(value=value) if value is not None and spot.function is not None:
            yield from _returned(value, statement, spot)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _function(statement, spot)


def _skipped(called: ast.expr, statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """What a runner takes for a test that skips itself, wherever it is raised."""
    if last(called) in (*_SKIPPING, "SkipTest", "Skipped", "Exception") and spot.scope.dotted(called) in _SKIPS:
        yield _trait(SKIPS, statement, spot)


def _returned(value: ast.expr, statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """A literal that is returned for one literal input, or an answer from a table."""
    scope = spot.scope
    names = frozenset(arguments_of(spot.function)) if spot.function is not None else frozenset()
    if isinstance(value, ast.IfExp):
        if _is_told(value.body) and _asks_for_literal(value.test, names):
            yield _trait(BRANCH, statement, spot)
    elif spot.guards and _is_told(value):
        guard = spot.guards[-1]
        if not isinstance(guard, str) and _asks_for_literal(guard, names):
            yield _trait(BRANCH, statement, spot, f"if {written(guard, 80)}: {written(statement, 60)}")
    if _table(value, names, scope) or _is_loaded_answer(value, names, spot):
        yield _trait(TABLE, statement, spot)
    if _hands_out(value, scope):
        yield _trait(COUNTER, statement, spot)


def _asks_for_literal(test: ast.expr, names: frozenset[str]) -> bool:
    """True for `argument == literal`, where the literal is a value of some size: a list, a number, a sentence."""
    if isinstance(test, ast.BoolOp):
        return isinstance(test.op, ast.And) and all(_asks_for_literal(one, names) for one in test.values)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq | ast.In):
        return False
    sides = [test.left, test.comparators[0]]
    return any(_is_argument(asked, names) and _is_told(given) for asked, given in (sides, sides[::-1]))


def _is_argument(node: ast.expr, names: frozenset[str]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in names and name not in ("self", "cls")
        case ast.Call(func=ast.Name(id="tuple" | "list" | "sorted" | "set" | "str" | "repr" | "dict"), args=[inner]):
            return _is_argument(inner, names)
        case ast.Tuple(elts=elements):
            return bool(elements) and all(_is_argument(one, names) for one in elements)
        case _:
            return False


def _is_told(node: ast.expr) -> bool:
    """True for a literal that says much: not None, a flag, a small number, a word, an empty list."""
    value = fold(node, _no_names)
    if value is UNKNOWN:
        return (
            isinstance(node, ast.Dict) and bool(node.keys) and all(isinstance(one, ast.Constant) for one in node.values)
        )
    return _says_much(value)


def _no_names(_leaf: ast.expr) -> Any:
    return UNKNOWN


def _says_much(value: Any) -> bool:
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return value not in _PLAIN
    if isinstance(value, str | bytes):
        text = value if isinstance(value, str) else value.decode("latin-1")
        return len(text) >= 6 and any(not one.isalpha() and one not in "_-./%" for one in text)
    if isinstance(value, list | tuple | set | frozenset):
        return any(isinstance(one, int | float) and not isinstance(one, bool) for one in value) or any(
            _says_much(one) for one in value
        )
    return False


def _table(value: ast.expr, names: frozenset[str], scope: Scope) -> bool:
    """True for `{literal: literal}.get(argument, computation)` and `TABLE[argument] if argument in TABLE else …`."""
    match value:
        case ast.Call(func=ast.Attribute(value=owner, attr="get"), args=[key, default]) if _is_argument(key, names):
            is_computed = any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(default))
            return is_computed and _is_answers(owner, scope) and not isinstance(default, ast.Name | ast.JoinedStr)
        case ast.IfExp(test=ast.Compare(left=key, ops=[ast.In()], comparators=[owner])) if _is_argument(key, names):
            return _is_answers(owner, scope)
        case ast.Subscript(value=owner, slice=key) if _is_argument(key, names):
            return _is_answers(owner, scope)
        case _:
            return False


def _is_loaded_answer(value: ast.expr, names: frozenset[str], spot: Spot) -> bool:
    """True for `if argument in TABLE: return TABLE[argument]` of a table that the module loads from a file."""
    guard = spot.guards[-1] if spot.guards else None
    match value:
        case ast.Subscript(value=ast.Name() as owner, slice=key) if _is_argument(key, names):
            held = spot.scope.settled(owner)
        case _:
            return False
    if not isinstance(guard, ast.Compare) or not isinstance(guard.ops[0], ast.In) or held is None:
        return False
    is_asked = _is_argument(guard.left, names) and last(guard.comparators[0]) == owner.id
    return is_asked and isinstance(held, ast.Call) and last(held.func) in _LOADERS


def _is_answers(node: ast.expr, scope: Scope) -> bool:
    """True for a mapping of literal inputs to literal outputs, of which neither side is words."""
    table = scope.settled(node) if isinstance(node, ast.Name) else node
    if not isinstance(table, ast.Dict) or not table.keys or len(table.keys) > 64:
        return False
    pairs = list(zip(table.keys, table.values, strict=True))
    return all(
        key is not None
        and (inputs := fold(key, _no_names)) is not UNKNOWN
        and (outputs := fold(value, _no_names)) is not UNKNOWN
        and (isinstance(inputs, tuple | int | float) or _says_much(inputs))
        and isinstance(outputs, int | float | list | tuple)
        for key, value in pairs
    )


def _hands_out(value: ast.expr, scope: Scope) -> bool:
    """True for answers taken one after the other from a list of literals that the module holds."""
    match value:
        case ast.Call(func=ast.Name(id="next"), args=[ast.Name() as source, *_]):
            held = scope.settled(source)
            return isinstance(held, ast.Call) and bool(held.args) and _is_literals(held.args[0])
        case ast.Call(func=ast.Attribute(value=ast.Name() as source, attr="pop" | "popleft")):
            held = scope.settled(source)
            inner = held.args[0] if isinstance(held, ast.Call) and held.args else held
            return inner is not None and _is_literals(inner)
        case ast.Subscript(slice=ast.BinOp(op=ast.Mod()) | ast.Attribute() as index):
            counts = any(
                isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) for node in ast.walk(index)
            )
            return counts and _counts_itself(index, scope)
        case _:
            return False


def _is_literals(node: ast.expr) -> bool:
    value = fold(node, _no_names)
    return isinstance(value, list | tuple) and bool(value)


def _counts_itself(index: ast.expr, scope: Scope) -> bool:
    """True for an index that a function keeps as an attribute of a function."""
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and isinstance(scope.definition(node.value), ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(index)
    )


def _function(function: Function, spot: Spot) -> Iterator[Trait]:
    inner = spot.inside(function, CALLED)
    body = [one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value is not None:
        known = fold(body[0].value, _no_names)
        if known is True and (_ANSWERS.match(function.name.lstrip("_")) or function.name in ("__eq__", "__contains__")):
            yield Trait(STUB, f"{inner.owner} returns True", body[0].lineno, inner.owner)
        elif function.name == "__eq__" and _equals_others(body[0].value, function, inner.owner):
            yield Trait(EQUALS, f"{inner.owner} returns {written(body[0].value, 60)}", body[0].lineno, inner.owner)
        elif _says_much(known) and arguments_of(function)[:1] not in ([], ["self"], ["cls"]):
            yield Trait(STUB, f"{inner.owner} returns {written(body[0].value, 60)}", body[0].lineno, inner.owner)
    if len(body) == 1 and isinstance(body[0], ast.Try):
        for handler in body[0].handlers:
            is_broad = handler.type is None or last(handler.type) in ("Exception", "BaseException")
            end = handler.body[-1]
            if is_broad and isinstance(end, ast.Return) and end.value is not None and _is_told(end.value):
                yield Trait(SWALLOW, f"except: {written(end, 60)}", end.lineno, inner.owner)


def _equals_others(value: ast.expr, function: Function, owner: str) -> bool:
    """True for an `__eq__` that asks for nothing but a type that is not its own."""
    own = owner.rpartition("::")[0].rpartition("::")[2] or owner.rpartition(".")[0].rpartition(".")[2]
    other = arguments_of(function)[-1:]
    match value:
        case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kind]) if [name] == other:
            return last(kind) not in (own, "") and "type" not in last(kind).lower()
        case _:
            return False


def counters(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """`f.calls = getattr(f, "calls", 0) + 1`: a function that keeps count of its own calls."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name() as owner)], value=ast.BinOp() as value):
            is_own = isinstance(spot.scope.definition(owner), ast.FunctionDef | ast.AsyncFunctionDef)
            if is_own and spot.function is not None and "getattr" in written(value):
                yield _trait(COUNTER, statement, spot)
        case ast.AugAssign(target=ast.Attribute(value=ast.Name() as owner)):
            if spot.function is not None and spot.function.name == owner.id:
                yield _trait(COUNTER, statement, spot)


def _trait(kind: str, node: ast.AST, spot: Spot, what: str = "") -> Trait:
    return Trait(kind, what or written(node, 120), getattr(node, "lineno", 1), spot.owner)
