"""Two values that a test makes equal in part before it compares them: one takes from the other, both lose the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.source.nodes import nodes_of
from agentgate_git.source.python.flow import Flow

_DROPS = ("pop", "remove", "discard", "popitem", "drop")
_TAKEN, _LOST = "what it takes from it", "what both lose"
# How many calls and assignments are looked at for one comparison.
_MOST = 200


def made_equal(one: ast.expr, other: ast.expr, flow: Flow) -> str:
    """How two values were made equal in part, in words that follow "but for"; empty where they were not."""
    if not isinstance(other, ast.Name):
        return ""
    if isinstance(one, ast.Name):
        if _takes(one.id, {other.id}, flow):
            return _TAKEN
        if not set(_dropped(one.id, flow)).isdisjoint(_dropped(other.id, flow)):
            return _LOST
    names = {node.id for node in nodes_of(one) if isinstance(node, ast.Name) and flow.is_assigned(node.id)}
    return _TAKEN if _takes(other.id, names - {other.id}, flow) else ""


def _takes(name: str, others: set[str], flow: Flow) -> bool:
    """True for a name that is given a part of what one of the others stands for."""
    return any(
        isinstance(node, ast.Name) and node.id in others
        for value in _given(name, flow)
        for node in (nodes_of(value) if others else ())
    )


def _given(name: str, flow: Flow) -> Iterator[ast.expr]:
    for target, value in flow.items.get(name, ())[:_MOST]:
        if not isinstance(target.slice, ast.Slice):
            yield value
    for call in flow.calls.get("update", ())[:_MOST]:
        if isinstance(call.func, ast.Attribute) and _is_named(call.func.value, name):
            yield from call.args
            yield from (one.value for one in call.keywords)


def _dropped(name: str, flow: Flow) -> Iterator[str]:
    """What is taken out of a name, by itself or in a loop over several."""
    names = {name, *(target for target, items in flow.loops.items() if any(_is_named(one, name) for one in items))}
    for method in _DROPS:
        for call in flow.calls.get(method, ())[:_MOST]:
            if isinstance(call.func, ast.Attribute) and any(_is_named(call.func.value, one) for one in names):
                yield ast.unparse(call.args[0]) if call.args else method
    for one in names:
        yield from (ast.unparse(target.slice) for target in flow.dropped.get(one, ())[:_MOST])


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
