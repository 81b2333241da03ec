"""Statements on the test side that rewrite what a run says: outcomes, errors, exit statuses; and tests run again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.traits.hooks import OPEN, OUTCOME, is_broad
from agentgate_git.source.python.traits.patches import selects
from agentgate_git.source.python.walk import TEST, Spot

_OPTIONS = frozenset(("keyword", "markexpr", "collectonly", "deselect", "ignore", "ignore_glob", "lf", "args"))
_ADDS_OPTIONS = frozenset(("append", "extend", "insert", "addinivalue_line", "setdefault"))
_FAILURES = frozenset(("failures", "errors", "unexpectedSuccesses"))
_TAKES_OUT = frozenset(("clear", "pop", "remove"))
# What pytest calls of a test that it collected.
_CALLED = frozenset(("obj", "_obj", "runtest", "function", "_testfunction"))
# What is raised where nobody hears it but by a warning.
_HEARD_LATE = frozenset(
    (
        "Warning",
        "PytestUnraisableExceptionWarning",
        "PytestUnhandledThreadExceptionWarning",
        "PytestReturnNotNoneWarning",
    )
)
# What a condition asks of a report that holds for every test that fails.
_BETWEEN = pattern_of(r"; | and |, ")
_FAILED = pattern_of(
    r"(?:\w+\.)*(?:when (?:==|!=|in) .+|failed|(?:outcome|status) (?:== 'failed'|!= 'passed')|excinfo(?: is not None)?)"
    r"|not (?:\w+\.)*passed"
)
_AGAIN = frozenset(("flaky", "retry", "rerun", "rerun_on_failure", "repeat_on_failure"))


def statement_traits(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """Outcomes, errors and reports that a statement rewrites, in whatever function of the test side it stands."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target, given in (pair for each in targets for pair in _pairs(each, value)):
                if isinstance(target, ast.Attribute):
                    yield from _rewritten(target, target.attr, given, spot)
                elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                    if isinstance(target.value, ast.Attribute) and target.value.attr in _OPTIONS:
                        yield from _rewritten(target.value, target.value.attr, given, spot)
                    yield from _taken_out(target.value, statement, spot)
                elif isinstance(target, ast.Subscript) and _is_namespace(target.value):
                    key = fold(target.slice, spot.scope.constant)
                    if isinstance(key, str):
                        yield from _rewritten(target, key, given, spot)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="update"), keywords=given)) if _is_namespace(
            owner
        ):
            for one in given:
                if one.arg is not None:
                    yield from _rewritten(owner, one.arg, one.value, spot)
        case ast.Delete(targets=targets):
            for target in targets:
                yield from _taken_out(target.value, statement, spot) if isinstance(target, ast.Subscript) else ()
        case ast.Expr(value=ast.Call(func=called, args=arguments) as call):
            name = last(called)
            if name in _TAKES_OUT and isinstance(called, ast.Attribute):
                yield from _taken_out(called.value, statement, spot)
            elif name == "run" and _is_new_result(call):
                yield _trait(OUTCOME, statement, spot)
            if name in ("setattr", "__setattr__") and len(arguments) >= 2:
                attribute = fold(arguments[-2], spot.scope.constant)
                if isinstance(attribute, str):
                    yield from _rewritten(call, attribute, arguments[-1], spot)
            elif name == "force_result" and spot.owner and spot.when != TEST:
                is_of_hook = spot.owner.rpartition("::")[2].startswith("pytest_")
                is_open = not (is_of_hook and _is_plain(arguments))
                yield _trait(_openly(OUTCOME, is_open), statement, spot)


