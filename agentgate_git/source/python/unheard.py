"""What a test starts and does not hear again: threads, processes, tasks, futures, callbacks."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
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
_KEY = "handed"
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


class _Handed:
    """What a function hands on, each name counted: to what nobody hears, to pools, to mocks; and tasks left alone."""

    def __init__(self, flow: Flow) -> None:
        self.started: dict[str, str] = {}
        for starter, reason in (*_STARTERS.items(), *((one, reasons.CALLBACK) for one in _CALLBACKS)):
            is_asked = starter == "Process" and flow.top().reads("exitcode")
            for call in flow.calls.get(starter, ()):
                values = (*call.args, *(one.value for one in call.keywords))
                self.started.update(dict.fromkeys(_named(values), "" if is_asked else reason))
        self.submitted = frozenset(name for call in flow.calls.get("submit", ()) for name in _named(call.args[:1]))
        self.is_asked = any(one in flow.calls for one in _ASKED)
        self.mocked: Counter[str] = Counter()
        for call in chain.from_iterable(flow.calls.values()):
            values = tuple(one.value for one in call.keywords if one.arg in _MOCKED)
            if last(call.func) in ("setattr", "object", "patch"):
                values += tuple(call.args[1:])
            self.mocked.update(set(_named(values)))
        self.mocked.update(
            value.id for target, value in flow.attributes if isinstance(value, ast.Name) and target.attr in _MOCKED
        )
        self.asks_calls = any(name.startswith(_ASSERTS_CALLS) for name in flow.calls) or any(map(flow.reads, _RECORDS))
        deaf = [one for method in _UNHEARD for one in flow.calls.get(method, ())]
        added = flow.calls.get("add_done_callback", ())
        deaf += [one for one in added if any(isinstance(given, ast.Lambda) for given in one.args)]
        self.deaf = Counter(map(_owner, deaf))


def _handed(flow: Flow) -> _Handed:
    if _KEY not in flow.memo:
        flow.memo[_KEY] = _Handed(flow)
    found: _Handed = flow.memo[_KEY]
    return found


def _named(values: Iterable[ast.expr]) -> Iterator[str]:
    return (one.id for one in values if isinstance(one, ast.Name))


def why_unheard(name: str, flow: Flow) -> str:
    """Why nobody hears a failure of a nested function: a thread, a process, a loop or a pool runs it; else empty."""
    handed = _handed(flow)
    if name in handed.started:
        return handed.started[name]
    return reasons.FUTURE if name in handed.submitted and not handed.is_asked else ""


def is_only_if_called(function: Function, flow: Flow) -> bool:
    """True for a nested function that does nothing but assert, which a mock is given to call, if it is called.

    Not so where the test asks whether it was.
    """
    handed, loads = _handed(flow.top()), flow.top().loads.get(function.name, 0)
    if not loads or handed.mocked[function.name] < loads or handed.asks_calls:
        return False
    return all(map(_only_asserts, function.body))


def _only_asserts(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Assert | ast.Pass)


def is_lost_task(call: ast.Call, name: str, flow: Flow, writer: Writer) -> bool:
    """True for a task that is given a name by which nobody hears how it ended."""
    if not is_forgotten_task(call, writer):
        return False
    return flow.top().loads.get(name, 0) <= _handed(flow.top()).deaf[name]


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
