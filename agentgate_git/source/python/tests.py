"""The tests of a Python file and whether each of them runs: what pytest and unittest collect by default.

Nothing is imported or executed. Facts are about this file alone: of a mark or helper that is imported from another
file only its name is known here (`takes`), and what it does is among the facts of that file (`offers`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agentgate_git.model.inventory import (
    AS_GLOB,
    AS_IMPORT,
    CONDITIONAL,
    NOT_COLLECTED,
    RUNS,
    CollectedTest,
    Inventory,
    Standing,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import HARNESS
from agentgate_git.source.python.assertions import AssertionReader
from agentgate_git.source.python.bodies import EARLY_RETURN, function_effects
from agentgate_git.source.python.classes import CLASS_NAME, FUNCTION_NAME, ClassReader
from agentgate_git.source.python.effects import Effect, Shared
from agentgate_git.source.python.fingerprint import Shape, shape_of
from agentgate_git.source.python.flags_taken import Flags
from agentgate_git.source.python.globs import globs_taken
from agentgate_git.source.python.held import agreeing, held_values
from agentgate_git.source.python.inherited import Inherited, inherited
from agentgate_git.source.python.left_marks import left_marks
from agentgate_git.source.python.machines import machines
from agentgate_git.source.python.module import (
    ModuleFacts,
    Placed,
    decorator_effects,
    fixture_values,
    read_module,
)
from agentgate_git.source.python.names import MAX_STEPS, STEPS_PER_BYTE, Function, TooTangled, flat
from agentgate_git.source.python.offers import (
    bases_taken,
    calls_taken,
    marks_taken,
    offers,
    pytestmarks,
    rows_taken,
)
from agentgate_git.source.python.rows import profiles
from agentgate_git.source.python.setups import setups
from agentgate_git.source.python.source import PythonSource, read_python
from agentgate_git.source.python.standard_library import is_standard
from agentgate_git.source.python.swallow import swallowers
from agentgate_git.source.python.tried_imports import TriedImports
from agentgate_git.source.python.unit import Unit, body_of
from agentgate_git.source.python.waits_for import asks_of
from agentgate_git.source.roles import is_test_file, role_of

_IMPORTED = pattern_of(r"(?:cannot import|after (?:import|from)) ([A-Za-z_][\w.]*)")
FILE_NAME = "a file name that pytest does not collect"
_BY_NAME = frozenset((FILE_NAME, CLASS_NAME, FUNCTION_NAME))
_METHOD = "a method outside of its class, which nobody gives a `self`"
DEFINED_AGAIN = "another definition of the same name"

_STEPS_PER_UNIT = 60


def read_inventory(
    path: str, data: bytes, forbidden: Iterable[str] = (), parsed: PythonSource | None = None
) -> Inventory:
    """The inventory of one file; never raises, what cannot be read is the inventory's `problem`.

    `forbidden` are marker names that the manifest forbids (`forbid_skip_markers`): they count as skips. `parsed` is
    the syntax of `data` where it is known already.
    """
    source = parsed or read_python(data)
    if source.tree is None:
        return _unread(path, source.problem)
    try:
        module = read_module(source.tree, frozenset(forbidden), MAX_STEPS + STEPS_PER_BYTE * len(data))
        if role_of(path) == HARNESS:
            found = (*setups(module), *profiles(module.statements, module.scope))
            swallows = swallowers(module.definitions, module.scope)
            offered = (*offers(module, ClassReader(module)), *left_marks(module))
            return Inventory(path, found, swallows=swallows, offers=offered, **_values(module))
        return _inventory(path, module, source.tree)
    except (RecursionError, MemoryError):
        return _unread(path, "it is nested too deeply to be read")
    except TooTangled as error:
        return _unread(path, str(error))


def _unread(path: str, problem: str) -> Inventory:
    """A file that cannot be read is a problem where tests are collected from it; a broken sample is not."""
    is_collected = is_test_file(path) or role_of(path) == HARNESS
    return Inventory(path, (), problem if is_collected else "")


def _inventory(path: str, module: ModuleFacts, tree: ast.Module) -> Inventory:
    by_name = () if is_test_file(path) else (Effect(NOT_COLLECTED, FILE_NAME, 1),)
    everywhere = Shared((*module.effects, *by_name))
    but_for_name = Shared(effect for effect in module.effects if effect.marker not in _BY_NAME)
    classes = ClassReader(module)
    shapes: dict[Function, Shape] = {}
    imports = TriedImports(module.statements)
    units = []
    for unit in _last_of_each(_units(module, classes)):
        module.scope.spend(len(module.effects) + len(by_name))
        if unit.function not in shapes:
            shapes[unit.function] = shape_of(body_of(unit.function))
        units.append((unit, imports.told(everywhere.total(unit.effects, unit.function.lineno))))
    helpers = _helpers(units, shapes)
    reader = AssertionReader(module, tree)
    takes, flags = _Takes(path, module, classes), Flags(module)
    given = ((name, fixture_values(one, module.scope)) for name, one in module.fixtures.items())
    values = {name: rows for name, rows in given if rows}
    tests = (
        _collected(unit, effect, shapes[unit.function], reader)._replace(
            but_for_name=_but_for_name(effect, but_for_name, unit),
            takes=(*takes.of(unit), *flags.of(effect), *_imports(effect)),
            asks=asks_of(effect, module),
            fixed=_fixed(unit, values),
        )
        for unit, effect in units
        if unit.function not in helpers
    )
    inherits = tuple(sorted(classes.foreign_bases)) if is_test_file(path) else ()
    run = machines(module.statements) if is_test_file(path) else ()
    found = (*tests, *profiles(module.statements, module.scope), *run)
    swallows = swallowers(module.definitions, module.scope)
    offered = offers(module, classes)
    own = (placed.node for placed in module.definitions if isinstance(placed.node, ast.ClassDef))
    taken = inherited(own, module.scope) if is_test_file(path) else Inherited((), ())
    return Inventory(
        path,
        found,
        inherits=inherits,
        swallows=swallows,
        offers=offered,
        bases=taken.bases,
        cleared=taken.cleared,
        **_values(module),
    )


def _values(module: ModuleFacts) -> dict[str, Any]:
    return {"held": held_values(module), "agrees": agreeing(module)}


class _Takes:
    """What the tests of one module take from other files; what a module or a class takes is found once."""

    def __init__(self, path: str, module: ModuleFacts, classes: ClassReader) -> None:
        self._path = path
        self._module = module
        self._classes = classes
        self._everywhere = tuple(marks_taken(pytestmarks(module.statements), module.scope))
        self._of_class: dict[ast.ClassDef, tuple[str, ...]] = {}

    def of(self, unit: Unit) -> tuple[str, ...]:
        """What decides for one test."""
        scope = unit.body.place.scope
        own = (
            *marks_taken(unit.function.decorator_list, scope),
            *rows_taken(unit.function.decorator_list, scope),
            *calls_taken(unit.function, scope),
            *(f"{AS_GLOB} {one}" for one in globs_taken(unit.function.decorator_list, self._path, scope)),
        )
        return tuple(dict.fromkeys((*self._everywhere, *self._by_class(unit), *own)))

    def _by_class(self, unit: Unit) -> tuple[str, ...]:
        node = unit.owner
        if node is None:
            return ()
        if node not in self._of_class:
            scope = self._module.scope
            marks, bases, setups = self._classes.taken(node)
            calls = (name for function in setups for name in calls_taken(function, scope))
            self._of_class[node] = (*marks_taken(marks, scope), *bases_taken(bases, scope), *calls)
        return self._of_class[node]


def _collected(unit: Unit, effect: Effect, shape: Shape, reader: AssertionReader) -> CollectedTest:
    checked = reader.read(unit.function, unit.body, unit.owner)
    if effect.marker == EARLY_RETURN and effect.state == CONDITIONAL and checked.assertions:
        # Each of its assertions says so.
        effect = Effect(RUNS, "", unit.function.lineno)
    return CollectedTest(
        unit.name,
        effect.state,
        effect.line,
        shape.digest,
        effect.marker,
        effect.condition,
        assertions=checked.assertions,
        rows=checked.rows,
        calls=tuple(sorted(shape.calls)),
        knobs=checked.knobs,
        said=checked.said,
    )


def _fixed(unit: Unit, values: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The parameters of the fixtures of this file that a test asks for; `values` are those of each fixture."""
    arguments = [one.arg for one in (*unit.function.args.args, *unit.function.args.kwonlyargs)] if values else ()
    return tuple(row for name in arguments for row in values.get(name, ()))


