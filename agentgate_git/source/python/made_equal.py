"""Two values that a test makes equal in part before it compares them: one takes from the other, both lose the same."""

from __future__ import annotations

import ast

from agentgate_git.source.nodes import nodes_of
from agentgate_git.source.python.flow import Flow

_DROPS = ("pop", "remove", "discard", "popitem", "drop")
_TAKEN, _LOST = "what it takes from it", "what both lose"
_KEY = "made equal"


class _Changed:
    """By the name of a value of a function: the names of what it is given parts of, and what is taken out of it."""

    def __init__(self, flow: Flow) -> None:
        self.given: dict[str, set[str]] = {}
        self.dropped: dict[str, set[str]] = {}
        for name, pairs in flow.items.items():
            for target, value in pairs:
                if not isinstance(target.slice, ast.Slice):
                    self._give(name, value)
        for call in flow.calls.get("update", ()):
            for value in (*call.args, *(one.value for one in call.keywords)):
                self._give(_owner(call), value)
        for method in _DROPS:
            for call in flow.calls.get(method, ()):
                self._drop(_owner(call), ast.unparse(call.args[0]) if call.args else method)
        for name, targets in flow.dropped.items():
            for one in targets:
                self._drop(name, ast.unparse(one.slice))
        for name, items in flow.loops.items():
            for item in dict.fromkeys(items):
                self.dropped.setdefault(name, set()).update(self.dropped.get(item, ()))

    def _give(self, name: str, value: ast.expr) -> None:
        names = (node.id for node in nodes_of(value) if isinstance(node, ast.Name))
        self.given.setdefault(name, set()).update(names)

    def _drop(self, name: str, what: str) -> None:
        self.dropped.setdefault(name, set()).add(what)


def made_equal(one: ast.expr, other: ast.expr, flow: Flow) -> str:
    """How two values were made equal in part, in words that follow "but for"; empty where they were not."""
    if not isinstance(other, ast.Name):
        return ""
    changed = flow.memo.get(_KEY)
    if changed is None:
        changed = flow.memo[_KEY] = _Changed(flow)
    given: set[str] = changed.given.get(other.id, set())
    if isinstance(one, ast.Name):
        if other.id in changed.given.get(one.id, ()):
            return _TAKEN
        if not changed.dropped.get(one.id, set()).isdisjoint(changed.dropped.get(other.id, ())):
            return _LOST
    names = (node.id for node in (nodes_of(one) if given else ()) if isinstance(node, ast.Name))
    return _TAKEN if any(name in given and name != other.id and flow.is_assigned(name) for name in names) else ""


def _owner(call: ast.Call) -> str:
    value = call.func.value if isinstance(call.func, ast.Attribute) else None
    return value.id if isinstance(value, ast.Name) else ""
