"""What a test does last before each of its assertions, as far as it has to do with what these look at."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Iterable, Mapping

from agentgate_git.model.inventory import AT_END, AWAITS, BEHIND, Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.names import Function, flat

# What clears away may be done before or after.
_CLEARS = pattern_of(
    r"(?i)_*(?:close|stop|shut_?down|clean\w*|clear\w*|join|quit|exit|terminate|kill|rmtree|unlink|release|disconnect"
    r"|reset\w*|flush|restore|dispose|undo|print|sleep|assert\w*|expect\w*|check\w*|verify\w*|debug|info|log|start"
    r"|wait\w*|append|add|seed|setattr|patch|object|skip|fail|raises|mark|commit|refresh\w*)"
)
_RUNS = ("run", "run_until_complete", "async_to_sync", "run_sync")
# How many acts are looked at, and how many of them for one assertion.
_MOST, _BACK = 60, 8


class _Act(Record):
    line: int
    name: str
    about: frozenset[str]


def behind_acts(function: Function, found: Iterable[Assertion]) -> tuple[str, ...]:
    """One line for each assertion: what was done last before it, empty for nothing, with what it says.

    Then one for each act that no assertion follows.
    """
    acts: list[_Act] = []
    about: dict[int, frozenset[str]] = {}
    for statement, _ in flat(function.body):
        if isinstance(statement, ast.Assert):
            about[statement.lineno] = _names(statement)
        elif isinstance(statement, ast.Expr):
            value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
            if not isinstance(value, ast.Call):
                continue
            name = last(value.func)
            if name.lower().startswith("assert"):
                about[statement.lineno] = _names(statement)
            elif name[:1].islower() and _CLEARS.fullmatch(name) is None and len(acts) < _MOST:
                acts.append(_Act(statement.lineno, name, _names(statement)))
    if not acts:
        return ()
    lines = [one.line for one in acts]
    said = []
    for one in found:
        names = about.get(one.line)
        if names is None or one.void or one.via:
            continue
        before = acts[: bisect_left(lines, one.line)][-_BACK:]
        act = next((act.name for act in reversed(before) if act.about & names), "")
        said.append(f"{BEHIND}{act}\n{one.relation}\n{one.expected}")
    end = max(about, default=0)
    said += [f"{AT_END}{act.name}" for act in acts if act.line > end]
    return tuple(said)


def awaited(function: Function, calls: Mapping[str, list[ast.Call]], is_async: bool) -> tuple[str, ...]:
    """The names of coroutines that a test awaits, or has run: `asyncio.run(f())`."""
    found = [
        last(one.func)
        for name in _RUNS
        for call in calls.get(name, ())
        for one in call.args[:1]
        if isinstance(one, ast.Call)
    ]
    values = (node.value for node in (nodes_of(function) if is_async else ()) if isinstance(node, ast.Await))
    found += [last(one.func) for one in values if isinstance(one, ast.Call)]
    return tuple(f"{AWAITS}{name}" for name in dict.fromkeys(found) if name)


def _names(statement: ast.stmt) -> frozenset[str]:
    return frozenset(node.id for node in nodes_of(statement) if isinstance(node, ast.Name))
