"""Code that ends the process of the tests, or its exit status, before a failure is told."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from agentgate_git.model.facts import Trait
from agentgate_git.model.role import PRODUCTION
from agentgate_git.source.nodes import last
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.names import Function, Scope
from agentgate_git.source.python.traits.guards import picks_tests
from agentgate_git.source.python.walk import CALLED, IMPORTED, SUITE, TEST, Spot

EXIT = "exit.process"
STATUS = "exit.status"
OPEN = ".maybe"

_BUILTIN_EXITS = frozenset(("exit", "quit"))
_HARD = frozenset(("os._exit", "posix._exit"))
_SOFT = frozenset(("sys.exit", "builtins.exit", "builtins.quit", "_sitebuiltins.Quitter"))
_REPLACES = frozenset(("os.execv", "os.execve", "os.execl", "os.execlp", "os.execvp", "os.execvpe", "os.abort"))
_KILLS = frozenset(("os.kill", "os.killpg", "signal.raise_signal"))
_REGISTERS = frozenset(("atexit.register", "signal.signal", "threading.Timer", "weakref.finalize"))
_OWN_PROCESS = ("getpid()", "getpgid(", "getpgrp()")
_ENDS = frozenset(
    (*(name.rpartition(".")[2] for name in (*_HARD, *_SOFT, *_REPLACES, *_KILLS, *_REGISTERS)), "exit", "quit")
)


def statement_traits(statement: ast.stmt, calls: Iterable[ast.Call], spot: Spot, role: str) -> Iterator[Trait]:
    """What a statement does to the process of the tests; in production only what happens without being called.

    `calls` are those of the statement.
    """
    if spot.is_script:
        yield from _statuses(statement, spot)
        return
    if isinstance(statement, ast.FunctionDef) and statement.decorator_list:
        yield from _registered(statement, spot, role)
    found = [trait for call in calls for trait in _called(call, spot, role)]
    if isinstance(statement, ast.Raise) and role != PRODUCTION and not spot.is_caught:
        found += _raised(statement, spot)
    if found and not _is_child(spot):
        yield from found


def _registered(function: ast.FunctionDef, spot: Spot, role: str) -> Iterator[Trait]:
    """`@atexit.register` over a function that ends the process."""
    for decorator in function.decorator_list:
        if spot.scope.dotted(decorator) == "atexit.register" and (role != PRODUCTION or spot.when == IMPORTED):
            inner = spot.inside(function, CALLED)
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and _ends_well(node, inner.scope):
                    yield _trait(EXIT, node, spot)


def _raised(statement: ast.Raise, spot: Spot) -> Iterator[Trait]:
    error = statement.exc
    called = error.func if isinstance(error, ast.Call) else error
    if called is None or spot.is_nested or spot.when == CALLED:
        return
    name = spot.scope.dotted(called) or (called.id if isinstance(called, ast.Name) else "")
    if name.removeprefix("builtins.") in ("SystemExit", "pytest.exit.Exception"):
        status = _status(error, spot.scope) if isinstance(error, ast.Call) else 0
        if status in (0, None, False) or status is UNKNOWN:
            yield _trait(EXIT, statement, spot, status is UNKNOWN)


def _called(call: ast.Call, spot: Spot, role: str) -> Iterator[Trait]:
    if isinstance(call.func, ast.Attribute) and call.func.attr not in _ENDS:
        return
    name = _name(call.func, spot.scope)
    if name in _REGISTERS:
        if any(_ends(argument, call, spot.scope) for argument in call.args):
            is_early = spot.when in (IMPORTED, SUITE)
            is_quiet = is_early if name != "atexit.register" else role != PRODUCTION or spot.when == IMPORTED
            is_quiet = is_quiet and (name == "atexit.register" or role != PRODUCTION)
            if is_quiet or role != PRODUCTION:
                yield _trait(EXIT, call, spot, not is_quiet)
        return
    if role == PRODUCTION:
        if name in _HARD and spot.when == IMPORTED and not spot.owner:
            yield _trait(EXIT, call, spot)
        return
    if spot.when == CALLED or (spot.is_nested and spot.when == TEST):
        return
    if name in _HARD:
        if not _is_failure(_status(call, spot.scope)):
            yield _trait(EXIT, call, spot)
    elif name in _SOFT and not spot.is_caught:
        status = _status(call, spot.scope)
        if not _is_failure(status):
            yield _trait(EXIT, call, spot, status is UNKNOWN)
    elif name == "pytest.exit":
        if _is_success(call, spot.scope):
            yield _trait(EXIT, call, spot)
    elif name in _REPLACES:
        yield _trait(EXIT, call, spot, spot.when != IMPORTED and spot.when != SUITE)
    elif name in _KILLS and any(word in written(call) for word in _OWN_PROCESS):
        yield _trait(EXIT, call, spot, spot.when == TEST)


def _name(called: ast.expr, scope: Scope) -> str:
    name = last(called)
    if isinstance(called, ast.Name) and name in _BUILTIN_EXITS and not scope.is_bound(name):
        return f"builtins.{name}"
    return scope.dotted(called)


def _ends(argument: ast.expr, call: ast.Call, scope: Scope) -> bool:
    """True for a callable that ends the process as a success, or as whatever its caller says."""
    if isinstance(argument, ast.Lambda):
        return any(isinstance(node, ast.Call) and _ends_well(node, scope) for node in ast.walk(argument.body))
    if scope.dotted(argument) in _HARD:
        rest = call.args[call.args.index(argument) + 1 :]
        status = fold(rest[0], scope.constant) if rest else 0
        return not _is_failure(status[0] if isinstance(status, list | tuple) and status else status)
    definition = scope.definition(argument)
    if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef):
        inner = Scope(definition.body, scope)
        return any(
            isinstance(node, ast.Call) and _ends_well(node, inner)
            for statement in definition.body
            for node in ast.walk(statement)
        )
    return isinstance(argument, ast.Call) and any(_ends(one, argument, scope) for one in argument.args)


def _ends_well(call: ast.Call, scope: Scope) -> bool:
    return scope.dotted(call.func) in _HARD and not _is_failure(_status(call, scope))


def _status(call: ast.expr, scope: Scope) -> Any:
    """The status an exit is called with: 0 for none, UNKNOWN where it is computed."""
    if not isinstance(call, ast.Call):
        return 0
    given = [*call.args, *(one.value for one in call.keywords)]
    return fold(given[0], scope.constant) if given else 0


def _is_failure(status: Any) -> bool:
    return status is not UNKNOWN and status not in (0, None, False)


def _is_success(call: ast.Call, scope: Scope) -> bool:
    given = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "returncode")]
    return any(fold(one, scope.constant) == 0 or written(one).endswith("ExitCode.OK") for one in given)


def _is_child(spot: Spot) -> bool:
    """True in code that forks: what ends there is a child."""
    at: Spot | None = spot
    while at is not None and at.function is not None:
        key = ("forks", id(at.function))
        if key not in spot.memo:
            spot.memo[key] = _forks(at.function)
        if spot.memo[key]:
            return True
        at = at.outer
    return "fork" in spot.condition() if spot.guards else False


def _forks(function: Function) -> bool:
    return any(
        isinstance(node, ast.Attribute | ast.Name) and (getattr(node, "attr", "") or getattr(node, "id", "")) in _FORKS
        for statement in function.body
        for node in ast.walk(statement)
    )


_FORKS = frozenset(("fork", "forkpty"))


def _statuses(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """A script that runs tests and leaves without telling that they failed."""
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return
    call = statement.value
    name = spot.scope.dotted(call.func)
    if name == "unittest.main":
        if any(one.arg == "exit" and fold(one.value, spot.scope.constant) in (False, 0) for one in call.keywords):
            yield Trait(STATUS, written(call, 120), call.lineno, spot.owner)
    elif (
        name == "sys.exit" and len(call.args) == 1 and fold(call.args[0], spot.scope.constant) in (0, None)
    ) or name in ("pytest.main", "pytest.cmdline.main"):
        yield _trait(STATUS + OPEN, call, spot)


def _trait(kind: str, node: ast.AST, spot: Spot, is_open: bool = False) -> Trait:
    guarded = spot.guards and spot.when != TEST and spot.is_guarded()
    is_open = not kind.endswith(OPEN) and (is_open or (bool(guarded) and not _asks_for_tests(spot)))
    return Trait(kind + OPEN if is_open else kind, written(node, 120), getattr(node, "lineno", 1), spot.owner)


def _asks_for_tests(spot: Spot) -> bool:
    """True below a condition that asks for tests being run, or for one by its name: it holds when it matters."""
    if any(picks_tests(one) for one in spot.condition().split("; ")):
        return True
    text = spot.condition().lower()
    return any(word in text for word in ("pytest", "unittest", "argv", "failed", "exitstatus"))
