"""Conditions that a test decides by itself: on a value that it asserts right before."""

from __future__ import annotations

import re
from bisect import bisect_left

from agentgate_git.model.inventory import EXACT, PRESENT
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.assertions import Check, is_literal
from agentgate_git.source.languages.conditions import bare
from agentgate_git.source.languages.syntax import Code, Item, Span
from agentgate_git.source.languages.truth import UNKNOWN, value_of
from agentgate_git.source.languages.words import is_bare_truth, words
from agentgate_git.source.python.conditions import ALWAYS, DEPENDS, NEVER

# How many checks before a branch are looked at, and how long what is asked may be.
_NEAR = 50
_LONG = 400
_ROOT = pattern_of(r"(?:await |&|\*|\$)*([A-Za-z_]\w*)")


def decided(code: Code, asked: str, branch: Item, checks: list[tuple[Item, Check]], starts: list[int]) -> str:
    """ALWAYS, NEVER or DEPENDS: what a condition of a branch comes to where all that was asserted before it holds.

    The checks are in the order of their `starts`.
    """
    if len(asked) > _LONG:
        return DEPENDS
    at = bisect_left(starts, branch.start)
    for item, check in reversed(checks[max(0, at - _NEAR) : at]):
        if (plain := _said_plainly(asked, check)) and _holder(item, check) is branch.around:
            return plain
        if not check.subject or check.subject not in asked or _holder(item, check) is not branch.around:
            continue
        said = check.at(item.line)
        value = said.expected if said.strength == EXACT and is_literal(said.expected) else ""
        is_there = said.strength == PRESENT and not value
        if said.void or not (value or is_there) or _is_bound_anew(code, check.subject, Span(item.end, branch.start)):
            continue
        named = re.compile(rf"(?<![\w.$]){re.escape(check.subject)}(?![\w(.\[])")
        told = named.sub((value or "true").replace("\\", r"\\"), asked)
        found = value_of(told)
        if found is UNKNOWN:
            continue
        if not found:
            return NEVER
        return DEPENDS if is_there else ALWAYS
    return DEPENDS


def _said_plainly(asked: str, check: Check) -> str:
    """ALWAYS or NEVER for a condition that a check asserts to be true, or false, in the very same words; else empty."""
    name, opened, rest = check.text.partition("(")
    word = re.split(r"\.|->|::|!", name.rstrip("!"))[-1]
    core = bare(asked.removeprefix("!"))
    if not opened or not is_bare_truth(word) or not core or not rest.startswith((f"{core},", f"{core})")):
        return ""
    is_true = {"false", "falsy", "refute"}.isdisjoint(words(word))
    return ALWAYS if is_true != asked.startswith("!") else NEVER


def _holder(item: Item, check: Check) -> Item | None:
    """What a check stands in; for a call that fails under a condition, what that condition stands in."""
    around = item.around
    return around.around if around is not None and around.kind == "if" and check.text.startswith("!(") else around


def _is_bound_anew(code: Code, subject: str, between: Span) -> bool:
    """True where what a subject begins with may be another value behind the check."""
    root = _ROOT.match(subject)
    if root is None or between.end - between.start > 10 * _LONG:
        return True
    return re.search(rf"(?<![\w.$]){root[1]}\s*(?:[-+*/|&^]?=(?!=)|:=|\+\+|--|,)", code.text(between)) is not None
