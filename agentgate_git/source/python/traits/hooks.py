"""Hooks of pytest and unittest that can change what a run says: outcomes, and which tests are in it.

A hook that only looks, marks, sorts or makes a run stricter has no trait.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.nodes import last
from agentgate_git.source.python.conditions import ALWAYS, truth
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.names import Function, Scope, flat
from agentgate_git.source.python.traits.guards import Guards, guarded, is_told, names_tests
from agentgate_git.source.python.walk import CALLED, Spot, arguments_of

# A trait that leaves open whether it does harm ends in this word.
OPEN = ".maybe"
OUTCOME = "hook.outcome"
COLLECTION = "hook.collection"

# The hook that calls one test: who says of any that it did, and did not, has left it out.
_CALLS_TEST = "pytest_pyfunc_call"
_RUNNING = frozenset(("pytest_runtest_protocol", "pytest_runtestloop", _CALLS_TEST, "pytest_runtest_call"))
_WRAPPERS = frozenset((*_RUNNING, "pytest_runtest_makereport", "pytest_runtest_setup", "pytest_fixture_setup"))
_RUNS_TESTS = ("run", "call", "obj", "protocol", "execute", "loop", "func", "test")
_BROAD = frozenset(("Exception", "BaseException", "AssertionError"))
_TELLING = frozenset(
    (
        *("assertEqual", "assertTrue", "assertFalse", "assertIn", "assertRaises", "assertAlmostEqual", "assertIs"),
        *("assertDictEqual", "assertListEqual", "assertSequenceEqual", "assertCountEqual", "assertMultiLineEqual"),
        *("addFailure", "addError", "addSubTest", "addUnexpectedSuccess", "wasSuccessful", "_callTestMethod"),
        *("failureException", "_baseAssertEqual"),
    )
)
_TEST_NAME = pattern_of(r"^(?:test_\w|Test[A-Z])|::|\.py$")
_LISTING = frozenset(("pytest_collection_modifyitems", "pytest_collection_finish"))
_MAKING = frozenset(("pytest_pycollect_makeitem", "pytest_pycollect_makemodule", "pytest_make_collect_report"))
_ORDERING = frozenset(("sorted", "reversed", "list", "tuple", "sample", "chain", "copy", "deepcopy"))
_TAKES_OUT = frozenset(("clear", "remove", "pop"))
_ADDERS = frozenset(("addTest", "addTests", "append"))
_SUITES = frozenset(("suite", "test_suite", "additional_tests", "build_suite", "make_suite", "all_tests", "load_suite"))
_ADDS_TESTS = ("addTest", "load", "discover", "suite", "Suite", "find", "tests")
_HOOKS = frozenset((*_WRAPPERS, *_LISTING, *_MAKING, *_SUITES, "load_tests"))
# What looking at a statement of a hook costs, in steps of looking up a name.
_STEPS_PER_STATEMENT = 80


def function_traits(function: Function, spot: Spot) -> Iterator[Trait]:
    """What a hook function does; `spot` is where it is defined."""
    name = function.name
    inner = spot.inside(function, CALLED)
    if name in _HOOKS:
        inner.scope.spend(_STEPS_PER_STATEMENT * sum(isinstance(node, ast.stmt) for node in _walk(function)))
    if name in _RUNNING:
        yield from _not_run(function, inner)
    if name in _WRAPPERS:
        yield from _swallowed(function, inner)
    if name in _LISTING:
        yield from _listed(function, inner)
    elif name in _MAKING:
        yield from _not_made(function, inner)
    elif name == "pytest_cmdline_main":
        yield from _status(function, inner)
    elif name == "pytest_report_teststatus":
        yield from _shown(function, inner)
    elif name == "load_tests" or name in _SUITES:
        yield from _loaded(function, inner)


def method_traits(function: Function, spot: Spot) -> Iterator[Trait]:
    """A method of a test case or of a result that takes the place of one that tells, and tells nothing."""
    if function.name not in _TELLING or not spot.owner or spot.function is not None:
        return
    for node in _walk(function):
        if isinstance(node, ast.Raise | ast.Assert):
            return
        if isinstance(node, ast.Call) and (last(node.func) in ("super", "fail") or _may_tell(node)):
            return
    yield _trait(OUTCOME, function, spot, f"{function.name} is overridden and tells nothing")


def _may_tell(call: ast.Call) -> bool:
    name = last(call.func)
    return name in _TELLING or name.startswith(("assert", "append", "add", "stop", "_")) or name == "run"


def _not_run(function: Function, spot: Spot) -> Iterator[Trait]:
    """A hook that says it ran the test, and did not."""
    if _has_yield(function) or function.name == "pytest_runtest_call":
        return
    if any(_may_run(call) for call in _calls(function)):
        return
    for statement, is_nested in flat(function.body):
        value = statement.value if isinstance(statement, ast.Return) else None
        if value is not None and truth(value, spot.scope) == ALWAYS:
            is_open = is_nested and function.name != _CALLS_TEST and not names_tests(function)
            kind = OUTCOME + OPEN if is_open else OUTCOME
            yield _trait(kind, statement, spot, f"{function.name} answers without running the test")
            return


def _may_run(call: ast.Call) -> bool:
    name = written(call.func, 200).lower()
    return any(word in name for word in _RUNS_TESTS) and not name.endswith(("getoption", "logstart", "logfinish"))


def _swallowed(function: Function, spot: Spot) -> Iterator[Trait]:
    """A wrapper that catches what the test raised."""
    for statement, _ in flat(function.body):
        if not isinstance(statement, ast.Try) or not _has_run(statement.body):
            continue
        for handler in statement.handlers:
            if is_broad(handler) and not _passes_on(handler):
                yield _trait(OUTCOME, handler, spot, f"{function.name} catches what the test raised")
        if any(isinstance(one, ast.Return) for one, _ in flat(statement.finalbody)):
            yield _trait(OUTCOME, statement, spot, f"{function.name} returns from finally")


def _has_run(body: list[ast.stmt]) -> bool:
    return any(
        isinstance(node, ast.Yield | ast.YieldFrom) or (isinstance(node, ast.Call) and _may_run(node))
        for statement in body
        for node in ast.walk(statement)
    )


def is_broad(handler: ast.ExceptHandler) -> bool:
    """True for a handler that catches what a failed check raises."""
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(one is None or last(one) in _BROAD for one in caught)


def _passes_on(handler: ast.ExceptHandler) -> bool:
    """True when the handler raises again, or hands the error to something that it calls or keeps."""
    name = handler.name
    for statement in handler.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Raise):
                return True
            if isinstance(node, ast.Call) and last(node.func) in (
                "fail",
                "force_exception",
                "from_call",
                "from_current",
            ):
                return True
            if name and isinstance(node, ast.Name) and node.id == name and not isinstance(statement, ast.Expr):
                return True
    return False


def _listed(function: Function, spot: Spot) -> Iterator[Trait]:
    """Items that the hook takes out of the list that it is given."""
    tells = any(last(call.func) == "pytest_deselected" for call in _calls(function))
    names = {one for one in arguments_of(function) if one not in ("config", "self")}
    for statement, guards in guarded(function.body, Guards()):
        how = _taken_out(statement, names)
        if how is None:
            continue
        picks = names_tests(statement) or guards.picks or is_told(function, spot)
        is_open = (tells or guards.is_any or bool(how)) and not picks
        kind = COLLECTION + OPEN if is_open else COLLECTION
        yield _trait(kind, statement, spot, f"{function.name} takes tests out: {written(statement, 120)}")


def _taken_out(statement: ast.stmt, names: set[str]) -> str | None:
    """The condition on which items go, empty for all of them; None when the statement takes none out."""
    match statement:
        case ast.Assign(targets=[target], value=value) if _is_list(target, names):
            return _left(value, names)
        case ast.Delete(targets=targets) if any(_is_list(target, names) for target in targets):
            return ""
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=deed), args=arguments)):
            if deed in _TAKES_OUT and _is_items(owner, names):
                return written(arguments[0], 80) if arguments else ""
            if deed == "__setitem__" and _is_items(owner, names) and len(arguments) == 2:
                return _left(arguments[1], names)
            return None
        case _:
            return None


def _is_list(target: ast.expr, names: set[str]) -> bool:
    """`items[:]`, `items[3]` or `session.items`."""
    if isinstance(target, ast.Subscript):
        return _is_items(target.value, names)
    return isinstance(target, ast.Attribute) and _is_items(target, names)


def _is_items(node: ast.expr, names: set[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "items" and isinstance(node.value, ast.Name) and node.value.id in names
    return isinstance(node, ast.Name) and node.id in names


def _left(value: ast.expr, names: set[str]) -> str | None:
    """The condition on which an item stays in a new list; None for a list that holds all of them."""
    match value:
        case ast.List(elts=[]) | ast.Tuple(elts=[]):
            return ""
        case ast.ListComp(generators=generators) | ast.GeneratorExp(generators=generators):
            tests = [written(test, 80) for one in generators for test in one.ifs]
            return " and ".join(tests) if tests else None
        case ast.Call(func=called, args=arguments):
            name = last(called)
            if name == "filter":
                return written(value, 80)
            if name in _ORDERING and arguments:
                return _left(arguments[0], names) if name != "sample" else None
            return written(value, 80)
        case ast.Subscript(value=owner, slice=ast.Slice() as part) if _is_items(owner, names):
            return "" if part.lower or part.upper else None
        case ast.Name(id=name):
            return None if name in names else name
        case _:
            return None


def _not_made(function: Function, spot: Spot) -> Iterator[Trait]:
    """A collecting hook that answers with nothing."""
    for statement, guards in guarded(function.body, Guards()):
        value = statement.value if isinstance(statement, ast.Return) else None
        if isinstance(value, ast.List | ast.Tuple) and not value.elts:
            is_open = guards.is_any and not (guards.picks or guards.is_named or _asks_a_list(function, spot.scope))
            yield _trait(COLLECTION + OPEN if is_open else COLLECTION, statement, spot, f"{function.name} returns []")


def _asks_a_list(function: Function, scope: Scope) -> bool:
    """True for a hook that asks whether something is in a list of the file which holds names of tests."""
    for node in _walk(function):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            held = scope.settled(node.comparators[0]) if isinstance(node.comparators[0], ast.Name) else None
            texts = (one.value for one in ast.walk(held) if isinstance(one, ast.Constant)) if held is not None else ()
            if any(isinstance(text, str) and _TEST_NAME.search(text) for text in texts):
                return True
    return False


def _status(function: Function, spot: Spot) -> Iterator[Trait]:
    if _has_yield(function):
        return
    for statement, guards in guarded(function.body, Guards()):
        if isinstance(statement, ast.Return) and statement.value is not None:
            known = fold(statement.value, spot.scope.constant)
            if (known == 0 and known is not None) or written(statement.value).endswith("ExitCode.OK"):
                yield _trait(
                    "hook.exit" + OPEN if guards.is_any else "hook.exit", statement, spot, f"{function.name} returns 0"
                )


def _shown(function: Function, spot: Spot) -> Iterator[Trait]:
    """A status that is shown as passed whatever it was."""
    for statement, guards in guarded(function.body, Guards()):
        value = statement.value if isinstance(statement, ast.Return) else None
        shown = fold(value.elts[0], spot.scope.constant) if isinstance(value, ast.Tuple) and value.elts else ""
        if shown == "passed" and not guards.is_passed:
            yield _trait(OUTCOME + OPEN, statement, spot, "a failure is shown as passed")


def _loaded(function: Function, spot: Spot) -> Iterator[Trait]:
    """`load_tests` that does not hand on what the loader found."""
    arguments = arguments_of(function)
    given = set(arguments[:2])
    returned = [one for one, _ in flat(function.body) if isinstance(one, ast.Return)]
    handed_on = any(isinstance(node, ast.Name) and node.id in given for node in _walk(function))
    calls = [call for call in _calls(function) if any(word in last(call.func) for word in _ADDS_TESTS)]
    is_empty = not handed_on and all(_is_empty_suite(call) for call in calls)
    for statement in returned:
        if is_empty or (isinstance(statement.value, ast.Call) and _is_empty_suite(statement.value)):
            yield _trait(COLLECTION, statement, spot, f"{function.name} returns no tests")
            return
    for added, guards in guarded(function.body, Guards()):
        is_added = isinstance(added, ast.Expr) and _last_called(added.value) in _ADDERS
        if is_added and guards.is_plain:
            picks = guards.is_by_name or guards.picks or is_told(function, spot)
            kind = COLLECTION if picks else COLLECTION + OPEN
            yield _trait(kind, added, spot, f"{function.name} leaves tests out")
            return
    for statement in returned:
        if any(one.ifs for node in ast.walk(statement) for one in getattr(node, "generators", ())):
            picks = names_tests(statement)
            yield _trait(
                COLLECTION if picks else COLLECTION + OPEN, statement, spot, f"{function.name} leaves tests out"
            )
            return


def _is_empty_suite(call: ast.Call) -> bool:
    return last(call.func) in ("TestSuite", "suiteClass") and (
        not call.args or (isinstance(call.args[0], ast.List | ast.Tuple) and not call.args[0].elts)
    )


def _walk(function: Function) -> Iterator[ast.AST]:
    for statement in function.body:
        yield from ast.walk(statement)


def _calls(function: Function) -> Iterator[ast.Call]:
    return (node for node in _walk(function) if isinstance(node, ast.Call))


def _has_yield(function: Function) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _walk(function))


def _last_called(node: ast.expr) -> str:
    return last(node.func) if isinstance(node, ast.Call) else ""


def _trait(kind: str, node: ast.AST, spot: Spot, what: str = "") -> Trait:
    line = getattr(node, "lineno", 1)
    return Trait(kind, what or written(node, 120), line, spot.owner)
