"""With what a test is run: parameter rows, examples of a property, and what a property is searched with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import RUNS, SETUP, TAKEN, CollectedTest
from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.names import Function, Scope, flat
from agentgate_git.source.python.text import Writer, bounded

# What a row of a test costs of what a file may spend (Scope.spend): a table may serve many tests.
_STEPS_PER_ROW = 15
# A function that returns a table and says what it is.
_WITH_PROSE = 2
# Before a row of a loop in the body, and before what stands for rows that are not known.
EACH = "each "
OPEN = "*"
# Between the names of parameters and a row of their values.
NAMED = ": "

GIVEN = "given"
_OF_RUNNERS = ("pytest.", "unittest.", "builtins.", "abc.", "typing.", "functools.", "contextlib.")
_RULE = "rule"
_PRECONDITION = "precondition"
# What a machine does by itself besides its rules.
_OWN = ("invariant", "initialize")
_ROUNDS = "rounds"
_RAISING = "raising"
_TABLES = ("expand", "data", "cases", "params", "test_cases")
_GIVING = frozenset(
    ("parametrize", "example", "xfail", "via", "settings", _RULE, _PRECONDITION, *_OWN, GIVEN, *_TABLES)
)
SETTINGS = ("max_examples", "phases", "suppress_health_check", "derandomize", "stateful_step_count")


class Rows(Record):
    """`rows` are parameter sets, `knobs` (name, value) of hypothesis settings and strategies."""

    rows: tuple[str, ...]
    knobs: tuple[tuple[str, str], ...]


def rows_of(function: Function, decorators: Iterable[ast.expr], scope: Scope, writer: Writer) -> Rows:
    """The rows and knobs that decorators, and loops over literals in the body, give a test."""
    rows: list[str] = []
    knobs: list[tuple[str, str]] = []
    for decorator in decorators:
        call = decorator if isinstance(decorator, ast.Call) else scope.settled(decorator)
        if isinstance(call, ast.Call):
            rows += _decorator_rows(call, scope, writer)
            knobs += _knobs(call, scope, writer)
        elif isinstance(decorator, ast.Name | ast.Attribute):
            knobs += _taken(decorator, scope)
    for statement, _ in flat(function.body):
        items = statement.iter if isinstance(statement, ast.For) else _gone_through(statement)
        if items is not None and _is_listed(items, scope):
            rows += [EACH + row for row in _listed(items, scope, writer) if not row.startswith(OPEN)]
        elif isinstance(statement, ast.With):
            knobs += [(_RAISING, str(count)) for count in _raising(statement)]
        elif isinstance(statement, ast.For) and isinstance(statement.iter, ast.Call):
            knobs += [(_ROUNDS, str(number)) for number in _rounds(statement, statement.iter, scope)]
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            knobs += [("assume", writer.text(one)) for one in _assumed(statement.value)]
    return Rows(tuple(rows), tuple(knobs))


def _gone_through(statement: ast.stmt) -> ast.expr | None:
    """What a statement goes through as a loop does: `list(map(check, ROWS))`, `[check(row) for row in ROWS]`."""
    match statement:
        case ast.Expr(value=ast.Call(args=[ast.Call(func=ast.Name(id="map" | "starmap"), args=[_, items])])):
            return items
        case ast.Expr(value=ast.ListComp(generators=[only]) | ast.SetComp(generators=[only])) if not only.ifs:
            return only.iter
        case _:
            return None


def _raising(statement: ast.With) -> Iterator[int]:
    """How many statements that call something stand beneath `raises`: of several, any may raise what is expected."""
    called = (item.context_expr.func for item in statement.items if isinstance(item.context_expr, ast.Call))
    if any(last(one) in ("raises", "assertRaises", "assertRaisesRegex") for one in called):
        yield sum(any(isinstance(node, ast.Call) for node in ast.walk(one)) for one in statement.body)


def _rounds(loop: ast.For, items: ast.Call, scope: Scope) -> Iterator[int]:
    """How often a loop goes round that does the same each time: `for _ in range(500)`."""
    match loop.target, items:
        case ast.Name(id="_" | "__" | "_i"), ast.Call(func=ast.Name(id="range"), args=[count], keywords=[]):
            number = fold(count, scope.constant)
            if type(number) is int:
                yield number


def gives_rows(decorator: ast.expr) -> bool:
    """True for a decorator that may give rows or knobs to what it decorates."""
    return isinstance(decorator, ast.Call) and last(decorator.func) in _GIVING


def _assumed(call: ast.Call) -> list[ast.expr]:
    return call.args[:1] if last(call.func) == "assume" else []


def profiles(statements: Iterable[ast.stmt], scope: Scope) -> Iterator[CollectedTest]:
    """The hypothesis settings that a file loads for every property: one set-up fact for each profile."""
    registered: dict[str, ast.Call] = {}
    for statement, _ in flat(statements):
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
            continue
        call = statement.value
        name = fold(call.args[0], scope.constant) if call.args else UNKNOWN
        if not isinstance(name, str):
            continue
        if last(call.func) == "register_profile":
            registered[name] = call
        elif last(call.func) == "load_profile" and name in registered:
            knobs = tuple(_settings(registered[name], scope))
            yield CollectedTest("hypothesis profile", RUNS, call.lineno, f"profile {name}", kind=SETUP, knobs=knobs)


def _decorator_rows(decorator: ast.Call, scope: Scope, writer: Writer) -> Iterator[str]:
    name = last(decorator.func)
    named = {one.arg: one.value for one in decorator.keywords}
    if name == "parametrize":
        values = decorator.args[1] if len(decorator.args) > 1 else named.get("argvalues")
        if values is not None:
            names = fold(decorator.args[0], scope.constant) if decorator.args else UNKNOWN
            listed = names.replace(" ", "") if isinstance(names, str) else ""
            yield from (f"{listed}{NAMED}{row}" for row in _listed(values, scope, writer))
    elif name in ("example", "xfail", "via") and _is_example(decorator):
        shown = [writer.text(one) for one in decorator.args]
        shown += sorted(f"{one.arg}={writer.text(one.value)}" for one in decorator.keywords)
        if name == "example":
            yield f"example {', '.join(shown)}"
        elif name == "via" and isinstance(decorator.func, ast.Attribute) and isinstance(decorator.func.value, ast.Call):
            yield from _decorator_rows(decorator.func.value, scope, writer)
    elif name in _TABLES and decorator.args:
        many = decorator.args[0] if name == "expand" else ast.copy_location(ast.Tuple(decorator.args), decorator)
        yield from _listed(many, scope, writer)


def _is_example(decorator: ast.Call) -> bool:
    node: ast.expr = decorator
    while isinstance(node, ast.Call | ast.Attribute):
        if last(node if isinstance(node, ast.Attribute) else node.func) == "example":
            return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return False


def _is_listed(items: ast.expr, scope: Scope) -> bool:
    return isinstance(items, ast.List | ast.Tuple | ast.Name) or _returned(items, scope) is not None


def _returned(call: ast.expr, scope: Scope) -> ast.List | ast.Tuple | None:
    """The table that a function of the file returns, whatever happens: `for row in table():`."""
    if not isinstance(call, ast.Call) or call.args or call.keywords:
        return None
    function = scope.definition(call.func)
    match function.body[-1:] if isinstance(function, ast.FunctionDef) and len(function.body) <= _WITH_PROSE else []:
        case [ast.Return(value=ast.List() | ast.Tuple() as table)]:
            return table
        case _:
            return None


def _listed(values: ast.expr, scope: Scope, writer: Writer) -> Iterator[str]:
    found = scope.settled(values) if isinstance(values, ast.Name) else _returned(values, scope) or values
    if isinstance(found, ast.List | ast.Tuple | ast.Set):
        scope.spend(_STEPS_PER_ROW * len(found.elts))
        for item in found.elts:
            yield _row(item, writer)
    elif isinstance(found, ast.Dict):
        scope.spend(_STEPS_PER_ROW * len(found.keys))
        for key, value in zip(found.keys, found.values, strict=True):
            yield bounded(f"{writer.text(key) if key else OPEN}: {writer.text(value)}")
    else:
        yield bounded(f"{OPEN}{writer.text(values)}")


def _row(item: ast.expr, writer: Writer) -> str:
    """One parameter set, without the id and the marks of `pytest.param`."""
    if isinstance(item, ast.Starred):
        return bounded(f"{OPEN}{writer.text(item.value)}")
    if isinstance(item, ast.Call) and last(item.func) == "param":
        parts = [writer.text(one) for one in item.args]
        return bounded(parts[0] if len(parts) == 1 else f"({', '.join(parts)})")
    return writer.text(item)


def _knobs(decorator: ast.Call, scope: Scope, writer: Writer) -> Iterator[tuple[str, str]]:
    name = last(decorator.func)
    if name == GIVEN:
        for place, strategy in enumerate(decorator.args):
            yield f"{GIVEN} {place}", writer.text(strategy)
        for one in decorator.keywords:
            yield f"{GIVEN} {one.arg}", writer.text(one.value)
    elif name in _OWN:
        yield _RULE, name
    elif name in (_RULE, _PRECONDITION):
        given = [*decorator.args, *(one.value for one in decorator.keywords)]
        yield (
            name,
            ", ".join(writer.text(one.body if isinstance(one, ast.Lambda) else one) for one in given) or "always",
        )
        for one in decorator.keywords if name == _RULE else ():
            yield f"{GIVEN} {one.arg}", writer.text(one.value)
    elif name == "settings":
        yield from _settings(decorator, scope)
    elif name == "xfail" and _is_example(decorator):
        yield "example.xfail", writer.text(decorator)


def _settings(call: ast.Call, scope: Scope) -> Iterator[tuple[str, str]]:
    for one in call.keywords:
        if one.arg in SETTINGS:
            value = fold(one.value, scope.constant)
            yield one.arg, repr(value) if isinstance(value, int | bool) else bounded(ast.unparse(one.value))
        elif one.arg is None:
            held = scope.settled(one.value) or one.value
            if isinstance(held, ast.Dict):
                pairs = zip(held.keys, held.values, strict=True)
                yield from (
                    (str(key.value), ast.unparse(value)) for key, value in pairs if isinstance(key, ast.Constant)
                )
            else:
                yield from _taken(held, scope)


def _taken(node: ast.expr, scope: Scope) -> Iterator[tuple[str, str]]:
    """The name of what another file gives, as a knob of its own."""
    name = scope.dotted(node)
    if "." in name and not name.startswith(_OF_RUNNERS):
        yield f"{TAKEN}{name}", ""