def _taken_out(held: ast.expr, statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """What a result keeps of failures, of which something is taken out outside of tests."""
    is_of_result = isinstance(held, ast.Attribute) and held.attr in _FAILURES and _is_session(held)
    if is_of_result and spot.when != TEST and spot.owner:
        yield _trait(OUTCOME, statement, spot)


def _is_new_result(call: ast.Call) -> bool:
    """True for `super().run(TestResult())`: what it is told, nobody hears."""
    match call:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"))), args=[ast.Call(args=[]) as made]):
            return last(made.func).endswith("TestResult")
        case _:
            return False


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Each single target of an assignment with its own value."""
    match target, value:
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))) if (
            len(targets) == len(values)
        ):
            for one, own in zip(targets, values, strict=True):
                yield from _pairs(one, own)
        case _:
            yield target, value


def _is_namespace(node: ast.expr) -> bool:
    """True for `x.__dict__` and `vars(x)`."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__"
    return isinstance(node, ast.Call) and last(node.func) == "vars"


def _rewritten(target: ast.expr, attribute: str, value: ast.expr, spot: Spot) -> Iterator[Trait]:
    """An assignment to what a report or a session says of a run."""
    known = fold(value, spot.scope.constant)
    if attribute == "outcome" and known in ("passed", "skipped"):
        is_of_some = known == "skipped" and not _is_of_all_failures(spot)
        is_open = is_of_some or (spot.is_nested and spot.when == TEST)
        yield _trait(_openly(OUTCOME, is_open), target, spot, f"outcome = {known!r}")
    elif attribute in ("excinfo", "longrepr") and known is None and spot.owner:
        yield _trait(_openly(OUTCOME, attribute == "longrepr"), target, spot, f"{attribute} = None")
    elif attribute == "wasxfail":
        yield _trait(OUTCOME + OPEN, target, spot, f"wasxfail = {written(value, 60)}")
    elif attribute == "exitstatus" and (known in (0, False) or written(value).endswith("ExitCode.OK")):
        is_open = _asks_for_no_tests(spot)
        yield _trait("hook.exit" + OPEN if is_open else "hook.exit", target, spot, "exitstatus = 0")
    elif attribute in _OPTIONS and _is_config(target):
        yield _trait("env.runner", target, spot, f"{attribute} = {written(value, 80)}")
    elif attribute in _CALLED and spot.when != TEST and _is_item(target, attribute, spot):
        yield from _emptied(target, attribute, value, spot)
    elif attribute in ("testsfailed", "failures", "errors") and known in (0, []) and _is_session(target):
        yield _trait("hook.exit", target, spot, f"{attribute} = {known}")


def _is_of_all_failures(spot: Spot) -> bool:
    """True in a hook below no condition but that a test failed, or is at one of its phases."""
    if not spot.owner.rpartition("::")[2].startswith("pytest_"):
        return False
    asked = (part.strip(" ()") for part in _BETWEEN.split(spot.condition()))
    return all(_FAILED.fullmatch(part) for part in asked if part)


def _is_config(target: ast.expr) -> bool:
    """True for `config.option.x`, `config.known_args_namespace.x` and `config.args`."""
    owner = target.value if isinstance(target, ast.Attribute) else None
    if isinstance(owner, ast.Attribute):
        return owner.attr in ("option", "known_args_namespace")
    return isinstance(owner, ast.Name) and "config" in owner.id and getattr(target, "attr", "") == "args"


def _is_item(target: ast.expr, attribute: str, spot: Spot) -> bool:
    """True for a test that pytest collected, whose function or run is set: in a hook, or by a name for such tests."""
    given = target.args[0] if isinstance(target, ast.Call) and target.args else target
    owner = given.value if isinstance(given, ast.Attribute) else given
    if not isinstance(owner, ast.Name) or owner.id in ("self", "cls"):
        return False
    is_hook = spot.owner.rpartition("::")[2].startswith("pytest_")
    return is_hook or (attribute == "runtest" and "item" in owner.id)


def _emptied(target: ast.expr, attribute: str, value: ast.expr, spot: Spot) -> Iterator[Trait]:
    """What a test is, replaced by what calls nothing, and so not the test."""
    definition = spot.scope.definition(value) if isinstance(value, ast.Name) else None
    body = definition if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef) else value
    made = value.func if isinstance(value, ast.Call) else None
    key = ("calls nothing", id(body))
    if key not in spot.memo:
        is_code = isinstance(body, ast.Lambda | ast.FunctionDef | ast.AsyncFunctionDef)
        spot.memo[key] = is_code and not any(isinstance(node, ast.Call | ast.Await) for node in nodes_of(body))
    if spot.memo[key] or (made is not None and last(made) in ("Mock", "MagicMock", "AsyncMock")):
        yield _trait(OUTCOME, target, spot, f"{attribute} = {written(value, 80)}")


def _is_session(target: ast.expr) -> bool:
    owner = target.value if isinstance(target, ast.Attribute) else None
    return isinstance(owner, ast.Name | ast.Attribute) and any(
        word in written(owner) for word in ("session", "result", "report", "_outcome")
    )


def _asks_for_no_tests(spot: Spot) -> bool:
    """True below a condition on "no tests were collected", which is a status that projects do make a success."""
    text = spot.condition()
    return "NO_TESTS" in text or "EXIT_NOTESTSCOLLECTED" in text or " 5" in text


