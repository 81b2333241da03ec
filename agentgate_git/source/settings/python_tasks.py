"""noxfile.py, tasks.py and dodo.py: the commands that their functions run, read from the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.facts import Setting
from agentgate_git.source.commands.runner_tables import IGNORED, OFF
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.settings.build_files import quoted
from agentgate_git.source.settings.runs import Around, key, runs

_CALLS = frozenset(
    ("run", "run_always", "run_install", "local", "sudo", "check_call", "call", "check_output", "system")
)
_LOOSE = ShellKind()


def python_task_settings(source: str) -> Iterator[Setting]:
    """The runs of each function, by its name; nothing for a file that does not parse (its tests say so)."""
    try:
        module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _function(node)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "nox.options.sessions":
            for word in _strings(node.value):
                yield Setting(key("default", "nox"), word, node.lineno)


def _function(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Setting]:
    off = ""
    for statement in function.body:
        if isinstance(statement, ast.Return) or _is_skip(statement):
            off = off or f"{OFF}: `{ast.unparse(statement)[:40]}` stands before it"
        swallowed = _swallowed(statement)
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                marks = (off,) if off else ()
                yield from _call(node, function.name, marks, node in swallowed)


def _is_skip(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        return False
    function = statement.value.func
    return isinstance(function, ast.Attribute) and function.attr in ("skip", "exit")


def _swallowed(statement: ast.stmt) -> frozenset[ast.AST]:
    """The calls of which a handler takes the failure away."""
    tries = [node for node in ast.walk(statement) if isinstance(node, ast.Try)]
    return frozenset(
        one
        for node in tries
        if any(not _goes_on(handler) for handler in node.handlers)
        for part in node.body
        for one in ast.walk(part)
        if isinstance(one, ast.Call)
    )


def _goes_on(handler: ast.ExceptHandler) -> bool:
    """True for one that raises, or calls what may."""
    return any(isinstance(one, ast.Raise | ast.Call) for part in handler.body for one in ast.walk(part))


def _call(node: ast.Call, place: str, marks: tuple[str, ...], is_swallowed: bool) -> Iterator[Setting]:
    function = node.func
    name = (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
    if name not in _CALLS:
        return
    options = {one.arg: one.value for one in node.keywords if one.arg}
    words = _words(node)
    if not words:
        return
    found = [*marks, *([f"{IGNORED}: an `except` takes its failure away"] if is_swallowed else [])]
    codes = options.get("success_codes")
    if codes is not None and any(isinstance(one, ast.Constant) and one.value == 1 for one in ast.walk(codes)):
        found.append(f"{IGNORED}: `success_codes={ast.unparse(codes)}`")
    if _is_constant(options.get("warn"), True) or _is_constant(options.get("warn_only"), True):
        found.append(f"{IGNORED}: `warn=True`")
    environment = options.get("env")
    variables = _pairs(environment) if isinstance(environment, ast.Dict) else ()
    yield from runs(words, Around(place, tuple(found), variables, _LOOSE), (node.lineno,))


def _pairs(node: ast.Dict) -> tuple[tuple[str, str], ...]:
    return tuple(
        (str(one.value), str(two.value))
        for one, two in zip(node.keys, node.values, strict=True)
        if isinstance(one, ast.Constant) and isinstance(two, ast.Constant)
    )


def _is_constant(node: ast.expr | None, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _words(node: ast.Call) -> str:
    """A command given as words, as one list of words, or as a line."""
    if len(node.args) == 1 and isinstance(node.args[0], ast.List | ast.Tuple):
        return " ".join(quoted(word) for word in _strings(node.args[0]))
    words = [one for argument in node.args for one in _strings(argument)]
    if len(words) == 1 and len(node.args) <= 2:
        return words[0]
    return " ".join(quoted(word) for word in words)


def _strings(node: ast.expr) -> tuple[str, ...]:
    if isinstance(node, ast.Constant):
        return (node.value,) if isinstance(node.value, str) else ()
    if isinstance(node, ast.List | ast.Tuple):
        return tuple(word for item in node.elts for word in _strings(item))
    if isinstance(node, ast.JoinedStr):
        parts = (one.value if isinstance(one, ast.Constant) else "x" for one in node.values)
        return ("".join(str(part) for part in parts),)
    return ()
