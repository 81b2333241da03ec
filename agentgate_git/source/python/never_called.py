"""Why nothing in a test calls a function that stands in it, though something names it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python import reasons
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.owner import Owner
from agentgate_git.source.python.unheard import why_unheard

# What looks at a function that it is given, and never calls it.
_LOOKS = frozenset(
    (
        *("callable", "isinstance", "hasattr", "bool", "id", "type", "repr", "str", "print", "getattr", "is_not_none"),
        *("assertTrue", "assertIsNotNone", "assertIsInstance", "assertIs", "assertIsNot", "assertEqual", "assert_"),
    )
)
_KEY = "looks"


def why_dropped(function: Function, owner: Owner) -> str:
    """Why a function that is called, and whose result is dropped, does nothing; empty for one that does."""
    if isinstance(function, ast.AsyncFunctionDef):
        return reasons.NOT_AWAITED
    return reasons.GENERATOR if owner.is_generator(function) else ""


def why(inner: Function, outer: Function, flow: Flow, owner: Owner) -> str | None:
    """Why an `inner` function fails no test where it stands, empty where it may; None for one that counts where it is
    called. `flow` is that of the `outer` function, in which it stands.
    """
    name = inner.name
    direct = [one for one in flow.calls.get(name, ()) if isinstance(one.func, ast.Name)]
    loads = flow.top().loads.get(name, 0)
    if loads and loads <= len(direct) and not inner.decorator_list:
        return None
    if loads and (unheard := why_unheard(name, flow)):
        return unheard
    if direct or inner.decorator_list:
        return ""
    if not loads or _looked_at(outer, flow)[name] >= loads:
        return reasons.NEVER_CALLED
    return _where_kept(name, flow, owner)


def _looked_at(function: Function, flow: Flow) -> Counter[str]:
    """How often each name is only looked at in a function, found once."""
    if _KEY not in flow.memo:
        flow.memo[_KEY] = Counter(_looks(function, flow))
    found: Counter[str] = flow.memo[_KEY]
    return found


def _looks(function: Function, flow: Flow) -> Iterator[str]:
    """The names that statements and expressions only look at, each as often as they do."""
    for node in nodes_of(function):
        match node:
            case ast.Assert(test=test) | ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield from _asked(test)
            case ast.Expr(value=value):
                yield from _asked(value)
            case ast.Return(value=ast.Name(id=name)) if function.name.startswith("test"):
                yield name
            case ast.Assign(targets=[ast.Name(id=other)], value=ast.Name(id=name)) if not flow.top().loads.get(other):
                yield name
            case ast.Compare(left=left, comparators=others):
                yield from (one.id for one in (left, *others) if isinstance(one, ast.Name))
            case ast.Call(func=func, args=given) if last(func) in _LOOKS:
                yield from (one.id for one in given if isinstance(one, ast.Name))


def _asked(test: ast.expr) -> Iterator[str]:
    """The names of which a condition asks no more than whether they are there."""
    match test:
        case ast.Name(id=name):
            yield name
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _asked(operand)
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            for one in parts:
                yield from _asked(one)


def _where_kept(name: str, flow: Flow, owner: Owner) -> str:
    """Why nothing calls a nested function that is only kept for later; empty where something may."""
    top = flow.top()
    loads = top.loads.get(name, 0)
    kept = [target for target, value in top.attributes if isinstance(value, ast.Name) and value.id == name]
    if kept and loads <= len(kept):
        return "" if any(one.attr in top.calls for one in kept) else reasons.KEPT
    added = top.put_on.given.get(name, [])
    if not added or loads > len(added):
        return ""
    if all(_is_at_exit(call) for call in added):
        return reasons.AT_EXIT
    return reasons.LISTED if all(_is_only_added(call, top, owner) for call in added) else ""


def _is_at_exit(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Name(id="atexit"), attr="register"):
            return True
        case _:
            return False


def _is_only_added(call: ast.Call, top: Flow, owner: Owner) -> bool:
    """True for a list of the function, or of its file, of which all that is done is that something is put on it."""
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    if not isinstance(held, ast.Name):
        return False
    if top.is_local(held.id):
        made, reads, count = top.value(held), top.loads.get(held.id, 0), top.put_on.times.get(held.id, 0)
    else:
        made, reads, count = owner.table(held.id)
    return isinstance(made, ast.List | ast.Set | ast.Tuple) and not made.elts and reads <= count
