"""What code reads that differs from run to run, and where it makes that the same in every run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import PRODUCTION
from agentgate_git.source.nodes import last
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.entropy import (
    CLOCK,
    CONCURRENCY,
    FILESYSTEM,
    FREEZING_PACKAGES,
    LAST_NAMES,
    LOCALE,
    ORDER,
    RNG,
    TZ,
    source_frozen,
    source_read,
)
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.names import Scope
from agentgate_git.source.python.walk import IMPORTED, SUITE, TEST, Spot

ALL = ".suite"

_SEEDED = frozenset(("random.Random", "numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.PCG64"))
_NEEDS_CONSTANT = frozenset(("random.seed", "numpy.random.seed", "torch.manual_seed", "hypothesis.seed"))
_DRAWS = frozenset(
    (
        *(
            "random",
            "randint",
            "randrange",
            "choice",
            "choices",
            "sample",
            "shuffle",
            "uniform",
            "gauss",
            "getrandbits",
        ),
        *("normalvariate", "expovariate", "betavariate", "triangular", "randbytes", "_randbelow"),
    )
)
_DATE = pattern_of(r"(?:19|20|21)\d\d-[01]\d-[0-3]\d(?:[T ]|$)")
_UUID = pattern_of(r"[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$", re.I)
_DATES = frozenset(("datetime.datetime", "datetime.date", "datetime.datetime.fromtimestamp", "uuid.UUID"))
_RECORDS = frozenset(("record_mode", "match_on", "match_requests_on"))


def call_traits(call: ast.Call, name: str, spot: Spot, role: str) -> Iterator[Trait]:
    """Traits of one call; `name` is the dotted name of what is called."""
    scope = spot.scope
    if name in _SEEDED or name in _NEEDS_CONSTANT:
        yield from _seeded(call, name, spot, role)
    elif source := source_frozen(name):
        yield from _frozen(call, name, source, spot, role)
    elif source := source_read(name):
        yield from _read(call, name, source, spot)
    elif role != PRODUCTION and name == "time.sleep" and spot.when == TEST:
        yield _trait(f"entropy.freeze.{CONCURRENCY}", call, spot)
    elif role == PRODUCTION and spot.owner and name in _DATES and _is_constant(call, scope):
        yield _trait(f"entropy.fixed.{RNG if name == 'uuid.UUID' else CLOCK}", call, spot)


def _seeded(call: ast.Call, name: str, spot: Spot, role: str) -> Iterator[Trait]:
    """Chance with a seed: frozen where that is a constant, else what its caller says; without one it is chance."""
    given = [*call.args, *(one.value for one in call.keywords)]
    seed = fold(given[0], spot.scope.constant) if given else None
    if seed is None:
        if name != "random.seed":
            yield _trait(f"entropy.read.{RNG}", call, spot)
        return
    if seed is UNKNOWN or spot.is_script:
        return
    if role == PRODUCTION:
        yield _trait(f"entropy.fixed.{RNG}" if spot.owner else f"entropy.freeze.{RNG}{ALL}", call, spot)
    else:
        yield _trait(f"entropy.freeze.{RNG}{_reach(spot)}", call, spot)


def has_own_chance(body: list[ast.stmt]) -> bool:
    """True for a file with a generator of random numbers of its own: `class Loaded(Random)`."""
    return any(isinstance(one, ast.ClassDef) and "Random" in "".join(map(last, one.bases)) for one in body)


def own_chance(call: ast.Call, spot: Spot) -> Iterator[Trait]:
    """What makes a generator of the file's own, which says itself what is drawn."""
    made = spot.scope.definition(call.func) if isinstance(call.func, ast.Name) else None
    if not isinstance(made, ast.ClassDef) or not any(spot.scope.dotted(base) in _SEEDED for base in made.bases):
        return
    if any(isinstance(one, ast.FunctionDef) and one.name in _DRAWS for one in made.body):
        yield _trait(f"entropy.freeze.{RNG}{_reach(spot)}", call, spot)


def _frozen(call: ast.Call, name: str, source: str, spot: Spot, role: str) -> Iterator[Trait]:
    if source == LOCALE and (len(call.args) < 2 or fold(call.args[1], spot.scope.constant) in (UNKNOWN, None, "")):
        return
    is_tool = name.partition(".")[0] in FREEZING_PACKAGES
    if role == PRODUCTION and not is_tool:
        return
    if source == FILESYSTEM and spot.when not in (IMPORTED, SUITE):
        return
    yield _trait(f"entropy.freeze.{source}{ALL if role == PRODUCTION else _reach(spot)}", call, spot)


def _read(call: ast.Call, name: str, source: str, spot: Spot) -> Iterator[Trait]:
    yield _trait(f"entropy.read.{source}", call, spot)
    if name == "datetime.datetime.now" and (call.args or call.keywords):
        yield _trait(f"entropy.read.{TZ}", call, spot)
    elif name in ("datetime.datetime.now", "datetime.datetime.utcnow"):
        yield _trait(f"entropy.naive.{TZ}", call, spot)


