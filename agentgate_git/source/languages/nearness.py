"""Values that need only be near another: how frameworks say so, and how far off a value may be."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import closing, split

_NUMBER = pattern_of(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_HAIR = 1e-6
# What a comparison of floats allows where nothing says how much.
_DEFAULT = "0.00001"
_LONG = 400
_SHORT = 60
_ALLOWANCE = pattern_of(r"(?i)eps|delta|tol|margin|precision|accura|within")
_ABS_OF = pattern_of(r"(?:\w+(?:\.|::))*f?abs\(", re.IGNORECASE)
_ABS_AFTER = (".abs()", ".abs", ".magnitude")
_NAMED = pattern_of(
    r"(accuracy|\w*[tT]olerance|epsilon|eps|delta|\w*[mM]argin|max_relative|abs_all|abs|precision|digits|places)[:=](.+)"
)
_DIGITS = frozenset(("precision", "digits", "places"))
_OFFSET = pattern_of(r"(?:\w+\.)*(?:within|offset|byLessThan|withPercentage|Offset\.offset)\(([^()]*)\)")
_APPROX = pattern_of(r"(?:\w+(?:::|\.))*[aA]pprox\(")
_SECONDS = {
    **dict.fromkeys(("nano", "nanosecond"), 1e-9),
    **dict.fromkeys(("micro", "microsecond"), 1e-6),
    **dict.fromkeys(("milli", "millisecond"), 1e-3),
    **dict.fromkeys(("second", "sec"), 1.0),
    **dict.fromkeys(("minute", "min"), 60.0),
    "hour": 3600.0,
    "day": 86400.0,
    "week": 604800.0,
}
_UNITS = r"(?i:nano|micro|milli|nanosecond|microsecond|millisecond|second|sec|minute|min|hour|day|week)s?"
_UNIT = pattern_of(
    rf"\btime\.({_UNITS})\b|\b(?:Duration|TimeSpan|Period)(?:\.|::)(?:[oO]f|[fF]rom_?)({_UNITS})\b"
    rf"|\bChronoUnit\.({_UNITS})\b|\bTimeUnit\.({_UNITS})\b|\d\.({_UNITS})\b"
)
_INFIX = (" plusOrMinus ", "+-", " +- ")


def tolerance_of(text: str) -> str:
    """The number in what an assertion allows (`within(0.1)`, `0.5f`), as Python writes it; empty for none.

    A duration is told in seconds: `5*time.Millisecond`, `Duration.ofMinutes(1)`, `2.seconds`.
    """
    found = _NUMBER.search(text)
    number = found[0].replace("_", "") if found else ""
    unit = _UNIT.search(text)
    if unit is None:
        return number
    return (
        f"{float(number or 1) * _SECONDS[(unit[1] or unit[2] or unit[3] or unit[4] or unit[5]).lower().rstrip('s')]:g}"
    )


def with_values(arguments: tuple[str, ...], constants: Mapping[str, str]) -> tuple[str, ...]:
    """Arguments of an assertion, with the value of a constant of the file that says how near is near enough."""
    if len(arguments) < 3:
        return arguments
    return (*arguments[:2], *(_value_of(one, constants) for one in arguments[2:]))


def _value_of(name: str, constants: Mapping[str, str]) -> str:
    bound = constants.get(name, "") if _ALLOWANCE.search(name) else ""
    return bound if bound and len(bound) < _SHORT and tolerance_of(bound) else name


def is_hair(tolerance: str) -> bool:
    """True for a tolerance that lets through what arithmetic does, and nothing else."""
    return bool(tolerance) and float(tolerance) <= _HAIR


def of_digits(text: str) -> str:
    """What is allowed by a number of digits behind the point that have to be right; below zero, of those before it."""
    return f"{0.5 * 10 ** -int(text)}" if re.fullmatch(r"-?\d{1,2}", text) else ""


def compared_near(subject: str) -> tuple[str, str] | None:
    """The two sides of a difference that is looked at without its sign: `abs(a - b)`, `(a - b).abs()`."""
    if len(subject) > _LONG:
        return None
    found = _ABS_OF.match(subject)
    inner = ""
    if found is not None and closing(subject, found.end() - 1) == len(subject) - 1:
        inner = subject[found.end() : -1]
    else:
        ending = next((one for one in _ABS_AFTER if subject.endswith(one)), "")
        held = subject.removesuffix(ending) if ending else ""
        inner = held[1:-1] if held[:1] == "(" and closing(held, 0) == len(held) - 1 else ""
    sides = split(inner, "-") if inner else ()
    return (sides[0], sides[1]) if len(sides) == 2 else None


def near_value(text: str) -> tuple[str, str] | None:
    """(value, tolerance) of an expected value that says how near is enough: `1.5 +- 0.1`, `Approx(1.5).margin(0.1)`."""
    if len(text) > _LONG:
        return None
    while text[:1] == "(" and closing(text, 0) == len(text) - 1:
        text = text[1:-1]
    for operator in _INFIX:
        sides = split(text, operator) if operator in text else ()
        if len(sides) == 2:
            return sides[0], tolerance_of(sides[1])
    if text.endswith(")") and ".plusOrMinus(" in text:
        value, _, allowed = text[:-1].rpartition(".plusOrMinus(")
        return value, tolerance_of(allowed)
    found = _APPROX.match(text)
    end = closing(text, found.end() - 1) if found is not None else -1
    if found is None or end < 0:
        return None
    told = tolerance_of(text[end + 1 :])
    return text[found.end() : end], told or _DEFAULT


def allowed_by(arguments: tuple[str, ...]) -> str:
    """What the arguments after the two that are compared allow between them; empty where they say nothing of it."""
    for one in arguments[:4]:
        named = _NAMED.fullmatch(one)
        if named is not None:
            return of_digits(named[2]) if named[1] in _DIGITS else tolerance_of(named[2])
        offset = _OFFSET.fullmatch(one)
        if offset is not None:
            return tolerance_of(offset[1])
    return ""
