"""How far off a value may be: approx, isclose, assertAlmostEqual and their kin, as one width."""

from __future__ import annotations

import ast
import math
from typing import Any, Protocol, TypeGuard

from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last

_MAX_DIGITS = 300
_DURATIONS = frozenset(("timedelta", "Timedelta", "TimeDelta", "duration"))
_SECONDS = {
    "days": 86_400.0,
    "seconds": 1.0,
    "microseconds": 1e-6,
    "milliseconds": 1e-3,
    "minutes": 60.0,
    "hours": 3_600.0,
    "weeks": 604_800.0,
}


class Knower(Protocol):
    """What knows what an expression is for certain."""

    def constant(self, node: ast.expr) -> Any:
        """The value, else UNKNOWN."""


class _Kind(Record):
    """Defaults, and which arguments say otherwise: by keyword, or by position after the two values."""

    rel: float
    abs: float
    rel_name: str
    abs_name: str
    positions: tuple[str, ...] = ()


_KINDS = {
    "approx": _Kind(1e-6, 1e-12, "rel", "abs", ("rel", "abs", "nan_ok")),
    "isclose": _Kind(1e-9, 0.0, "rel_tol", "abs_tol"),
    "numpy": _Kind(1e-5, 1e-8, "rtol", "atol", ("rtol", "atol")),
    "allclose": _Kind(1e-5, 1e-8, "rtol", "atol", ("rtol", "atol")),
    "assertallclose": _Kind(1e-7, 0.0, "rtol", "atol", ("rtol", "atol")),
}
_DIGITS = {
    "assertalmostequal": ("places", 7, 0.5),
    "assertalmostequals": ("places", 7, 0.5),
    "failunlessalmostequal": ("places", 7, 0.5),
    "assertarrayalmostequal": ("decimal", 6, 1.5),
    "assertapproxequal": ("significant", 7, 5.0),
}
CLOSE_NAMES = frozenset((*_KINDS, *_DIGITS, "isclose")) - {"numpy", "approx"}


def width(name: str, call: ast.Call, expected: Any, skipped: int, flow: Knower) -> float | None:
    """The largest difference that a call lets pass, None when that is not known.

    `name` is its last name without underscores in lower case, `expected` the value when it is known, `skipped` the
    positional arguments before the tolerances.
    """
    named = {one.arg: _amount(one.value, flow) for one in call.keywords if one.arg}
    positional = [flow.constant(one) for one in call.args[skipped:]]
    if name in _DIGITS:
        delta = next((one.value for one in call.keywords if one.arg == "delta"), None)
        return _digits(name, named, positional) if delta is None else _delta(delta, flow)
    kind = _KINDS["numpy" if (name == "isclose" and "rtol" in named) or "atol" in named else name]
    given = {**dict(zip(kind.positions, positional, strict=False)), **named}
    rel, margin = given.get(kind.rel_name), given.get(kind.abs_name)
    if name == "approx" and margin is not None and rel is None:
        rel = 0.0
    rel = kind.rel if rel is None else rel
    margin = kind.abs if margin is None else margin
    if not (_is_number(rel) and _is_number(margin)):
        return None
    size = abs(expected) if _is_number(expected) else 1.0
    return max(float(rel) * (size if math.isfinite(size) else 1.0), float(margin))


def _digits(name: str, named: dict[str, Any], positional: list[Any]) -> float | None:
    key, default, factor = _DIGITS[name]
    said = [named[one] for one in (key, "places", "decimal") if one in named]
    digits = (said or positional or [default])[0]
    digits = default if digits is None else digits
    if not isinstance(digits, int) or abs(digits) > _MAX_DIGITS:
        return None
    return float(factor * 10.0 ** -(digits - 1 if key == "significant" else digits))


def duration(node: ast.expr, flow: Knower) -> float | None:
    """The seconds of a duration that is made of numbers: `timedelta(minutes=5)`; None for anything else."""
    if not isinstance(node, ast.Call) or last(node.func) not in _DURATIONS or not (node.args or node.keywords):
        return None
    named = [(one.arg or "", one.value) for one in node.keywords]
    parts = [(unit, flow.constant(value)) for unit, value in (*zip(_SECONDS, node.args, strict=False), *named)]
    if not all(unit in _SECONDS and _is_number(value) for unit, value in parts):
        return None
    return sum(_SECONDS[unit] * float(value) for unit, value in parts)


def _amount(node: ast.expr, flow: Knower) -> Any:
    seconds = duration(node, flow)
    return flow.constant(node) if seconds is None else seconds


def _delta(node: ast.expr, flow: Knower) -> float | None:
    """A difference as a number, of whatever type it is made: `5`, `Decimal("5")`, `timedelta(seconds=5)`."""
    known = _amount(node, flow)
    if _is_number(known):
        return float(known)
    values = [*node.args, *(one.value for one in node.keywords)] if isinstance(node, ast.Call) else []
    inner = flow.constant(values[0]) if len(values) == 1 else None
    try:
        return float(inner) if _is_number(inner) or isinstance(inner, str) else None
    except ValueError:
        return None


def rounded(call: ast.Call, flow: Knower) -> float | None:
    """What `round(value, digits)` lets pass when it is compared; None when the digits are not known."""
    digits = flow.constant(call.args[1]) if len(call.args) > 1 else None
    digits = 0 if digits is None else digits
    return 0.5 * 10.0**-digits if type(digits) is int and abs(digits) <= _MAX_DIGITS else None


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
