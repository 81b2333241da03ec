"""noxfile.py, tasks.py and dodo.py, and scripts of Python that run tests: the commands that they start."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.config_paths import is_task_file
from agentgate_git.model.facts import Setting
from agentgate_git.source.commands.runner_tables import OFF
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.settings.python_commands import room, started, strings
from agentgate_git.source.settings.runs import Around, key, runs
from agentgate_git.source.settings.variables import Variables

_LOOSE = ShellKind()


def python_task_settings(path: str, source: str) -> Iterator[Setting]:
    """The runs of each task by its name, of a script by its own; nothing for what does not parse (its tests say so)."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    steps = room(source)
    if not is_task_file(path):
        yield from _script(path.rpartition("/")[2], module, steps)
        return
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _function(node, steps)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "nox.options.sessions":
            for word in strings(node.value, {}, steps):
                yield Setting(key("default", "nox"), word, node.lineno)


def _script(name: str, module: ast.Module, steps: Iterator[int]) -> Iterator[Setting]:
    for one in started(module.body, is_script=True, steps=steps):
        marks = (one.ignored,) if one.ignored else ()
        yield from runs(one.words, Around(name, marks, Variables(one.variables), _LOOSE), (one.line,))


def _function(function: ast.FunctionDef | ast.AsyncFunctionDef, steps: Iterator[int]) -> Iterator[Setting]:
    off, off_line = "", 0
    for statement in function.body:
        if isinstance(statement, ast.Return) or _is_skip(statement):
            off, off_line = f"{OFF}: `{ast.unparse(statement)[:40]}` stands before it", statement.lineno
            break
    for one in started(function.body, is_script=False, steps=steps):
        marks = [one.ignored] if one.ignored else []
        if off and one.line >= off_line:
            marks.append(off)
        yield from runs(one.words, Around(function.name, tuple(marks), Variables(one.variables), _LOOSE), (one.line,))


def _is_skip(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    function = statement.value.func
    return isinstance(function, ast.Attribute) and function.attr in ("skip", "exit")
