"""Conditions that hold whatever comes: two alternatives of which one is the opposite of the other, a size from zero."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import split

ANYTHING = "it holds whatever comes"

_MAX_PARTS = 6
_LONG = 600
_TWINS = frozenset(
    frozenset(pair.split())
    for pair in (
        *("is_ok is_err", "is_some is_none", "isPresent isEmpty", "isRight isLeft", "isOk isErr", "isDefined isEmpty"),
        *("isSuccess isFailure", "IsSuccess IsFailure", "isEmpty isNotEmpty", "isEmpty nonEmpty", "present? blank?"),
        *("any? empty?", "nil? present?", "isEmpty any", "odd? even?", "isNull isNotNull"),
    )
)
_OPPOSITE = {"===": "!==", "==": "!=", "<": ">=", ">": "<=", " is ": " is not "}
_SIZE = pattern_of(r"(?:len\(.+\)|.+(?:\.|->)(?:len|size|length|count|Count|Length)(?:\(\))?)>=0")
# What a pattern of Rust has to name so that nothing is left.
_WHOLE = (frozenset(("Ok(_)", "Err(_)")), frozenset(("Some(_)", "None")), frozenset(("true", "false")))


def is_always(condition: str) -> bool:
    """True for normalised text of a condition that no value fails."""
    if len(condition) > _LONG:
        return False
    if _SIZE.fullmatch(condition) and len(split(condition, "||")) == len(split(condition, "&&")) == 1:
        return True
    parts = split(condition, "||") if "||" in condition else split(condition, " or ") if " or " in condition else ()
    if not 1 < len(parts) <= _MAX_PARTS:
        return False
    plain = [_bare(one) for one in parts]
    return any(_is_opposite(one, other) for at, one in enumerate(plain) for other in plain[:at])


def is_any_pattern(pattern: str) -> bool:
    """True for a pattern of Rust that every value matches: `_`, `Ok(_) | Err(_)`."""
    if " if " in pattern or ")if " in pattern:
        return False
    told = frozenset(one.replace("(..)", "(_)").rpartition("::")[2] for one in split(pattern, "|"))
    return "_" in told or any(whole <= told for whole in _WHOLE)


def _is_opposite(one: str, other: str) -> bool:
    if other in (f"!{one}", f"not {one}") or one in (f"!{other}", f"not {other}"):
        return True
    asked, twin = (text.removesuffix("()").rpartition(".") for text in (one, other))
    if asked[0] and asked[0] == twin[0] and frozenset((asked[2], twin[2])) in _TWINS:
        return True
    return any(_is_negated(one, other, sign) or _is_negated(other, one, sign) for sign in _OPPOSITE)


def _is_negated(one: str, other: str, sign: str) -> bool:
    """True for `a == b` and `a != b`."""
    sides, others = split(one, sign), split(other, _OPPOSITE[sign])
    return len(sides) == len(others) == 2 and sides == others and not any(side[:1] == "=" for side in sides)


def _bare(text: str) -> str:
    """A condition without brackets around the whole of it, nor around what a `!` stands before."""
    text = text[1:-1] if text[:1] == "(" and text[-1:] == ")" and text.count("(") == 1 else text
    return f"!{text[2:-1]}" if text[:2] == "!(" and text[-1:] == ")" and text.count("(") == 1 else text
