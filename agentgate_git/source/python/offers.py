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
    AS_NAME,
    AS_ROW,
    AS_VALUE,
    CONDITIONAL,
    IF_FALSE,
    IF_TRUE,
    MODULE,
    PROGRAM,
    RUNS,
    Offer,
    Standing,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.bodies import EARLY_RETURN, function_effects
from agentgate_git.source.python.classes import ClassReader
from agentgate_git.source.python.conditions import opened_by, unset_variables
from agentgate_git.source.python.effects import Effect, total, written
from agentgate_git.source.python.marks import last_name, pytestmark_parts
from agentgate_git.source.python.module import ModuleFacts, decorator_effects
from agentgate_git.source.python.names import Function, Scope, flat

_STEPS_PER_NAME = 20
_KNOWN = frozenset(
    ("pytest", "unittest", "_pytest", "hypothesis", "mock", "typing", "functools", "contextlib", "abc", "asyncio")
)

_MODULE = pattern_of(r"(?:.{1,200} and )?cannot import ([A-Za-z_]\w{2,60})(?:\.[\w.]{1,80})?")
_PROGRAM = pattern_of(
    r"(?:shutil\.)?which\(['\"]([\w.+-]{3,60})['\"]\) is None|not (?:shutil\.)?which\(['\"]([\w.+-]{3,60})['\"]\)"
)
# Programs that machines have though nobody speaks of them.
_COMMON = frozenset(
    (
        *("ar", "awk", "bash", "bzip2", "cat", "clang", "cmake", "curl", "diff", "docker", "dot", "file", "find"),
        *("gcc", "gdb", "git", "gpg", "grep", "gzip", "hostname", "java", "javac", "less", "locale", "lsof", "make"),
        *("man", "mount", "nano", "node", "npm", "openssl", "patch", "perl", "pip", "pip3", "ping", "ps", "python"),
        *("python2", "python3", "rsync", "ruby", "sed", "sh", "sort", "ssh", "ssh-keygen", "strace", "sudo", "tar"),
        *("tput", "true", "unzip", "vi", "vim", "wget", "xdg-open", "xz", "zip", "zsh", "zstd"),
    )
)


def offers(module: ModuleFacts, classes: ClassReader) -> tuple[Offer, ...]:
    """What the module offers under names of its own; tests and fixtures are no offers."""
    found: dict[tuple[str, str], Offer] = {}
    open_names: set[str] = set()
    for statement, is_nested in flat(module.statements):
        for offer in _offered(statement, module, classes):
            module.scope.spend(_STEPS_PER_NAME)
            if offer.how == AS_VALUE and (is_nested or (offer.name, AS_VALUE) in found):
                open_names.add(offer.name)  # a branch decides what it is
            found[offer.name, offer.how] = offer
    return tuple(one for one in found.values() if one.how != AS_VALUE or one.name not in open_names)


def _offered(statement: ast.stmt, module: ModuleFacts, classes: ClassReader) -> Iterator[Offer]:
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
            if value is None or isinstance(value, bool | int):
                yield Offer(name, AS_VALUE, Standing(RUNS, str(bool(value)), statement.lineno))
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


def asks_of(effect: Effect, module: ModuleFacts) -> tuple[str, ...]:
    """The variables that one of the conditions of a test asks for, where nothing else is asked.

    Each condition is read once: many tests may stand under it.
    """
    if effect.state != CONDITIONAL:
        return ()
    needed = _needed(effect)
    if needed:
        return needed
    asked = module.body.asked
    if effect.condition not in asked:
        asked[effect.condition] = _asked_together(effect.condition.split("; "), module)
    return asked[effect.condition]


def _needed(effect: Effect) -> tuple[str, ...]:
    """The module that a test is skipped without, or the program, where no other condition stands beside it."""
    if effect.marker == "pytest.importorskip()":
        found = _MODULE.fullmatch(effect.condition)
        return (f"{MODULE}{found[1]}",) if found is not None else ()
    found = _PROGRAM.fullmatch(effect.condition)
    name = (found[1] or found[2]) if found is not None else ""
    return (f"{PROGRAM}{name}",) if name and name not in _COMMON else ()


def _asked_together(conditions: list[str], module: ModuleFacts) -> tuple[str, ...]:
    asked = module.body.asked
    for condition in conditions:
        if condition not in asked:
            is_of_variable = "environ" in condition or "getenv" in condition
            unset = unset_variables(condition, module.scope) if is_of_variable else ()
            asked[condition] = unset or opened_by(condition, module.scope)
        if asked[condition]:
            return asked[condition]
    return ()


def marks_taken(nodes: Iterable[ast.expr], scope: Scope) -> Iterator[str]:
    """What decorators and `pytestmark` values take from other files."""
    for node in nodes:
        for part in pytestmark_parts(node, scope):
            called = part.func if isinstance(part, ast.Call) else part
            yield from _taken(AS_MARK, called, scope)


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
