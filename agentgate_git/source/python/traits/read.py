"""What else a Python file does that can change what a run of tests means: the traits of model.facts.Trait.

Kinds: `hook.outcome`, `hook.collection`, `hook.exit`, `hook.subject`, `exit.process`, `exit.status`, `env.runner`,
`report.write`, `rerun`; `entropy.read.*`, `entropy.freeze.*`, `entropy.fixed.*`, `entropy.naive.tz`,
`entropy.record`, `entropy.match`; `special.*` in production. A kind that ends in `.maybe` is one of
which the file alone does not tell whether it does harm, `.suite` says that it holds for every test.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.config_paths import config_format
from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.model.role import HARNESS, PRODUCTION
from agentgate_git.source.nodes import last
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.names import MAX_STEPS, STEPS_PER_BYTE, Scope, TooTangled
from agentgate_git.source.python.patches import (
    PATCHES,
    SETS_VARIABLES,
    Patch,
    assigned_patches,
    assigned_variables,
    called_patches,
    called_variables,
)
from agentgate_git.source.python.traits import (
    entropy,
    exits,
    fakes,
    helped,
    hooks,
    outcomes,
    reports,
    special,
)
from agentgate_git.source.python.traits.asked import QUESTIONS, asked_traits
from agentgate_git.source.python.traits.flags import asked_flags, flags_asked
from agentgate_git.source.python.traits.lists import list_traits
from agentgate_git.source.python.traits.loaders import loader_traits
from agentgate_git.source.python.traits.patches import (
    patch_traits,
    subject_of_base,
    tested_stubs,
    variable_traits,
)
from agentgate_git.source.python.traits.suites import suite_traits
from agentgate_git.source.python.traits.support import is_script, is_support
from agentgate_git.source.python.traits.test_settings import asked_settings
from agentgate_git.source.python.walk import SETUP, TEARDOWN, TEST, Spot, Walk, expressions
from agentgate_git.source.roles import is_test_file, role_of
from agentgate_git.source.test_data import is_left_out

PLUGIN = "plugin.named"
# Words of which one stands in every file that has a trait: looked for before anything is parsed, in plain bytes
# since that is a tenth of the time that one pattern of them all takes.
_TEST_SIDE = (
    *(
        b"pytest_",
        b"outcome",
        b"exit",
        b"environ",
        b"setattr",
        b"patch",
        b"sys.modules",
        b"builtins",
        b"seed",
        b"random",
    ),
    *(b"time", b"freez", b"travel", b"socket", b"locale", b"uuid", b"unittest.TestCase.", b"flaky", b"retry", b"kill"),
    *(
        b"execl",
        b"execv",
        b"abort",
        b"load_tests",
        b"setenv",
        b"putenv",
        b"umask",
        b"chdir",
        b"record_mode",
        b"match_on",
    ),
    *(
        b"match_requests_on",
        b"RECORD_MODE",
        b"MATCH_ON",
        b"sorted(",
        b"listdir",
        b"urandom",
        b"write",
        b"copy",
        b"replace",
    ),
    *(b"SystemExit", b"def assert", b"def addFailure", b"wasSuccessful", b"except AssertionError", b"except Exception"),
    *(b"TestLoader", b"TestSuite", b"testMethodPrefix", b".discover(", b"makeSuite", b"def addError"),
    *(b"SKIP", b"XFAIL", b"QUARANTINE", b"FLAKY", b"KNOWN_", b"DISABLED", b"BROKEN", b"UNSTABLE", b".failures"),
    *(b".errors", b".unexpectedSuccesses", b"TestResult()", b"filterwarnings"),
    *(b"json.load", b"safe_load", b"DictReader", b"csv.reader", b"read_text", b"yaml.load", b"iterdir", b".glob("),
    *(
        *fakes.WORDS,
        *fakes.MAKERS,
        *helped.WORDS,
        b"atexit",
        b"signal",
        b"__dict__",
        b"_pytest",
        b"requests",
        b"rerun",
        b"excinfo",
        b"lambda",
        b"Mock",
    ),
)
_IN_PRODUCTION = (
    *(b"import time", b"from time ", b", time", b"random", b"datetime", b"uuid", b"secrets", b"socket", b"builtins"),
    *(
        b"atexit",
        b"freezegun",
        b"time_machine",
        b"urandom",
        b"._exit",
        b" _exit",
        b'"_exit',
        b"'_exit",
        b"pytest",
        b"PYTEST",
        b"CURRENT_TEST",
        b"environ",
        b"getenv",
        b"unittest",
        b"py.test",
    ),
    *(
        b"conftest",
        b"__main__.",
        b"_called_from_test",
        b"_getframe",
        b"inspect.stack",
        b"tests/",
        b"test/",
        b"golden",
        b"from tests",
        b"from test",
    ),
    *(
        b"errors=",
        b"tzinfo=None",
        b".get(tuple",
        b"= getattr(",
        b"next(_",
        b"pop(0)",
        b"popleft",
        b"{(",
        b"}.get(",
        b'"TESTING"',
    ),
    *(b"sys.modules", b"orig_argv"),
    *(
        b"def __eq__",
        b"'TESTING'",
        b"_TEST",
        b'"CI"',
        b"'CI'",
        b"TEST_MODE",
        b"UNITTEST",
        b"_TESTS",
        b"settings.TESTING",
        b"conf.TESTING",
    ),
)
_LITERALS = pattern_of(
    rb"\bin[ \t]{1,9}\w{1,60}:[ \t]{0,9}\n[ \t]{1,80}return[ \t]{1,9}\w{1,60}\["
    rb"|\d{9}|[12]\d\d\d-[01]\d-|==[ \t]{0,9}(?:[\[({]|-?\d\d|['\"][^'\"\n]{6})|case[ \t]{1,9}[\[(\d]"
    rb"|except(?:[ \t]{1,9}\w{0,40}Exception[^:\n]{0,40})?:[ \t]{0,9}\n[ \t]{1,80}return"
    rb"|(?:\)[^\n]{0,99}:|['\"]{3})[ \t]{0,9}\n(?:[ \t]{1,80}['\"][^\n]{0,200}\n)?[ \t]{1,80}return[ \t](?:True\b|-?\d)"
)
_HOOKS = (
    *(b"def pytest_", b"TestReport", b"load_tests", b"TestLoader", b"TestSuite", b"TextTestRunner", b"TestResult"),
    *(b"def addFailure", b"testMethodPrefix", b"wasSuccessful", b".discover(", b"unittest.main", b".failures"),
)


_ASSIGNING = frozenset((ast.Assign, ast.AnnAssign, ast.AugAssign))
_MADE = frozenset((ast.FunctionDef, ast.Raise, ast.Assign))
_HELPS = frozenset((ast.Assign, ast.FunctionDef, ast.AsyncFunctionDef, ast.With, ast.AsyncWith))
_RERUN = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.For, ast.While))


class ReadTraits(Record):
    """The traits of a file; `problem` says why they could not be read, else it is empty."""

    traits: tuple[Trait, ...]
    problem: str = ""


def may_have_traits(path: str, role: str, data: bytes) -> bool:
    """True when some word in the bytes of the file makes it worth parsing for traits."""
    if role == HARNESS or (path.endswith("__init__.py") and role != PRODUCTION):
        return True
    if role != PRODUCTION and is_left_out(path.rpartition("/")[2]):
        return True
    is_ordinary = role == PRODUCTION and not is_support(path)
    return any(word in data for word in trait_words(path, role)) or (
        is_ordinary and (bool(_LITERALS.search(data)) or bool(flags_asked(data, data)))
    )


def trait_words(path: str, role: str) -> tuple[bytes, ...]:
    """The words of which one stands in every file that has a trait, answers written down apart."""
    if role != PRODUCTION:
        return _TEST_SIDE
    return _HOOKS if is_support(path) else _IN_PRODUCTION


def read_traits(path: str, tree: ast.Module, size: int) -> ReadTraits:
    """The traits of a parsed file of `size` bytes, or why they cannot be read."""
    role = role_of(path)
    try:
        reader = _Reader(path, role, Scope(tree.body, steps=MAX_STEPS + STEPS_PER_BYTE * size))
        return ReadTraits(tuple(dict.fromkeys(reader.traits(tree))))
    except (RecursionError, MemoryError):
        return ReadTraits((), "it is nested too deeply to be read")
    except TooTangled as error:
        return ReadTraits((), str(error))


class _Reader:
    """Reads the traits of one file."""

    def __init__(self, path: str, role: str, scope: Scope) -> None:
        self._role = role
        self._path = path
        self._scope = scope
        self._is_collected = role == HARNESS or is_test_file(path) or path.endswith("__init__.py")
        self._is_product = role == PRODUCTION and not is_support(path)
        self._is_script = is_script(path)
        self._is_shared = role != PRODUCTION and not is_test_file(path)
        self._is_runner = bool(config_format(path))
        self._draws = False
        self._patches: list[tuple[Patch, Spot]] = []
        self._calls: list[tuple[ast.expr, Spot]] = []

    def traits(self, tree: ast.Module) -> Iterator[Trait]:
        """Every trait of the file."""
        is_product = self._is_product and not self._is_script
        self._draws = self._role != PRODUCTION and entropy.has_own_chance(tree.body)
        for statement, spot in Walk(tree, self._scope):
            nodes = expressions(statement)
            calls = [node for node in nodes if type(node) is ast.Call]
            if is_product:
                yield from self._in_production(statement, nodes, calls, spot)
            elif self._role != PRODUCTION:
                yield from self._in_tests(statement, nodes, calls, spot)
            yield from self._anywhere(statement, calls, spot)
        if self._role != PRODUCTION:
            yield from tested_stubs(self._patches, self._calls)

    def _anywhere(self, statement: ast.stmt, calls: list[ast.Call], spot: Spot) -> Iterator[Trait]:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            is_open = self._role == PRODUCTION and not self._is_runner
            yield from _opened(hooks.function_traits(statement, spot), is_open)
            if self._role != PRODUCTION:
                yield from loader_traits(statement, spot)
            if self._role != PRODUCTION or self._is_runner:
                yield from hooks.method_traits(statement, spot)
        if self._role != PRODUCTION or not self._is_product:
            yield from suite_traits(statement, calls, spot)
        if self._is_runner and self._role == PRODUCTION and not self._is_product:
            yield from exits.statement_traits(statement, calls, spot, self._role)
        if self._role == PRODUCTION and not self._is_product:
            if "pytest_" in spot.owner:
                yield from _opened(outcomes.statement_traits(statement, spot), is_open=True)
            return
        if self._is_collected or self._role == PRODUCTION or spot.when in (SETUP, TEARDOWN):
            yield from exits.statement_traits(statement, calls, spot, self._role)
        place = self._decorated(statement, spot) if calls else spot
        if type(statement) in _ASSIGNING:
            yield from self._assigned(statement, place)
        for call in calls:
            yield from self._called(call, place)

    def _assigned(self, statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
        targets: list[ast.expr] = getattr(statement, "targets", None) or [statement.target]  # type: ignore[attr-defined]
        if all(type(target) is ast.Name for target in targets):
            return
        for patch in assigned_patches(statement, spot.scope):
            yield from self._patched(patch, spot)
        for variable in assigned_variables(statement, spot.scope):
            yield from variable_traits(variable, spot, self._role)

    def _decorated(self, statement: ast.stmt, spot: Spot) -> Spot:
        """What a decorator of a test does, it does for that test."""
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name.startswith("test"):
            inner = spot.inside(statement, TEST)
            inner.is_nested = spot.is_nested
            return inner
        return spot

    def _called(self, call: ast.Call, spot: Spot) -> Iterator[Trait]:
        called = call.func
        name = last(called)
        if name in PATCHES:
            for patch in called_patches(call, spot.scope):
                yield from self._patched(patch, spot)
        if name in SETS_VARIABLES:
            for variable in called_variables(call, spot.scope):
                yield from variable_traits(variable, spot, self._role)
        if call.keywords or name == "sorted":
            yield from entropy.other_calls(call, spot, self._role)
        if spot.when == TEST and self._role != PRODUCTION:
            self._calls.append((called, spot))
        if entropy.wants_name(called):
            if self._draws:
                yield from entropy.own_chance(call, spot)
            name = spot.scope.dotted(called)
            if name:
                yield from entropy.call_traits(call, name, spot, self._role)

    def _patched(self, patch: Patch, spot: Spot) -> Iterator[Trait]:
        self._patches.append((patch, spot))
        yield from patch_traits(patch, spot, self._role)
        if self._role != PRODUCTION:
            yield from helped.limit_traits(patch, spot)
        if self._is_shared and spot.when == SETUP and "::" in spot.owner:
            yield from subject_of_base(patch, spot)

    def _in_tests(
        self, statement: ast.stmt, nodes: list[ast.AST], calls: list[ast.Call], spot: Spot
    ) -> Iterator[Trait]:
        kind = type(statement)
        yield from _named_plugins(statement, spot)
        if kind is ast.Assign:
            yield from list_traits(statement, spot, self._path)
        if kind is ast.Assign or kind is ast.Expr or kind is ast.Delete:
            yield from outcomes.statement_traits(statement, spot)
        if kind in _RERUN:
            yield from outcomes.reruns(statement, spot)
            yield from outcomes.hidden_warnings(statement, spot)
        if kind is ast.Assign:
            yield from entropy.statement_traits(statement, spot)
        if kind is ast.AugAssign or kind is ast.Assign:
            yield from entropy.clock_moves(statement, spot)
        if kind in _MADE:
            yield from fakes.fake_traits(statement, spot)
        if kind in _HELPS:
            yield from helped.statement_traits(statement, spot)
        for call in calls:
            yield from helped.call_traits(call, spot)
            yield from fakes.golden_traits(call, spot)
            yield from fakes.path_traits(call, spot)
            yield from outcomes.call_traits(call, spot)
            if last(call.func) in reports.WRITES:
                yield from reports.call_traits(call, spot, self._role)
        for node in nodes:
            if type(node) is ast.Constant and len(nodes) > 1:
                yield from helped.text_traits(node, spot)
            elif type(node) is ast.Dict:
                for key, value in zip(node.keys, node.values, strict=True):
                    if type(key) is ast.Constant:
                        yield from entropy.pair_traits(key, value, spot)

    def _in_production(
        self, statement: ast.stmt, nodes: list[ast.AST], calls: list[ast.Call], spot: Spot
    ) -> Iterator[Trait]:
        yield from special.statement_traits(statement, spot)
        yield from special.counters(statement, spot)
        yield from asked_flags(statement, nodes, spot)
        yield from asked_settings(statement, nodes, spot)
        for call in calls:
            if last(call.func) in reports.WRITES:
                yield from reports.call_traits(call, spot, self._role)
        if not isinstance(statement, ast.Expr) or calls:
            for node in nodes:
                if type(node) is ast.Constant:
                    yield from entropy.constant_traits(node, spot)
                elif type(node) in QUESTIONS:
                    yield from asked_traits(node, spot, statement)
                    yield from special.node_traits(node, spot)


def _named_plugins(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """The modules that `pytest_plugins` names: their hooks act on the tests of the project."""
    match statement:
        case ast.Assign(targets=[ast.Name(id="pytest_plugins")], value=value) if not spot.owner:
            named = fold(value, spot.scope.constant)
            for one in [named] if isinstance(named, str) else named if isinstance(named, list | tuple) else ():
                yield Trait(PLUGIN, str(one), statement.lineno)


def _opened(traits: Iterable[Trait], is_open: bool) -> Iterator[Trait]:
    """The traits, left open where they stand in what may be a plugin."""
    for trait in traits:
        is_sure = is_open and not trait.kind.endswith(hooks.OPEN)
        yield trait._replace(kind=trait.kind + hooks.OPEN) if is_sure else trait
