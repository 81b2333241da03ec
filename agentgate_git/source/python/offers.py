"""What a Python file of the tests offers to others that skips, and what its own tests take from others.

An offer is a mark, a decorator, a helper or a base class by its name at module level, with what it does to a test.
What is taken is named as the import names it (`tests.marks.slow`, `.helpers.need_db`), after a word for how.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import (
    AS_BASE,
    AS_CALL,
    AS_MARK,
    AS_MARKED,
    AS_NAME,
    AS_ROW,
    AS_TAG,
    AS_TEXT,
    AS_VALUE,
    IF_COMPARED,
    IF_FALSE,
    IF_TRUE,
    RUNS,
    Offer,
    Standing,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.bodies import EARLY_RETURN, function_effects
from agentgate_git.source.python.classes import ClassReader
from agentgate_git.source.python.effects import Effect, total, written
from agentgate_git.source.python.marks import last_name, pytestmark_parts
from agentgate_git.source.python.module import ModuleFacts, decorator_effects
from agentgate_git.source.python.names import Function, Scope, flat
from agentgate_git.source.python.waits_for import asks_of

_STEPS_PER_NAME = 20
_KNOWN = frozenset(
    ("pytest", "unittest", "_pytest", "hypothesis", "mock", "typing", "functools", "contextlib", "abc", "asyncio")
)

# Marks of pytest itself, which choose no tests.
_BUILT_IN = frozenset(("skip", "skipif", "xfail", "parametrize", "usefixtures", "filterwarnings"))
_VERSION = pattern_of(r"\d+(?:\.\d+)+[\w.+-]{0,20}")
_CONSTANTS = frozenset((AS_VALUE, AS_TEXT))
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_TAGS = frozenset(("django.test.tag", "django.test.utils.tag"))


def offers(module: ModuleFacts, classes: ClassReader) -> tuple[Offer, ...]:
    """What the module offers under names of its own; tests and fixtures are no offers."""
    found: dict[tuple[str, str], Offer] = {}
    open_names: set[str] = set()
    for statement, is_nested in flat(module.statements):
        for offer in _offered(statement, module, classes):
            module.scope.spend(_STEPS_PER_NAME)
            if offer.how in _CONSTANTS and (is_nested or (offer.name, offer.how) in found):
                open_names.add(offer.name)  # a branch decides what it is
            found[offer.name, offer.how] = offer
    return tuple(one for one in found.values() if one.how not in _CONSTANTS or one.name not in open_names)


def _offered(statement: ast.stmt, module: ModuleFacts, classes: ClassReader) -> Iterator[Offer]:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
            if value is None or isinstance(value, bool | int):
                yield Offer(name, AS_VALUE, Standing(RUNS, str(bool(value)), statement.lineno))
            elif isinstance(value, str) and _VERSION.fullmatch(value):
                yield Offer(name, AS_TEXT, Standing(RUNS, value, statement.lineno))
        case ast.Assign(targets=[ast.Name(id=name)]) if name != "pytestmark":
            yield from _as_mark(name, statement, module)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            if name.startswith(("test", "pytest_")) or module.is_fixture(statement):
                return
            yield from _as_mark(name, statement, module)
            done = (one for one in function_effects(statement, module.body) if one.marker != EARLY_RETURN)
            yield _offer(name, AS_CALL, done, statement, module)
        case ast.ClassDef(name=name):
            yield _offer(name, AS_BASE, classes.offered(statement), statement, module)
        case ast.ImportFrom(module=source, names=names, level=level):
            package = "." * level + (source or "")
            for one in names if package.partition(".")[0] not in _KNOWN else ():
                if one.name != "*":
                    stands = Standing(RUNS, "", statement.lineno)
                    yield Offer(one.asname or one.name, AS_NAME, stands, f"{package}.{one.name}")


def _as_mark(name: str, statement: ast.Assign | Function, module: ModuleFacts) -> Iterator[Offer]:
    if not isinstance(statement, ast.Assign):
        parts: list[ast.expr] = [ast.copy_location(ast.Name(name), statement)]
    elif isinstance(statement.value, ast.Call | ast.Attribute | ast.List | ast.Tuple | ast.Name | ast.BinOp):
        parts = pytestmark_parts(statement.value, module.scope)
    else:
        return
    yield _offer(name, AS_MARK, decorator_effects(parts, module.body), statement, module)


def _offer(name: str, how: str, effects: Iterable[Effect], statement: ast.stmt, module: ModuleFacts) -> Offer:
    one = total(effects, statement.lineno)
    return Offer(name, how, Standing(one.state, one.marker, one.line, one.condition), asks=asks_of(one, module))


def marks_taken(nodes: Iterable[ast.expr], scope: Scope) -> Iterator[str]:
    """What decorators and `pytestmark` values take from other files."""
    for node in nodes:
        for part in pytestmark_parts(node, scope):
            called = part.func if isinstance(part, ast.Call) else part
            yield from _taken(AS_MARK, called, scope)
            yield from _tags(part, scope)


def _tags(part: ast.expr, scope: Scope) -> Iterator[str]:
    """The words by which a run chooses tests: a mark of pytest, tags of Django."""
    name = scope.dotted(part.func if isinstance(part, ast.Call) else part)
    mark = name.removeprefix("pytest.mark.")
    if mark != name and mark not in _BUILT_IN and "." not in mark:
        yield f"{AS_MARKED} {mark}"
    elif name in _TAGS and isinstance(part, ast.Call):
        texts = (one.value for one in part.args if isinstance(one, ast.Constant))
        yield from (f"{AS_TAG} {one}" for one in texts if isinstance(one, str) and one.isidentifier())


def rows_taken(decorators: Iterable[ast.expr], scope: Scope) -> Iterator[str]:
    """The marks of other files on single rows of parameters, each with its row."""
    for decorator in decorators:
        if not isinstance(decorator, ast.Call) or last_name(decorator) != "parametrize":
            continue
        given = [*decorator.args[1:2], *(one.value for one in decorator.keywords if one.arg == "argvalues")]
        for node in given:
            value = scope.settled(node) or node
            rows = value.elts if isinstance(value, ast.List | ast.Tuple) else ()
            scope.spend(len(rows))
            for row in rows:
                marks = row.keywords if isinstance(row, ast.Call) and last_name(row) == "param" else []
                for one in marks:
                    if one.arg == "marks" and isinstance(row, ast.Call):
                        named = ", ".join(written(part, 60) for part in row.args)
                        for part in pytestmark_parts(one.value, scope):
                            called = part.func if isinstance(part, ast.Call) else part
                            yield from (f"{taken} {named}" for taken in _taken(AS_ROW, called, scope))


def values_taken(node: ast.expr, is_negated: bool, scope: Scope) -> Iterator[str]:
    """A constant of another file that decides alone whether a test is skipped."""
    yield from _taken(IF_FALSE if is_negated else IF_TRUE, node, scope)


def compared_taken(node: ast.Compare, scope: Scope) -> Iterator[str]:
    """A version of another file that is compared with a text, and so decides alone whether a test is skipped.

    A comparison of what the texts are parsed to is told by a `v` before it.
    """
    sides = [node.left, *node.comparators]
    calls = [isinstance(one, ast.Call) and len(one.args) == 1 for one in sides]
    left, right = (one.args[0] if isinstance(one, ast.Call) and one.args else one for one in sides[:2])
    sign = _SIGNS.get(type(node.ops[0]))
    is_plain = len(sides) == 2 and calls[0] == calls[1] and isinstance(left, ast.Name | ast.Attribute)
    if is_plain and sign and isinstance(right, ast.Constant) and isinstance(right.value, str):
        lead = "v" if calls[0] else ""
        yield from (f"{taken} {lead}{sign} {right.value}" for taken in _taken(IF_COMPARED, left, scope))


def pytestmarks(statements: Iterable[ast.stmt]) -> list[ast.expr]:
    """The values that a module or class gives `pytestmark`."""
    return [
        one.value
        for one in statements
        if isinstance(one, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "pytestmark" for t in one.targets)
    ]


def calls_taken(function: Function, scope: Scope) -> Iterator[str]:
    """The helpers of other files that a function calls whatever happens."""
    inner: Scope | None = None
    for statement in function.body:
        value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
        if isinstance(value, ast.Call) and not _is_of_instance(value.func):
            inner = inner or Scope(function.body, scope)
            yield from _taken(AS_CALL, value.func, inner)


def _is_of_instance(called: ast.expr) -> bool:
    """True for `self.x`, whose names lead to no import, however long the chain."""
    while isinstance(called, ast.Attribute):
        called = called.value
    return isinstance(called, ast.Name) and called.id in ("self", "cls")


def bases_taken(bases: Iterable[ast.expr], scope: Scope) -> Iterator[str]:
    """The base classes that come from other files."""
    for base in bases:
        yield from _taken(AS_BASE, base, scope)


def _taken(how: str, node: ast.expr, scope: Scope) -> Iterator[str]:
    name = scope.dotted(node)
    top = name.partition(".")[0]
    if "." in name and top not in _KNOWN and not name.endswith("."):
        yield f"{how} {name}"