def reruns(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """Marks and decorators that run a test again until it passes, and loops in a test that do."""
    match statement:
        case (
            ast.FunctionDef(decorator_list=decorators)
            | ast.ClassDef(decorator_list=decorators)
            | ast.AsyncFunctionDef(decorator_list=decorators)
        ) if decorators and statement.name.lower().startswith("test"):  # a test, or a class of them
            owner = f"{spot.owner}::{statement.name}" if spot.owner else statement.name
            for decorator in decorators:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                if _passes_each_time(decorator):
                    continue
                if last(called) in _AGAIN or _tries_again(spot.scope.definition(called)):
                    yield Trait("rerun", written(decorator, 120), decorator.lineno, owner)
        case ast.FunctionDef(name="run" | "__call__" | "_callTestMethod" | "runTest") if spot.owner and _loops_super(
            statement
        ):
            yield Trait("rerun", f"{statement.name}() goes round itself", statement.lineno, spot.owner)
        case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
            if any(last(node) == "flaky" for node in ast.walk(value) if isinstance(node, ast.Attribute)):
                yield Trait("rerun", written(value, 120), statement.lineno, spot.owner)
        case ast.For(body=body) | ast.While(body=body) if spot.when == TEST and not spot.is_nested:
            for one in body:
                if isinstance(one, ast.Try) and _is_retried(one):
                    yield Trait("rerun", "a loop that tries again until the check passes", statement.lineno, spot.owner)


def hidden_warnings(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """Marks by which no warning of a test, or of all tests of a file, is heard: one may be what fails them."""
    match statement:
        case ast.FunctionDef(decorator_list=marks, name=name) | ast.AsyncFunctionDef(decorator_list=marks, name=name):
            owner = f"{spot.owner}::{name}" if spot.owner else name
        case ast.Assign(targets=[ast.Name(id="pytestmark")], value=value):
            owner, marks = spot.owner, value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
        case _:
            return
    for mark in marks:
        given = fold(mark.args[0], spot.scope.constant) if isinstance(mark, ast.Call) and mark.args else ""
        if isinstance(mark, ast.Call) and last(mark.func) == "filterwarnings" and _hides_all(given):
            yield Trait("warnings.hidden", written(mark, 120), mark.lineno, owner)


def _hides_all(text: object) -> bool:
    action, *rest = str(text).split(":")
    if action.strip() != "ignore":
        return False
    words = [one.strip() for one in rest if one.strip()]
    return not words or (len(words) == 1 and words[0].rpartition(".")[2] in _HEARD_LATE)


def _passes_each_time(decorator: ast.expr) -> bool:
    """True for a mark that runs a test several times, of which every one has to pass."""
    given = {one.arg: one.value for one in decorator.keywords} if isinstance(decorator, ast.Call) else {}
    match given.get("max_runs"), given.get("min_passes"):
        case ast.Constant(value=int(runs)), ast.Constant(value=int(passes)):
            return passes >= runs
        case _:
            return False


def _tries_again(decorator: ast.AST | None) -> bool:
    """True for a decorator of the file that calls what it wraps in a loop, and catches the error of an assertion."""
    if not isinstance(decorator, ast.FunctionDef):
        return False
    loops = (node for node in ast.walk(decorator) if isinstance(node, ast.For | ast.While))
    tries = (one for loop in loops for one in ast.walk(loop) if isinstance(one, ast.Try))
    return any(_calls_a_name(one.body) and any(map(_catches_failure, one.handlers)) for one in tries)


def _catches_failure(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [last(one) if one is not None else "Exception" for one in kinds]
    return any(name in ("AssertionError", "Exception", "BaseException", "failureException") for name in names)


def _calls_a_name(statements: list[ast.stmt]) -> bool:
    nodes = (node for one in statements for node in ast.walk(one))
    return any(isinstance(node, ast.Call) and any(isinstance(arg, ast.Starred) for arg in node.args) for node in nodes)


def _loops_super(function: ast.AST) -> bool:
    """True for a method that calls the same of its base class in a loop."""
    name = getattr(function, "name", "")
    for loop in ast.walk(function):
        for node in ast.walk(loop) if isinstance(loop, ast.For | ast.While) else ():
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=attr)) if attr == name:
                    return True
    return False


def _is_retried(statement: ast.Try) -> bool:
    asserts = any(isinstance(node, ast.Assert) for one in statement.body for node in ast.walk(one))
    ends = [*statement.body, *statement.orelse]
    stops = any(isinstance(one, ast.Break | ast.Return) for one in ends)
    goes_on = any(
        is_broad(handler) and not any(isinstance(node, ast.Raise) for one in handler.body for node in ast.walk(one))
        for handler in statement.handlers
    )
    return asserts and stops and goes_on


def call_traits(call: ast.Call, spot: Spot) -> Iterator[Trait]:
    """Reports that are built as passed, and options that a hook hands to the runner."""
    if spot.owner.startswith("pytest_") and last(call.func) in _ADDS_OPTIONS:
        texts = [one.value for one in ast.walk(call) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        is_marker = last(call.func) == "addinivalue_line" and "addopts" not in texts
        if not is_marker and selects(" ".join(texts)) and "addoption" not in spot.owner:
            yield _trait("env.runner", call, spot)
    if last(call.func) == "add_marker" and call.args and not spot.owner.rpartition("::")[2].startswith("test"):
        mark = call.args[0].func if isinstance(call.args[0], ast.Call) else call.args[0]
        if last(mark) in _AGAIN:
            yield Trait("rerun", written(call.args[0], 120), call.lineno, spot.owner)
    if last(call.func) in ("TestReport", "CollectReport"):
        given = [fold(one, spot.scope.constant) for one in (*call.args, *(key.value for key in call.keywords))]
        if "passed" in given:
            yield _trait(OUTCOME + OPEN, call, spot)


def _openly(kind: str, is_open: bool) -> str:
    return kind + OPEN if is_open else kind


def _is_plain(arguments: list[ast.expr]) -> bool:
    return len(arguments) == 1 and isinstance(arguments[0], ast.Constant | ast.List | ast.Tuple)


def _trait(kind: str, node: ast.AST, spot: Spot, what: str = "") -> Trait:
    return Trait(kind, what or written(node, 120), getattr(node, "lineno", 1), spot.owner)