def _reach(spot: Spot) -> str:
    return ALL if spot.when in (IMPORTED, SUITE) else ""


def other_calls(call: ast.Call, spot: Spot, role: str) -> Iterator[Trait]:
    """Traits of calls that are known by their arguments: dropped zones, ignored bytes, recorded traffic, sorting."""
    called = last(call.func)
    for one in call.keywords:
        if one.arg == "errors" and called in ("encode", "decode", "open", "str", "read_text", "write_text"):
            value = fold(one.value, spot.scope.constant)
            if role == PRODUCTION and value in ("ignore", "replace"):
                yield _trait(f"entropy.freeze.{LOCALE}", call, spot)
        elif one.arg == "tzinfo" and called == "replace" and fold(one.value, spot.scope.constant) is None:
            yield _trait(f"entropy.naive.{TZ}", call, spot)
        elif one.arg in _RECORDS and role != PRODUCTION:
            yield from _recorded(one.arg, one.value, spot)
        elif one.arg == "derandomize" and fold(one.value, spot.scope.constant) is True and role != PRODUCTION:
            yield _trait(f"entropy.freeze.{RNG}{_reach(spot)}", one.value, spot, "derandomize=True")
    if called == "sorted" and spot.when == TEST and call.args and isinstance(call.args[0], ast.Call):
        yield _trait(f"entropy.freeze.{ORDER}", call, spot)


def statement_traits(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """Recording modes that are assigned, whole-file freezers in production, fixed instants in functions."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.lower() in _RECORDS:
            yield from _recorded(name.lower(), value, spot)
        case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if name in _RECORDS:
            yield from _recorded(name, value, spot)


def constant_traits(node: ast.Constant, spot: Spot) -> Iterator[Trait]:
    """Instants and ids that stand in a function of production as constants."""
    value = node.value
    if not spot.owner or spot.function is None:
        return
    if (isinstance(value, int | float) and (1e9 <= value < 1e10 or 1e12 <= value < 1e13)) or (
        isinstance(value, str) and _DATE.match(value)
    ):
        yield _trait(f"entropy.fixed.{CLOCK}", node, spot)
    elif isinstance(value, str) and _UUID.match(value):
        yield _trait(f"entropy.fixed.{RNG}", node, spot)


def clock_moves(statement: ast.stmt, spot: Spot) -> Iterator[Trait]:
    """A clock of the tests' own that moves on by something else than it is told."""
    match statement:
        case ast.AugAssign(target=ast.Attribute(value=ast.Name(id="self")), op=ast.Add() | ast.Sub(), value=value):
            added = value
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=ast.BinOp() as value) if (
            any(isinstance(node, ast.Attribute) and node.attr == name for node in ast.walk(value))
        ):
            added = value
        case _:
            return
    function = spot.function
    if function is None or "::" not in spot.owner or not _MOVES.search(function.name):
        return
    names = {one.arg for one in function.args.args[1:]}
    used = {node.id for node in ast.walk(added) if isinstance(node, ast.Name)} & names
    numbers = any(isinstance(node, ast.Constant) and isinstance(node.value, int | float) for node in ast.walk(added))
    if used and numbers and not isinstance(added, ast.Name):
        yield _trait(f"entropy.moved.{CLOCK}", statement, spot)


_MOVES = pattern_of(r"advance|tick|sleep|forward|travel|shift|elapse|pass_time|move", re.I)


def _recorded(name: str, value: ast.expr, spot: Spot) -> Iterator[Trait]:
    known = fold(value, spot.scope.constant)
    if name == "record_mode":
        mode = known if isinstance(known, str) else written(value, 60).rpartition(".")[2]
        yield _trait("entropy.record", value, spot, mode.lower())
    elif isinstance(known, list | tuple | set):
        for one in sorted(str(part) for part in known):
            yield _trait("entropy.match", value, spot, one)


def pair_traits(key: ast.expr, value: ast.expr, spot: Spot) -> Iterator[Trait]:
    """Recording modes in a mapping, as the fixture `vcr_config` returns it."""
    if isinstance(key, ast.Constant) and key.value in _RECORDS:
        yield from _recorded(str(key.value), value, spot)


def wants_name(called: ast.expr) -> bool:
    """True for a call that may be one of those above; a plain name may be an alias."""
    return not isinstance(called, ast.Attribute) or called.attr in _WANTED


_WANTED = frozenset((*LAST_NAMES, "UUID", "datetime", "date", "sleep", "fromtimestamp", "RandomState", "PCG64"))


def _is_constant(call: ast.Call, scope: Scope) -> bool:
    given = [*call.args, *(one.value for one in call.keywords if one.arg != "tzinfo")]
    return bool(given) and all(fold(one, scope.constant) is not UNKNOWN for one in given)


def _trait(kind: str, node: ast.AST, spot: Spot, what: str = "") -> Trait:
    return Trait(kind, what or written(node, 120), getattr(node, "lineno", 1), spot.owner)
