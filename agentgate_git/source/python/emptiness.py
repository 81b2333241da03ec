"""What a loop, `all` and `any` go through that holds nothing for certain: empty displays, and iterators used up."""

from __future__ import annotations

import ast

from agentgate_git.source.nodes import last
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.folding import UNKNOWN

_FUEL = 6
_VIEWS = frozenset(("items", "keys", "values", "copy"))
_COPIES = frozenset(("enumerate", "zip", "sorted", "reversed", "list", "tuple", "set", "dict", "iter", "frozenset"))
# What gives an iterator, which can be gone through once, and what goes through all of one.
_ITERATORS = frozenset(("zip", "map", "filter", "iter", "reversed", "enumerate", "chain", "islice", "starmap"))
_USES_UP = frozenset(("list", "tuple", "set", "frozenset", "sorted", "dict", "sum", "max", "min", "deque", "Counter"))


def is_empty_iterable(node: ast.expr, flow: Flow, fuel: int = _FUEL) -> bool:
    """True for what holds nothing for certain: an empty literal, its items or a copy of it, `range(0)`, an iterator
    that was gone through before.
    """
    known = flow.constant(node)
    if known is not UNKNOWN:
        return hasattr(known, "__len__") and not known
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and node.slice.lower is None:
        return node.slice.upper is not None and flow.constant(node.slice.upper) == 0
    if isinstance(node, ast.Name):
        return _is_used_up(node, flow)
    if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp) and fuel:
        return is_empty_iterable(node.generators[0].iter, flow, fuel - 1)
    if not isinstance(node, ast.Call) or not fuel:
        return False
    name = last(node.func)
    if name == "range":
        bounds = [flow.constant(one) for one in node.args]
        is_known = 0 < len(bounds) < 4 and all(isinstance(one, int) for one in bounds)
        return is_known and not (len(bounds) == 3 and bounds[2] == 0) and not range(*bounds)
    if name in _VIEWS and isinstance(node.func, ast.Attribute) and not node.args:
        return is_empty_iterable(node.func.value, flow, fuel - 1)
    if name in _COPIES and isinstance(node.func, ast.Name):
        given = [one.value if isinstance(one, ast.Starred) else one for one in node.args]
        return any(is_empty_iterable(one, flow, fuel - 1) for one in given) or not (node.args or node.keywords)
    return False


def _is_used_up(node: ast.Name, flow: Flow) -> bool:
    """True for the name of an iterator that a call further up has gone through to its end."""
    value = flow.value(node)
    is_iterator = isinstance(value, ast.Call) and last(value.func) in _ITERATORS
    if value is None or not (is_iterator or isinstance(value, ast.GeneratorExp)):
        return False
    after, before = (value.end_lineno or 0, value.end_col_offset or 0), (node.lineno, node.col_offset)
    calls = (call for name in _USES_UP for call in flow.calls.get(name, ()))
    uses = [call for call in calls if call.args and _is_name(call.args[0], node.id)]
    return any(after <= (one.lineno, one.col_offset) < before and one.end_lineno != node.lineno for one in uses)


def _is_name(node: ast.expr, name: str) -> bool:
    inner = node.value if isinstance(node, ast.Starred) else node
    return isinstance(inner, ast.Name) and inner.id == name
