"""What a test asserts and with what it is run: its own statements, helpers and fixtures of the same file."""

from __future__ import annotations

import ast

from agentgate_git.model.inventory import Assertion
from agentgate_git.model.record import Record
from agentgate_git.source.python.bodies import Body
from agentgate_git.source.python.module import ModuleFacts
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.places import FUEL, GENERATOR, MAX_ASSERTIONS, Here, is_generator
from agentgate_git.source.python.rows import rows_of
from agentgate_git.source.python.statements import FunctionReader
from agentgate_git.source.python.swallow import decorator_void

_SETUPS = ("setUp", "tearDown", "setup_method", "teardown_method", "asyncTearDown")


class Checked(Record):
    """What a test asserts, and with what it is run (`Rows`)."""

    assertions: tuple[Assertion, ...]
    rows: tuple[str, ...]
    knobs: tuple[tuple[str, str], ...]


class _Seen(Record):
    """What was read of a test, and the methods of its class that it was read with."""

    checked: Checked
    methods: tuple[tuple[str, Function | None], ...]


class AssertionReader:
    """Reads the functions of one module; what a helper asserts is read once."""

    def __init__(self, module: ModuleFacts, tree: ast.Module) -> None:
        self._module = module
        self._tree = tree
        self._known: dict[Function, tuple[Assertion, ...]] = {}
        self._read: dict[Function, _Seen] = {}
        self._generators: dict[Function, bool] = {}
        self._called: frozenset[str] | None = None

    def read(self, function: Function, body: Body, owner: ast.ClassDef | None) -> Checked:
        """The assertions of a test, of its fixtures of this file and of the set-up and tear-down of its class.

        `owner` is the class that the test belongs to. A test that several classes inherit is read once when the same
        methods stand behind it.
        """
        seen = self._read.get(function)
        is_plain = not (owner and owner.decorator_list)
        if seen is not None and is_plain and all(body.methods.get(name) is method for name, method in seen.methods):
            return seen.checked
        reader = FunctionReader(self, function, body, None, frozenset(), FUEL)
        void = decorator_void(function, reader.writer)
        if not void and reader.flow.has_yield and is_generator(function) and not function.decorator_list:
            void = GENERATOR
        found = list(reader.read(Here(void)))
        is_test = function.name.startswith("test")
        around = [body.methods[name] for name in _SETUPS if name in body.methods] if is_test else []
        around += [self._module.fixtures[one] for one in reader.flow.arguments if one in self._module.fixtures]
        for helper in around:
            found += self.helper(helper, body, FUEL)
        decorators = [*function.decorator_list, *(owner.decorator_list if owner else ())]
        ran = rows_of(function, decorators, reader.scope, reader.writer)
        checked = Checked(tuple(found[:MAX_ASSERTIONS]), ran.rows, ran.knobs)
        if is_plain:
            names = (*reader.flow.calls, *_SETUPS)
            self._read[function] = _Seen(checked, tuple((name, body.methods.get(name)) for name in names))
        return checked

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
            calls = (node for node in ast.walk(self._tree) if isinstance(node, ast.Call))
            self._called = frozenset(node.func.id for node in calls if isinstance(node.func, ast.Name))
        return self._called
