"""Calls that raise where what they start fails, and so say that it exits with 0: `subprocess.run(…, check=True)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from agentgate_git.model.inventory import IS_CHECKED, IS_UNCHECKED
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.text import Writer

_CHECKED = ("check_call", "check_output")


def exit_statuses(function: Function, calls: Mapping[str, list[ast.Call]], writer: Writer) -> tuple[str, ...]:
    """What such calls say in the words of an assertion; nothing where the function catches any error.

    `calls` are the calls of the function by the last name of what is called.
    """
    found = tuple(dict.fromkeys((*_said(calls, writer), *_started(calls, writer))))
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


def _started(calls: Mapping[str, list[ast.Call]], writer: Writer) -> Iterator[str]:
    """The commands that are run, by what is asked of how they end: that they end well, or nothing."""
    for name in ("run", "call", "Popen", *_CHECKED):
        for call in calls.get(name, ()):
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            if call.args and last(owner) == "subprocess":
                given = next((one.value for one in call.keywords if one.arg == "check"), None)
                is_checked = name in _CHECKED or (isinstance(given, ast.Constant) and given.value is True)
                is_open = given is not None and not isinstance(given, ast.Constant)
                word = IS_CHECKED if is_checked or is_open else IS_UNCHECKED
                yield f"{word}\n{writer.text(call.args[0])}\n"


def _named(call: ast.Call, owner: ast.expr, name: str) -> ast.Call:
    """The same asked of another function of the module."""
    called = ast.copy_location(ast.Attribute(owner, name, ast.Load()), call)
    return ast.copy_location(ast.Call(called, call.args, call.keywords), call)


def _status(started: ast.expr, writer: Writer) -> str:
    return f"==\n{writer.text(ast.copy_location(ast.Attribute(started, 'returncode', ast.Load()), started))}\n0"
