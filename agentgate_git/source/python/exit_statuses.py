"""Calls that raise where what they start fails, and so say that it exits with 0: `subprocess.run(…, check=True)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from agentgate_git.source.nodes import nodes_of
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.text import Writer

_CHECKED = ("check_call", "check_output")


def exit_statuses(function: Function, calls: Mapping[str, list[ast.Call]], writer: Writer) -> tuple[str, ...]:
    """What such calls say in the words of an assertion; nothing where the function catches any error.

    `calls` are the calls of the function by the last name of what is called.
    """
    found = tuple(dict.fromkeys(_said(calls, writer)))
    if not found or any(isinstance(one, ast.ExceptHandler) for one in nodes_of(function)):
        return ()
    return found


def _said(calls: Mapping[str, list[ast.Call]], writer: Writer) -> Iterator[str]:
    for call in calls.get("run", ()):
        checked = next((one for one in call.keywords if one.arg == "check"), None)
        if checked is not None and isinstance(checked.value, ast.Constant) and checked.value.value is True:
            others = [one for one in call.keywords if one is not checked]
            yield _status(ast.copy_location(ast.Call(call.func, call.args, others), call), writer)
    for name in _CHECKED:
        for call in calls.get(name, ()):
            if isinstance(call.func, ast.Attribute):
                yield f"==\n{writer.text(_named(call, call.func.value, 'call'))}\n0"
                yield _status(_named(call, call.func.value, "run"), writer)
    for call in calls.get("check_returncode", ()):
        if isinstance(call.func, ast.Attribute):
            yield _status(call.func.value, writer)


def _named(call: ast.Call, owner: ast.expr, name: str) -> ast.Call:
    """The same asked of another function of the module."""
    called = ast.copy_location(ast.Attribute(owner, name, ast.Load()), call)
    return ast.copy_location(ast.Call(called, call.args, call.keywords), call)


def _status(started: ast.expr, writer: Writer) -> str:
    return f"==\n{writer.text(ast.copy_location(ast.Attribute(started, 'returncode', ast.Load()), started))}\n0"
