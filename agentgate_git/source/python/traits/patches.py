"""What is put in place of the runner, of built-ins, of what differs from run to run, and of what is tested."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import PRODUCTION
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.entropy import NETWORK, source_of_variable, source_patched, source_read
from agentgate_git.source.python.folding import UNKNOWN
from agentgate_git.source.python.names import Scope
from agentgate_git.source.python.patches import ASSIGNED, Patch, Variable
from agentgate_git.source.python.standard_library import is_standard
from agentgate_git.source.python.traits.flags import given_flags
from agentgate_git.source.python.walk import IMPORTED, SUITE, TEST, Spot

OPEN = ".maybe"
ALL = ".suite"

_ASSERTS = frozenset(
    (
        *("assertEqual", "assertNotEqual", "assertTrue", "assertFalse", "assertIs", "assertIsNot", "assertIsNone"),
        *("assertIsNotNone", "assertIn", "assertNotIn", "assertIsInstance", "assertNotIsInstance", "assertRaises"),
        *("assertRaisesRegex", "assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs", "assertAlmostEqual"),
        *("assertNotAlmostEqual", "assertGreater", "assertGreaterEqual", "assertLess", "assertLessEqual"),
        *("assertRegex", "assertNotRegex", "assertCountEqual", "assertMultiLineEqual", "assertSequenceEqual"),
        *("assertListEqual", "assertTupleEqual", "assertSetEqual", "assertDictEqual", "fail", "failureException"),
        *("run", "runTest", "debug", "subTest", "skipTest", "_baseAssertEqual", "_callTestMethod", "__call__"),
        *("_getAssertEqualityFunc", "_callSetUp", "doCleanups", "defaultTestResult"),
    )
)
_RUNNER = frozenset(
    (
        *("raises", "fail", "approx", "mark", "skip", "xfail", "main", "fixture", "warns", "deprecated_call"),
        *("importorskip", "exit", "param", "Item", "Function", "Class", "Module", "Session", "TestReport"),
        *("CallInfo", "Config", "Collector", "ExitCode", "runner", "reports", "python", "assertion", "outcomes"),
        *("TestResult", "TextTestResult", "TextTestRunner", "TestLoader", "TestSuite", "TestProgram", "result"),
        *("suite", "loader", "case", "terminal", "junitxml", "PytestPluginManager", "rewrite"),
    )
)
_MOCK_CLASSES = frozenset(
    ("NonCallableMock", "Mock", "MagicMock", "AsyncMock", "NonCallableMagicMock", "CallableMixin")
)
# What mocks assert, or `*` where the names stand in a list.
_OF_MOCKS = frozenset(
    (
        *("assert_called", "assert_called_once", "assert_called_with", "assert_called_once_with", "assert_any_call"),
        *("assert_has_calls", "assert_not_called", "assert_awaited", "assert_awaited_once", "assert_awaited_with"),
        *("assert_awaited_once_with", "assert_any_await", "assert_has_awaits", "assert_not_awaited", "_call_matcher"),
        "*",
    )
)
_TOPS = ("pytest", "_pytest", "pluggy", "unittest", "doctest", "hypothesis", "mock", "numpy.testing", "nose", "nose2")
_FUNCTIONS = frozenset(
    (
        *("abs", "all", "any", "bool", "bytes", "callable", "chr", "compile", "dict", "dir", "divmod", "enumerate"),
        *("eval", "exec", "filter", "float", "frozenset", "getattr", "hasattr", "hash", "id", "int", "isinstance"),
        *("issubclass", "iter", "len", "list", "map", "max", "min", "next", "object", "open", "ord", "pow", "range"),
        *("repr", "reversed", "round", "set", "sorted", "str", "sum", "tuple", "type", "zip", "AssertionError"),
        *("Exception", "BaseException", "SystemExit", "__import__", "__build_class__"),
    )
)
_OFTEN_OPENED = frozenset(("open", "__import__", "exec", "compile"))
_OTHER_ORACLES = frozenset(("operator.eq", "operator.ne", "math.isclose", "sys.exit", "os._exit", "filecmp.cmp"))
_MOCKS = frozenset(
    ("Mock", "MagicMock", "AsyncMock", "NonCallableMock", "create_autospec", "partial", "SimpleNamespace")
)
_OF_FILES = frozenset(("pathlib", "os", "shutil", "io", "tempfile", "json", "csv", "zipfile", "sqlite3"))
_CHANGES_FILES = frozenset(
    (
        *("mkdir", "makedirs", "write_text", "write_bytes", "unlink", "remove", "rename", "replace", "chmod", "rmtree"),
        *("copy", "copyfile", "copy2", "copytree", "move", "touch", "rmdir", "symlink", "symlink_to", "chown", "fsync"),
    )
)
# What a guard raises that keeps tests from doing harm.
_OF_GUARDS = frozenset(
    ("AssertionError", "RuntimeError", "Failed", "PermissionError", "NotImplementedError", "Exception")
)
_EXCEPTHOOKS = frozenset(("sys.excepthook", "threading.excepthook", "sys.unraisablehook"))
_SELECTING = frozenset(
    (
        *("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTHONOPTIMIZE"),
        *("GTEST_FILTER", "TESTOPTS", "NOSE_EXCLUDE_TESTS", "UNITTEST_SKIP"),
    )
)
_SELECTS = pattern_of(
    r"(?:^|\s)(?:-k|-m\b|--deselect|--ignore|--co\b|--collect-only|--lf|--ff|--last-failed|--sw|--assert[= ]plain"
    r"|-p\s?no:|--noconftest|--continue-on-collection|--exitfirst|-O\b|--suppress-no-test|--runxfail|--reruns)"
)


def patch_traits(patch: Patch, spot: Spot, role: str) -> Iterator[Trait]:
    """The trait of one replaced name, if it is one that can change what a run means."""
    if spot.is_script or spot.is_dead():
        return
    everywhere = spot.when in (IMPORTED, SUITE)
    if _is_runner(patch, spot.scope):
        if everywhere and not (role == PRODUCTION and spot.when != IMPORTED):
            yield _trait("hook.outcome", patch, spot, spot.is_guarded())
    elif patch.target.startswith("builtins."):
        yield from _builtin(patch, spot, everywhere)
    elif patch.target.startswith("sys.modules:"):
        if role != PRODUCTION and everywhere:
            yield from _stub(patch, spot)
    elif patch.target in _EXCEPTHOOKS:
        if role != PRODUCTION and everywhere:
            yield _trait("hook.outcome", patch, spot, is_open=True)
    elif source := source_patched(patch.target):
        yield from _frozen(patch, source, spot, role)
    elif role != PRODUCTION and everywhere:
        yield from given_flags(patch, spot)
        yield from _subject(patch, spot)
    elif role != PRODUCTION and spot.when == TEST and _does_nothing(patch, spot.scope):
        yield _trait("hook.subject", patch, spot, is_open=True)


def _is_runner(patch: Patch, scope: Scope) -> bool:
    target = patch.target
    if target in _OTHER_ORACLES:
        return True
    top, _, rest = target.partition(".")
    if top not in _TOPS and not target.startswith(_TOPS[-3:]):
        return False
    if top == "_pytest" or top == "pluggy":
        return True
    parts = rest.split(".")
    if parts[0] == "mock" or top == "mock":
        return parts[-1] in _OF_MOCKS and parts[-2:-1] != ["mock"] and any(one in _MOCK_CLASSES for one in parts)
    if parts[0] in ("TestCase", "IsolatedAsyncioTestCase"):
        value = scope.dotted(patch.value) if patch.value is not None else ""
        return parts[-1] in (*_ASSERTS, "*") and not value.startswith(
            ("unittest.TestCase.", "unittest.IsolatedAsyncio")
        )
    return parts[0] in _RUNNER or (target.startswith("numpy.testing.assert"))


def _builtin(patch: Patch, spot: Spot, everywhere: bool) -> Iterator[Trait]:
    name = patch.target.partition(".")[2].partition(".")[0]
    if name in _FUNCTIONS and everywhere:
        yield _trait(
            "hook.outcome", patch, spot, spot.is_guarded() or (patch.how != ASSIGNED and name in _OFTEN_OPENED)
        )
    elif name in _FUNCTIONS - _OFTEN_OPENED and spot.when == TEST:
        yield _trait("hook.subject", patch, spot, is_open=True)


def _stub(patch: Patch, spot: Spot) -> Iterator[Trait]:
    """A module of our own making under a name: surely no stand-in for something optional when it has behaviour."""
    name = patch.target.partition(":")[2]
    if any(isinstance(guard, str) or "sys.modules" in written(guard) for guard in spot.guards):
        return
    value = spot.scope.assigned(patch.value) if patch.value is not None else None
    shown = value or patch.value
    is_runner = name.partition(".")[0] in ("pytest", "_pytest", "unittest", "pluggy")
    if is_runner:
        yield _trait("hook.outcome", patch, spot)
    elif shown is not None and not _is_mock(shown):
        behaves = isinstance(patch.value, ast.Name) and _is_given_behaviour(patch.value.id, spot)
        is_class = isinstance(shown, ast.Name) or not _is_module(shown)
        yield _trait("hook.subject", patch, spot, not (behaves or is_class) or "." not in name)


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last(node.func) in ("ModuleType", "new_module", "module_from_spec")


def _is_given_behaviour(name: str, spot: Spot) -> bool:
    """True when attributes of the stub are set to functions or values."""
    statements: Iterable[ast.stmt] = spot.function.body if spot.function is not None else spot.module
    key = ("behaves", id(statements))
    if key not in spot.memo:
        spot.memo[key] = {
            target.value.id
            for statement in statements
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            if isinstance(target, ast.Attribute)
            and isinstance(target.value, ast.Name)
            and not target.attr.startswith("__")
        }
    return name in spot.memo[key]


def _frozen(patch: Patch, source: str, spot: Spot, role: str) -> Iterator[Trait]:
    everywhere = spot.when in (IMPORTED, SUITE)
    if role == PRODUCTION:
        is_own = patch.how == ASSIGNED and bool(source_read(patch.target)) and is_standard(patch.target)
        is_shim = any(isinstance(guard, str) for guard in spot.guards) or _is_alike(patch, spot.scope)
        if is_own and not is_shim and not spot.is_guarded():
            yield _trait(f"entropy.freeze.{source}{ALL}", patch, spot)
        return
    if source == NETWORK and (_raises(patch.value, spot.scope) or patch.value is None):
        return
    kind = f"entropy.freeze.{source}{ALL}" if everywhere else f"entropy.freeze.{source}"
    yield _trait(kind, patch, spot, spot.is_guarded() if everywhere else _is_own_clock(patch, spot))


def _is_own_clock(patch: Patch, spot: Spot) -> bool:
    """True for a clock that the test moves on itself.

    That is the method of an object that it made and goes on to use, or what gives an item that the test sets anew.
    """
    match patch.value:
        case ast.Attribute(value=ast.Name(id=name) as owner, attr=method) if spot.function is not None:
            if not isinstance(spot.scope.settled(owner), ast.Call):
                return False
            moves = (node for statement in spot.function.body for node in _walked(statement, spot.scope))
            return any(
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == name
                and node.func.attr != method
                for node in moves
            )
        case ast.Lambda(args=given, body=ast.Subscript(value=ast.Name(id=name))) if spot.function is not None:
            is_own = not given.args and spot.scope.settled(ast.copy_location(ast.Name(name), patch.value)) is not None
            moves = (node for statement in spot.function.body for node in _walked(statement, spot.scope))
            return is_own and any(
                isinstance(node, ast.Subscript)
                and isinstance(node.ctx, ast.Store)
                and isinstance(node.value, ast.Name)
                and node.value.id == name
                for node in moves
            )
        case _:
            return False


def _is_alike(patch: Patch, scope: Scope) -> bool:
    """True where one source stands in for another: `time.clock = time.perf_counter`."""
    return patch.value is not None and bool(source_read(scope.dotted(patch.value)))


def _subject(patch: Patch, spot: Spot) -> Iterator[Trait]:
    """Something imported that is no part of Python gets other behaviour before all tests."""
    value = patch.value
    if is_standard(patch.target) and patch.target.partition(".")[0] in _OF_FILES and value is not None:
        yield from _of_system(patch, value, spot)
    if is_standard(patch.target) or patch.target.count(".") < 1 or value is None:
        return
    if patch.target.startswith(".") and patch.target.count(".") < 2:
        return
    if not _is_callable(value, spot.scope):
        if _is_swap(patch, spot.scope):
            yield _trait("hook.subject", patch, spot, spot.is_guarded())
        return
    body = _body(value, spot.scope)
    key = (f"wraps {patch.target}", id(body))
    if key not in spot.memo:
        spot.memo[key] = any(
            isinstance(node, ast.Name | ast.Attribute) and spot.scope.dotted(node) == patch.target
            for node in _walked(body, spot.scope)
        )
    is_wrapped = spot.memo[key]
    is_undone = patch.how != ASSIGNED and spot.when != IMPORTED
    is_open = spot.is_guarded() or _is_mock(value) or (is_undone and not is_wrapped)
    yield _trait("hook.subject", patch, spot, is_open)


def _of_system(patch: Patch, value: ast.expr, spot: Spot) -> Iterator[Trait]:
    """What answers for files before all tests, by a function that hands on to the real one and raises of its own.

    One that fails the test is a guard.
    """
    definition = spot.scope.definition(value)
    if not isinstance(definition, ast.FunctionDef):
        return
    name = patch.target.rpartition(".")[2]
    raised = {
        last(error.func if isinstance(error, ast.Call) else error)
        for node in _walked(definition, spot.scope)
        if isinstance(node, ast.Raise) and (error := node.exc) is not None
    }
    if (
        raised
        and raised.isdisjoint(_OF_GUARDS)
        and definition.name.strip("_") in (name, f"fake_{name}", f"strict_{name}")
    ):
        yield _trait("hook.subject", patch, spot, spot.is_guarded())
    elif raised and raised.isdisjoint(_OF_GUARDS):
        yield _trait("hook.subject", patch, spot, is_open=True)


def _does_nothing(patch: Patch, scope: Scope) -> bool:
    """True for a function of Python that changes files, and that neither does so any more nor fails."""
    top, _, name = patch.target.partition(".")
    if top not in _OF_FILES or name.rpartition(".")[2] not in _CHANGES_FILES or patch.value is None:
        return False
    if isinstance(patch.value, ast.Lambda):
        return isinstance(patch.value.body, ast.Constant)
    found = scope.definition(patch.value)
    return isinstance(found, ast.FunctionDef) and all(isinstance(one, ast.Pass | ast.Return) for one in found.body)


def _is_swap(patch: Patch, scope: Scope) -> bool:
    """True for a constant or function of Python that takes the place of another of its family."""
    value = scope.dotted(patch.value) if patch.value is not None else ""
    if not is_standard(value) or value.count(".") < 1:
        return False
    old, new = patch.target.rpartition(".")[2], value.rpartition(".")[2]
    family = old.partition("_")[0]
    return old != new and ((old.isupper() and "_" in old and new.startswith(f"{family}_")) or {old, new} <= _ROUNDINGS)


_ROUNDINGS = frozenset(("floor", "ceil", "trunc", "round", "fsum", "sum", "mean", "median", "min", "max", "lt", "gt"))


def subject_of_base(patch: Patch, spot: Spot) -> Iterator[Trait]:
    """What the set-up of a base class replaces in tests: what they import to test, by something made of it."""
    target, value = patch.target, patch.value
    if is_standard(target) or target.count(".") < 2 or value is None or not _is_callable(value, spot.scope):
        return
    if _is_mock(value) or not any(part.startswith("test_") for part in target.split(".")[:-1]):
        return
    yield _trait("hook.subject", patch, spot, spot.is_guarded())


def _walked(node: ast.AST, scope: Scope) -> Iterator[ast.AST]:
    """Everything below a node, counted as steps of reading."""
    for inner in nodes_of(node):
        scope.spend()
        yield inner


def _body(value: ast.expr, scope: Scope) -> ast.AST:
    return scope.definition(value) or value


def _is_callable(value: ast.expr, scope: Scope) -> bool:
    is_code = isinstance(value, ast.Attribute) and value.attr == "__code__"
    return isinstance(value, ast.Lambda) or is_code or _is_mock(value) or scope.definition(value) is not None


def _is_mock(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and last(value.func) in _MOCKS


def _raises(value: ast.expr | None, scope: Scope) -> bool:
    """True for a replacement that only refuses."""
    definition = scope.definition(value) if value is not None else None
    if isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef):
        return not any(
            isinstance(node, ast.Return) and node.value is not None
            for statement in definition.body
            for node in _walked(statement, scope)
        ) and any(isinstance(node, ast.Raise) for statement in definition.body for node in ast.walk(statement))
    return isinstance(definition, ast.ClassDef)


def tested_stubs(patches: Iterable[tuple[Patch, Spot]], calls: Iterable[tuple[ast.expr, Spot]]) -> Iterator[Trait]:
    """Tests that call what they have replaced themselves, and so look at their own stand-in."""
    made = [(patch, spot) for patch, spot in patches if spot.when == TEST and not is_standard(patch.target)]
    owners = {spot.owner for _, spot in made}
    names = {patch.target.rpartition(".")[2] for patch, _ in made}
    called = set()
    for node, spot in calls:
        if spot.owner in owners and (type(node) is not ast.Attribute or node.attr in names):
            called.add((spot.scope.dotted(node), spot.owner))
    for patch, spot in made:
        if (patch.target, spot.owner) in called:
            yield _trait("hook.subject", patch, spot)


def variable_traits(variable: Variable, spot: Spot, role: str) -> Iterator[Trait]:
    """The trait of an environment variable that chooses tests or freezes what differs from run to run."""
    everywhere = spot.when in (IMPORTED, SUITE)
    if role == PRODUCTION or spot.is_script or not everywhere:
        return
    what = f"{variable.name} = {'…' if variable.value is UNKNOWN else variable.value!r}"
    yield Trait("given.variable", variable.name, variable.line, spot.owner)
    if isinstance(variable.value, str):
        yield Trait("given.value", what, variable.line, spot.owner)
    if variable.name in _SELECTING:
        is_open = isinstance(variable.value, str) and not selects(variable.value) and "ADDOPTS" in variable.name
        yield Trait("env.runner" + OPEN if is_open else "env.runner", what, variable.line, spot.owner)
        return
    source = source_of_variable(variable.name)
    is_far_zone = isinstance(variable.value, str) and "/" in variable.value and spot.when == SUITE
    if source and variable.value is not UNKNOWN and not is_far_zone:
        yield Trait(f"entropy.freeze.{source}{ALL}", what, variable.line, spot.owner)


def selects(options: str) -> bool:
    """True for options of a runner that choose tests or take the sense out of assertions."""
    return bool(_SELECTS.search(options))


def _trait(kind: str, patch: Patch, spot: Spot, is_open: bool = False) -> Trait:
    value = written(patch.value, 100) if patch.value is not None else "a mock"
    what = f"{patch.target.replace('sys.modules:', 'sys.modules ')} = {value}"
    return Trait(kind + OPEN if is_open else kind, what, patch.line, spot.owner)