def _imports(effect: Effect) -> Iterator[str]:
    """The modules without which a test is skipped, which may be those of the project."""
    if effect.state == CONDITIONAL and "import" in effect.condition:
        yield from (
            f"{AS_IMPORT} {module}.*" for module in _IMPORTED.findall(effect.condition) if not is_standard(module)
        )


def _but_for_name(effect: Effect, everywhere: Shared, unit: Unit) -> Standing | None:
    """What else is known of a test that only its name, or that of its file, keeps from being collected."""
    if effect.marker not in _BY_NAME:
        return None
    own = (other for other in unit.effects if other.marker not in _BY_NAME)
    one = everywhere.total(own, unit.function.lineno)
    return Standing(one.state, one.marker, one.line, one.condition)


def _helpers(units: list[tuple[Unit, Effect]], shapes: dict[Function, Shape]) -> set[Function]:
    """Functions that are no tests by name and that tests call: they run, and are part of those tests."""
    named: dict[str, list[Function]] = {}
    wanted: list[str] = []
    for unit, effect in units:
        if not unit.function.name.startswith("test"):
            named.setdefault(unit.function.name, []).append(unit.function)
        elif effect.state != NOT_COLLECTED:
            wanted.extend(shapes[unit.function].calls)
    helpers: set[Function] = set()
    while wanted:
        for function in named.pop(wanted.pop(), ()):
            helpers.add(function)
            wanted.extend(shapes[function].calls)
    return helpers


