"""What a test starts and does not hear again: threads, processes, tasks, futures, callbacks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain

from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python import reasons
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.places import Here, is_forgotten_task
from agentgate_git.source.python.text import Writer

_STARTERS = {"Thread": reasons.THREAD, "Timer": reasons.THREAD, "Process": reasons.PROCESS}
_CALLBACKS = ("add_done_callback", "call_soon", "call_later", "call_at", "call_soon_threadsafe", "start_new_thread")
# How the outcome of what was handed to a pool, and of a task, is asked.
_ASKED = ("result", "as_completed", "exception")
# What may be done with a task that nobody hears: its callback takes what it says where it is a lambda.
_UNHEARD = ("cancel", "done", "cancelled", "set_name", "get_name")
# What a mock keeps of its calls.
_RECORDS = frozenset(
    (
        *("called", "call_count", "call_args", "call_args_list", "mock_calls", "method_calls"),
        *("awaited", "await_count", "await_args", "await_args_list"),
    )
)
_ASSERTS_CALLS = ("assert_called", "assert_awaited", "assert_any", "assert_has")
_MOCKED = ("side_effect", "wraps", "new")
IF_CALLED = "it is called"


def started(flow: Flow) -> Iterator[tuple[ast.Call, str]]:
    """The calls that threads, processes and pools make for a function, each with why its failure is lost, if it is.

    Of a pool, what it is asked for comes back.
    """
    made = flow.calls
    for name, reason in _STARTERS.items():
        calls = made.get(name, ())
        why = "" if calls and name == "Process" and flow.top().reads("exitcode") else reason
        for call in calls:
            yield from ((one, why) for one in _targets(call))
    why = "" if any(name in made for name in _ASKED) else reasons.FUTURE
    for call in made.get("submit", ()):
        if call.args and isinstance(call.args[0], ast.Name):
            yield ast.copy_location(ast.Call(call.args[0], call.args[1:], call.keywords), call), why
    for call in made.get("apply_async", ()) if "get" not in made else ():
        if call.args and isinstance(call.args[0], ast.Name):
            yield ast.copy_location(ast.Call(call.args[0], [], []), call), reasons.FUTURE


def _targets(thread: ast.Call) -> Iterator[ast.Call]:
    given = {one.arg: one.value for one in thread.keywords}
    target = given.get("target") or next(iter(thread.args[1:2]), None)
    arguments = given.get("args")
    if isinstance(target, ast.Lambda):
        yield from (node for node in nodes_of(target.body) if isinstance(node, ast.Call))
    elif isinstance(target, ast.Name | ast.Attribute):
        values = arguments.elts if isinstance(arguments, ast.Tuple | ast.List) else []
        yield ast.copy_location(ast.Call(target, values, []), thread)


def why_unheard(name: str, flow: Flow) -> str:
    """Why nobody hears a failure of a nested function: a thread, a process, a loop or a pool runs it; else empty."""
    made = flow.calls
    for starter, reason in (*_STARTERS.items(), *((one, reasons.CALLBACK) for one in _CALLBACKS)):
        for call in made.get(starter, ()):
            given = [*call.args, *(one.value for one in call.keywords)]
            if any(isinstance(one, ast.Name) and one.id == name for one in given):
                is_asked = starter == "Process" and flow.top().reads("exitcode")
                return "" if is_asked else reason
    submitted = [call for call in made.get("submit", ()) if call.args]
    is_submitted = any(isinstance(call.args[0], ast.Name) and call.args[0].id == name for call in submitted)
    return reasons.FUTURE if is_submitted and not any(one in made for one in _ASKED) else ""


def is_only_if_called(function: Function, flow: Flow) -> bool:
    """True for a nested function that does nothing but assert, which a mock is given to call, if it is called.

    Not so where the test asks whether it was.
    """
    top = flow.top()
    loads = top.loads.get(function.name, 0)
    given = sum(1 for call in chain.from_iterable(top.calls.values()) if _is_given(call, function.name))
    given += sum(
        1
        for target, value in top.attributes
        if isinstance(value, ast.Name) and value.id == function.name and target.attr in _MOCKED
    )
    if not loads or given < loads or not all(map(_only_asserts, function.body)):
        return False
    return not any(name.startswith(_ASSERTS_CALLS) for name in top.calls) and not any(map(top.reads, _RECORDS))


def _is_given(call: ast.Call, name: str) -> bool:
    values = [one.value for one in call.keywords if one.arg in _MOCKED]
    if last(call.func) in ("setattr", "object", "patch"):
        values += call.args[1:]
    return any(isinstance(one, ast.Name) and one.id == name for one in values)


def _only_asserts(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Assert | ast.Pass)


def is_lost_task(call: ast.Call, name: str, flow: Flow, writer: Writer) -> bool:
    """True for a task that is given a name by which nobody hears how it ended."""
    if not is_forgotten_task(call, writer):
        return False
    top = flow.top()
    deaf = [one for method in _UNHEARD for one in top.calls.get(method, ())]
    deaf += [one for one in top.calls.get("add_done_callback", ()) if any(isinstance(a, ast.Lambda) for a in one.args)]
    unheard = sum(1 for one in deaf if _owner(one) == name)
    return top.loads.get(name, 0) <= unheard


def _owner(call: ast.Call) -> str:
    value = call.func.value if isinstance(call.func, ast.Attribute) else None
    return value.id if isinstance(value, ast.Name) else ""


def of_several(call: ast.Call, flow: Flow, here: Here, *, is_kept: bool = False) -> Here:
    """Where the coroutines stand that a call waits for, which may keep their failures; `is_kept` is what it gives."""
    name = last(call.func)
    if name == "gather" and not is_kept and any(one.arg == "return_exceptions" for one in call.keywords):
        return here._replace(void=here.void or reasons.GATHERED)
    is_wait = name == "wait" and isinstance(call.func, ast.Attribute) and last(call.func.value) == "asyncio"
    if is_wait and not any(one in flow.top().calls for one in _ASKED):
        return here._replace(void=here.void or reasons.WAITED)
    return here
