"""What stands in for the real thing in tests: fakes that refuse something, factories that trust, golden files."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.nodes import nodes_of
from agentgate_git.source.python.conditions import holds_by_default
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.walk import TEST, Spot

REFUSES = "fake.refuses"
TRUSTS = "fake.trusts"
DOUBTS = "fake.doubts"
FIRST = "path.first"
GOLDEN = "golden.write"
# Of these words one stands in every file with such a trait.
WORDS = (b"class Fake", b"class Stub", b"class InMemory", b"class Memory", b"class Dummy", b"class Mock", b"Factory")
MAKERS = (b"def make_", b"def create_", b"def build_", b"def new_", b"def a_", b"def an_")

_FAKE = pattern_of(r"_*(?:Fake|Stub|InMemory|Memory|Dummy|Mock)[A-Z]\w*|[A-Z]\w*(?:Fake|Stub|Dummy)")
_MAKER = pattern_of(r"_*(?:make|create|build|new|an?)_\w+|\w*[Ff]actory\w*")
_RIGHT = pattern_of(
    r"(?:is_|has_)?(?:super_?user|admin\w*|staff|root|owner|verified|authenticated|authori[sz]ed|trusted|permitted|approved)"
)
_WRITES = frozenset(("write_text", "write_bytes", "write", "copyfile", "dump"))
_ASKS = ("environ", "getenv", "getoption")


def fake_traits(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """The errors that a fake raises under a condition, and the rights that a factory gives by default."""
    owners = spot.owner.split("::")
    if isinstance(statement, ast.Raise) and len(owners) > 1 and spot.guards and _FAKE.fullmatch(owners[-2]):
        text = written(statement.exc, 80) if statement.exc is not None else "raise"
        if "NotImplementedError" not in text:
            yield Trait(REFUSES, f"{spot.condition()}: {text}"[:200], statement.lineno, spot.owner)
    elif isinstance(statement, ast.FunctionDef) and _MAKER.fullmatch(statement.name):
        owner = f"{spot.owner}::{statement.name}" if spot.owner else statement.name
        yield from (_right(name, value, owner) for name, value in _defaults(statement))
    elif isinstance(statement, ast.Assign) and len(owners) == 1 and _MAKER.fullmatch(spot.owner):
        for target in statement.targets:
            if isinstance(target, ast.Name) and isinstance(statement.value, ast.Constant):
                pair = (target.id, statement.value)
                yield from (_right(*one, spot.owner) for one in [pair] if _is_right(*one))


def golden_traits(call: ast.Call, spot: Spot) -> Iterator[Trait]:
    """A file that is written wherever nobody says otherwise, by a helper that compares with it then."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name not in _WRITES or spot.function is None or spot.when == TEST or not spot.guards:
        return
    guard = spot.guards[-1]
    text = "" if isinstance(guard, str) else written(guard)
    is_asked = any(word in text for word in _ASKS) and not isinstance(guard, str)
    if is_asked and holds_by_default(guard, spot.scope) and _compares(spot.function):  # type: ignore[arg-type]  # as said
        yield Trait(GOLDEN, text, call.lineno, spot.owner)


def path_traits(call: ast.Call, spot: Spot) -> Iterator[Trait]:
    """A folder that is put before all others from which modules are imported."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name == "insert" and len(call.args) > 1 and spot.scope.dotted(call.func) == "sys.path.insert":
        if isinstance(call.args[0], ast.Constant) and call.args[0].value == 0:
            yield Trait(FIRST, written(call.args[1], 120), call.lineno, spot.owner)
    elif name == "syspath_prepend" and call.args:
        yield Trait(FIRST, written(call.args[0], 120), call.lineno, spot.owner)


def _compares(function: ast.AST) -> bool:
    return any(isinstance(node, ast.Assert) or "assert" in getattr(node, "attr", "") for node in ast.walk(function))


def _defaults(function: ast.FunctionDef) -> Iterator[tuple[str, ast.Constant]]:
    """The rights of what a function makes, with their values: its own defaults, and what stands in displays."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    found: list[tuple[str, ast.expr | None]] = [(one.arg, value) for one, value in pairs]
    for node in nodes_of(function):
        if isinstance(node, ast.Dict):
            keyed = zip(node.keys, node.values, strict=True)
            found += [(str(key.value), value) for key, value in keyed if isinstance(key, ast.Constant)]
        elif isinstance(node, ast.Call):
            found += [(one.arg, one.value) for one in node.keywords if one.arg]
            match node.func, node.args:
                case ast.Attribute(attr="setdefault"), [ast.Constant(value=str(name)), value]:
                    found.append((name, value))
    for name, default in found:
        if isinstance(default, ast.Constant) and _is_right(name, default):
            yield name, default


def _is_right(name: str, value: ast.Constant) -> bool:
    return isinstance(value.value, bool) and _RIGHT.fullmatch(name) is not None


def _right(name: str, value: ast.Constant, owner: str) -> Trait:
    return Trait(TRUSTS if value.value else DOUBTS, name, value.lineno, owner)