def _units(module: ModuleFacts, classes: ClassReader) -> Iterator[Unit]:
    last = {one.name: one for one in module.statements if isinstance(one, ast.ClassDef)}
    lost = _lost_methods(module)
    for placed in module.definitions:
        module.scope.spend(_STEPS_PER_UNIT)
        if isinstance(placed.node, ast.ClassDef):
            other = last.get(placed.node.name, placed.node)
            is_hidden = other is not placed.node and other.lineno > placed.node.lineno and _is_forgotten(placed, other)
            for unit in classes.units(placed):
                module.scope.spend(_STEPS_PER_UNIT + len(unit.effects))
                yield _hidden(unit, other) if is_hidden else unit
        elif placed.node.name not in module.setups and (
            placed.node.name.startswith("test") or not module.is_fixture(placed.node)
        ):
            unit = _function_unit(placed, placed.node, module, lost)
            module.scope.spend(len(unit.effects))
            yield unit


def _function_unit(placed: Placed, function: Function, module: ModuleFacts, lost: frozenset[str]) -> Unit:
    effects = (
        *placed.effects,
        *module.changes.get(function.name, ()),
        *decorator_effects(function.decorator_list, module.body),
        *module.fixture_effects(function),
        *function_effects(function, module.body),
    )
    if not function.name.startswith("test"):
        effects = (*effects, Effect(NOT_COLLECTED, FUNCTION_NAME, function.lineno))
    if function.name in lost:
        effects = (*effects, Effect(NOT_COLLECTED, _METHOD, function.lineno))
    return Unit(function.name, function, effects, bool(placed.effects), module.body)


def _lost_methods(module: ModuleFacts) -> frozenset[str]:
    """Functions that ask for a `self` which nobody gives them: no fixture, and no statement that names them.

    What a statement of the file or of one of its classes names may be put into a class.
    """
    functions = (one.node for one in module.definitions if not isinstance(one.node, ast.ClassDef))
    names = {
        one.name
        for one in functions
        if [arg.arg for arg in one.args.args[:1]] == ["self"] and one.name.startswith("test") and not one.decorator_list
    }
    if not names or "self" in module.fixtures:
        return frozenset()
    plain = (one for one, _ in flat(module.statements) if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
    own = (inner for one in plain for inner in (one.body if isinstance(one, ast.ClassDef) else [one]))
    values = (one for one in own if isinstance(one, ast.Assign | ast.Expr | ast.For))
    for node in (node for one in values for node in ast.walk(one)):
        if isinstance(node, ast.Name):
            names.discard(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.discard(node.value)
    return frozenset(names)


def _is_forgotten(placed: Placed, other: ast.ClassDef) -> bool:
    """True for a class of which nothing is left once `other` has its name: no base of it, and registered nowhere."""
    if any(not _is_mark(one) for one in placed.node.decorator_list):
        return False
    named = (part for base in other.bases for part in ast.walk(base) if isinstance(part, ast.Name))
    return all(part.id != other.name for part in named)


def _is_mark(decorator: ast.expr) -> bool:
    """True for a decorator of pytest, unittest or mock, which keeps what it is put on nowhere."""
    node = decorator
    while isinstance(node, ast.Call | ast.Attribute):
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in ("pytest", "unittest", "mock", "patch")


def _hidden(unit: Unit, other: ast.ClassDef) -> Unit:
    return unit._replace(effects=(Effect(NOT_COLLECTED, DEFINED_AGAIN, other.lineno),))


def _last_of_each(units: Iterable[Unit]) -> Iterator[Unit]:
    """Of definitions with one name only the last is there at run time, unless branches choose between them."""
    listed = list(units)
    last = {unit.name: unit for unit in listed}
    for unit in listed:
        other = last[unit.name]
        if other is unit or unit.is_branched or other.is_branched:
            yield unit
        else:
            yield unit._replace(effects=(Effect(NOT_COLLECTED, DEFINED_AGAIN, other.function.lineno),))
