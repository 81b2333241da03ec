"""What a test answers itself, in the words of assertions that say nothing: stand-ins for what it calls or looks at."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from agentgate_git.model.inventory import IS_HANDED, IS_REPLACED, IS_SET, IS_WATCHED, PRESENT, Assertion
from agentgate_git.source.python.checks import Checker
from agentgate_git.source.python.folding import UNKNOWN
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.text import Writer
from agentgate_git.source.python.void import HANDED, JUST_SET, REPLACED, handed, replaced

WATCHED = "it only watches"
# How many assignments to attributes are looked at.
_MOST = 50


def answers(function: Function, checker: Checker, writer: Writer, found: Sequence[Assertion]) -> Iterator[Assertion]:
    """What a test put an answer in place of, each as a void assertion; `found` is what it asserts."""

    def said(at: ast.AST, name: str, relation: str, values: str, why: str) -> Assertion:
        return checker.made(at, name, relation, values, PRESENT)._replace(void=why)

    if writer.stand_ins:
        for call, name in replaced(function, checker.flow, writer):
            yield said(call, name, IS_REPLACED, "", REPLACED)
        for at, name, values in handed(function, checker.flow, writer):
            yield said(at, name, IS_HANDED, values, HANDED)
    patches = [one for name in ("object", "patch") for one in checker.flow.calls.get(name, ())]
    for call in patches[:_MOST]:
        if any(one.arg == "wraps" for one in call.keywords) and call.args:
            yield said(call, _target(call, checker, writer), IS_WATCHED, "", WATCHED)
    set_ones = checker.flow.attributes[:_MOST]
    lines = sorted(call.lineno for calls in checker.flow.calls.values() for call in calls) if set_ones else []
    for target, value in set_ones:
        text = writer.text(target)
        for one in found:
            is_set = one.subject == text and not one.void and _is_what_is_set(one, value, checker, writer)
            if is_set and _is_right_behind(one, target, lines):
                yield said(target, text, IS_SET, one.relation, JUST_SET)
                break


def _target(call: ast.Call, checker: Checker, writer: Writer) -> str:
    """The dotted name of what is patched."""
    named = [checker.constant(one) for one in call.args[:2]]
    if isinstance(named[0], str):
        return named[0]
    return f"{writer.text(call.args[0])}.{named[1]}" if len(named) > 1 and isinstance(named[1], str) else ""


def _is_right_behind(one: Assertion, target: ast.Attribute, lines: list[int]) -> bool:
    """True for an assertion of what was set, where nothing was called in between; `lines` are those of calls."""
    return one.line > target.lineno and bisect_right(lines, target.lineno) == bisect_left(lines, one.line)


def _is_what_is_set(one: Assertion, value: ast.expr, checker: Checker, writer: Writer) -> bool:
    known = checker.constant(value)
    if one.relation in ("is truthy", "is falsy"):
        return known is not UNKNOWN and bool(known) == (one.relation == "is truthy")
    return one.relation == "==" and one.expected in (writer.text(value), repr(known))
