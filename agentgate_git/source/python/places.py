"""Where a statement stands in a test, what a call gives to a helper, and the reasons that come of either."""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from agentgate_git.model.inventory import Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.nodes import FIELDS, fields_of, last
from agentgate_git.source.python import reasons
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.text import Writer, bounded, placeholder
from agentgate_git.source.python.void import ITSELF

FUEL = 6
MAX_ASSERTIONS = 1_000
# What reading costs (Scope.spend). What is tried is looked at once for each `try` around it.
STEPS_PER_FUNCTION = 80
STEPS_PER_COPY = 20
STEPS_PER_BRANCH = 80
STEPS_PER_LINE_TRIED = 30


_PARTS = pattern_of(r"f'((?:\{?'[^'{}\\]*'\}?)+)'")
_PART = pattern_of(r"'([^'{}\\]*)'")
_INNER = frozenset((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda))
_TASKS = frozenset(("create_task", "ensure_future", "run_coroutine_threadsafe"))


class Here(Record):
    """Where a statement stands: why it cannot fail, what the branches around it ask, and what is known to hold.

    `opened_by` are as `asks` in CollectedTest.
    """

    void: str = ""
    condition: str = ""
    known: tuple[str, ...] = ()
    is_looped: bool = False
    within: str = ""
    opened_by: tuple[str, ...] = ()


def asks(here: Here, condition: str, opened_by: tuple[str, ...] = ()) -> Here:
    """The same place under one more condition, which only those can open, if any are known."""
    text = f"{here.condition}; {condition}" if here.condition else condition
    return here._replace(condition=text, opened_by=here.opened_by or opened_by)


def behind_loop(body: list[ast.stmt], here: Here) -> Here:
    """Where the `else` of a loop stands: never reached when every pass ends in `break`."""
    if any(isinstance(one, ast.Break) for one in body):
        return here._replace(void=here.void or reasons.UNREACHED)
    return here


def is_coroutine(one: Assertion, awaited: frozenset[str], flow: Flow) -> bool:
    """True for what is asked of a call that the file awaits elsewhere, and that nothing awaits on this line."""
    if not awaited or not one.subject.endswith(")"):
        return False
    for name in awaited:
        for call in flow.calls.get(name, ()):
            if call.lineno == one.line and f"{name}(" in one.subject and call.lineno not in flow.awaits:
                before = one.subject.rpartition(f"{name}(")[0]
                return before.count("(") == before.count(")")
    return False


def is_forgotten_task(call: ast.Call, writer: Writer) -> bool:
    """True for `asyncio.create_task(…)` and its kin; a task group waits for its tasks."""
    called = call.func
    name = last(called)
    if name not in _TASKS:
        return False
    owner = writer.dotted(called.value).lower() if isinstance(called, ast.Attribute) else ""
    is_loop = isinstance(called, ast.Attribute) and (not owner or owner.endswith(("asyncio", "loop")))
    return isinstance(called, ast.Name) or is_loop


def filled(template: Assertion, values: Mapping[str, str], line: int) -> Assertion:
    """A helper's assertion with what a call gives for its arguments."""
    subject, expected = template.subject, template.expected
    if placeholder("")[0] in subject + expected:
        for name, value in values.items():
            subject = subject.replace(placeholder(name), value)
            expected = expected.replace(placeholder(name), value)
        subject, expected = bounded(_joined(subject)), bounded(_joined(expected))
    text = bounded(" ".join([subject, template.relation, expected, template.tolerance]).rstrip())
    is_same = template.relation == "==" and subject == expected and not template.void
    return template._replace(
        text=text, subject=subject, expected=expected, line=line, void=ITSELF if is_same else template.void
    )


def _joined(text: str) -> str:
    """Texts whose parts are all known now, as the one text they make."""
    return _PARTS.sub(lambda found: repr("".join(_PART.findall(found[1]))), text) if "f'" in text else text


def is_inside(node: ast.expr, outer: ast.expr) -> bool:
    """True for a node within the span of another."""
    start, end = (outer.lineno, outer.col_offset), (outer.end_lineno or 0, outer.end_col_offset or 0)
    return start <= (node.lineno, node.col_offset) and (node.end_lineno or 0, node.end_col_offset or 0) <= end


def place_of(node: ast.expr) -> tuple[int, int]:
    """Where a node begins, for sorting."""
    return node.lineno, node.col_offset


def outside_of(calls: list[ast.Call], lambdas: Sequence[ast.expr]) -> list[ast.Call]:
    """Those of some calls, in order, that stand within the span of none of some lambdas."""
    outermost: list[ast.expr] = []
    for one in sorted(lambdas, key=place_of):
        if not outermost or not is_inside(one, outermost[-1]):
            outermost.append(one)
    found = []
    for call in sorted(calls, key=place_of):
        at = bisect_right(outermost, place_of(call), key=place_of)
        if not at or not is_inside(call, outermost[at - 1]):
            found.append(call)
    return found


def beneath(body: list[ast.stmt], writer: Writer) -> str:
    """What is done last in a body, as text."""
    for statement in reversed(body):
        if isinstance(statement, ast.Expr | ast.Assign | ast.Return) and statement.value is not None:
            return writer.text(statement.value)
    return f"the {type(body[0]).__name__} beneath"


def calls_within(calls: list[ast.Call], outer: ast.expr) -> list[ast.Call]:
    """Those of some calls, in order, that stand within the span of an expression."""
    if not calls:
        return []
    first = bisect_left(calls, place_of(outer), key=place_of)
    last = bisect_right(calls, (outer.end_lineno or 0, outer.end_col_offset or 0), key=place_of)
    return [call for call in calls[first:last] if is_inside(call, outer)]


def is_generator(function: Function) -> bool:
    """True for a function with a `yield` of its own."""
    stack: list[Any] = list(function.body)
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is ast.Yield or kind is ast.YieldFrom:
            return True
        if node is None or kind in _INNER:
            continue
        fields = FIELDS.get(kind)
        for field in fields_of(kind) if fields is None else fields:
            value = getattr(node, field, None)
            if type(value) is list:
                stack += value
            else:
                stack.append(value)
    return False


def given_to(function: Function, call: ast.Call, writer: Writer) -> dict[str, str]:
    """What a call gives for each argument of a function of the file, as text."""
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if names and names[0] in ("self", "cls"):
        names = names[1:]
    given = dict(zip(names, [writer.text(one) for one in call.args], strict=False))
    given.update({one.arg: writer.text(one.value) for one in call.keywords if one.arg})
    defaults = function.args.defaults
    for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=False):
        given.setdefault(name, writer.text(default))
    for argument, chosen in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        if chosen is not None:
            given.setdefault(argument.arg, writer.text(chosen))
    return given
