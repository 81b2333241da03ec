"""What a test asserts and with what it is run: its own statements, helpers and fixtures of the same file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.inventory import Assertion
from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python import reasons
from agentgate_git.source.python.acts import awaited, behind_acts
from agentgate_git.source.python.bodies import Body
from agentgate_git.source.python.exit_statuses import exit_statuses
from agentgate_git.source.python.module import ModuleFacts
from agentgate_git.source.python.module_lists import Tables, tables_of
from agentgate_git.source.python.names import Function, Scope, TooTangled
from agentgate_git.source.python.places import FUEL, MAX_ASSERTIONS, Here, is_generator
from agentgate_git.source.python.rows import Rows, gives_rows, rows_of
from agentgate_git.source.python.self_fed import computed
from agentgate_git.source.python.statements import FunctionReader
from agentgate_git.source.python.strict_mocks import strict_mocks
from agentgate_git.source.python.swallow import AS_DECORATOR, decorator_void

_SETUPS = ("setUp", "tearDown", "setup_method", "teardown_method", "asyncTearDown")


class Checked(Record):
    """What a test asserts, and with what it is run (`Rows`); `said` as in CollectedTest."""

    assertions: tuple[Assertion, ...]
    rows: tuple[str, ...]
    knobs: tuple[tuple[str, str], ...]
    said: tuple[str, ...] = ()


class _Seen(Record):
    """What the statements of a test say, with what it is run, the fixtures of this file that it asks for, and the
    methods of its class that it was read with.
    """

    found: tuple[Assertion, ...]
    ran: Rows
    fixtures: tuple[Function, ...]
    methods: tuple[tuple[str, Function | None], ...]
    said: tuple[str, ...]


def _decorators(function: Function, scope: Scope) -> Iterator[str]:
    """The names of decorators that are no marks, as what stands around the assertions of a test."""
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(called, ast.Name | ast.Attribute) and not scope.dotted(called).startswith(
            ("pytest.", "unittest.")
        ):
            yield f"{AS_DECORATOR}{last(called)}"


class AssertionReader:
    """Reads the functions of one module; what a helper asserts is read once."""

    def __init__(self, module: ModuleFacts, tree: ast.Module) -> None:
        self._module = module
        self._tree = tree
        self._known: dict[Function, tuple[Assertion, ...]] = {}
        self._read: dict[Function, _Seen] = {}
        self._generators: dict[Function, bool] = {}
        self._called: frozenset[str] | None = None
        self._awaited: frozenset[str] | None = None
        self._tables: Tables | None = None

    def read(self, function: Function, body: Body, owner: ast.ClassDef | None) -> Checked:
        """The assertions of a test, of its fixtures of this file and of the set-up and tear-down of its class.

        `owner` is the class that the test belongs to. The statements of a test that several classes inherit are read
        once when the same methods stand behind them.
        """
        seen = self._read.get(function)
        given = [one for one in owner.decorator_list if gives_rows(one)] if owner else []
        if not seen or given or any(body.methods.get(name) is not method for name, method in seen.methods):
            seen = self._statements(function, body, given)
            if not given:
                self._read[function] = seen
        found = list(seen.found)
        setups = _SETUPS if function.name.startswith("test") else ()
        for helper in (*(body.methods[name] for name in setups if name in body.methods), *seen.fixtures):
            found += self.helper(helper, body, FUEL)
        if len(found) > MAX_ASSERTIONS:
            raise TooTangled(f"{function.name} makes more than {MAX_ASSERTIONS} assertions")
        return Checked(tuple(found), seen.ran.rows, seen.ran.knobs, seen.said)

    def _statements(self, function: Function, body: Body, given: list[ast.expr]) -> _Seen:
        """Read a test; `given` are decorators of its class that give it rows."""
        reader = FunctionReader(self, function, body, None, frozenset(), FUEL)
        void = decorator_void(function, reader.writer)
        if not void and reader.flow.has_yield and is_generator(function) and not function.decorator_list:
            void = reasons.GENERATOR
        found = reader.read(Here(void, within=" ".join(_decorators(function, reader.scope))))
        found = tuple(computed(found, function, reader.scope))
        found = (*found, *strict_mocks(function, reader.flow.calls, reader.writer))
        fixtures = self._module.fixtures
        asked = tuple(fixtures[one] for one in reader.flow.arguments if one in fixtures)
        ran = rows_of(function, [*function.decorator_list, *given], reader.scope, reader.writer)
        calls, is_async = reader.flow.calls, bool(reader.flow.awaits)
        said = (
            *exit_statuses(function, calls, reader.writer),
            *behind_acts(function, found),
            *awaited(function, calls, is_async),
        )
        return _Seen(found, ran, asked, tuple((name, body.methods.get(name)) for name in reader.flow.calls), said)

    def helper(
        self, function: Function, body: Body, fuel: int, outer: FunctionReader | None = None
    ) -> tuple[Assertion, ...]:
        """The assertions of a function that is called, with placeholders for its arguments."""
        if fuel == 0:
            return ()
        if function not in self._known:
            self._known[function] = ()
            names = frozenset(
                one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
            )
            reader = FunctionReader(self, function, body, outer, names - {"self", "cls"}, fuel - 1)
            self._known[function] = reader.read(Here())
        return self._known[function]

    def is_generator(self, function: Function) -> bool:
        """True for a function with a `yield` of its own."""
        if function not in self._generators:
            self._generators[function] = is_generator(function)
        return self._generators[function]

    def callables(self) -> frozenset[str]:
        """The names that the file calls somewhere."""
        if self._called is None:
            calls = (node.func for node in nodes_of(self._tree) if type(node) is ast.Call)
            self._called = frozenset(called.id for called in calls if isinstance(called, ast.Name))
        return self._called

    def awaited(self) -> frozenset[str]:
        """The last names of what the file awaits somewhere."""
        if self._awaited is None:
            awaits = (node.value for node in nodes_of(self._tree) if type(node) is ast.Await)
            self._awaited = frozenset(last(one.func) for one in awaits if isinstance(one, ast.Call))
        return self._awaited

    def table(self, name: str) -> tuple[ast.expr | None, int, int]:
        """What a name is set to at the top, how often it is read, and how often something is put on it."""
        if self._tables is None:
            self._tables = tables_of(self._tree)
        return self._tables.of(name)
