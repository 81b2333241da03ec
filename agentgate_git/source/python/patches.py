"""What a statement puts in place of something else: attributes of modules and classes, and environment variables."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from agentgate_git.model.record import Record
from agentgate_git.source.nodes import last
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.names import Scope

ASSIGNED = "assigned"
UNDONE = "undone after the test"

_SETTERS = frozenset(("setattr", "setitem"))
_PATCHERS = frozenset(("patch", "object", "multiple", "dict"))
_ENVIRON = "os.environ"
# Last names of calls that can replace something, and of those that can set a variable.
PATCHES = frozenset((*_SETTERS, *_PATCHERS, "__setitem__"))
SETS_VARIABLES = frozenset(("setenv", "setdefault", "update", "putenv", "dict"))


class Patch(Record):
    """`target` is the dotted name that is replaced, `value` what stands there now; None where a mock does.

    `how` is ASSIGNED, or UNDONE for what monkeypatch and mock take back.
    """

    target: str
    value: ast.expr | None
    how: str
    line: int


class Variable(Record):
    """An environment variable that is set; `value` is UNKNOWN where it is not a constant."""

    name: str
    value: Any
    line: int


def assigned_patches(statement: ast.stmt, scope: Scope) -> Iterator[Patch]:
    """Attributes and items of what is imported that an assignment replaces."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _assigned(target, value, scope)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            yield from _assigned(target, value, scope)
        case ast.AugAssign(target=target, value=value):
            yield from _assigned(target, value, scope)


def _assigned(target: ast.expr, value: ast.expr, scope: Scope) -> Iterator[Patch]:
    match target:
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            for at, one in enumerate(elements):
                yield from _assigned(one, parts[at] if len(parts) == len(elements) else value, scope)
        case ast.Attribute():
            name = scope.dotted(target)
            if name:
                yield Patch(name, value, ASSIGNED, target.lineno)
        case ast.Subscript(value=owner, slice=key):
            name = _item(owner, key, scope)
            if name:
                yield Patch(name, value, ASSIGNED, target.lineno)


def _item(owner: ast.expr, key: ast.expr, scope: Scope) -> str:
    """`sys.modules[x]` as `sys.modules:x`, `m.__dict__[x]` and `vars(m)[x]` as `m.x`."""
    match owner:
        case ast.Attribute(value=inner, attr="__dict__"):
            base = scope.dotted(inner)
        case ast.Call(func=ast.Name(id="vars"), args=[inner]):
            base = scope.dotted(inner)
        case ast.Name(id="__builtins__"):
            base = "builtins"
        case _:
            name = fold(key, scope.constant)
            known = scope.dotted(owner) == "sys.modules" and isinstance(name, str)
            return f"sys.modules:{name}" if known else ""
    name = fold(key, scope.constant)
    return f"{base}.{name}" if base and isinstance(name, str) else ""


def called_patches(call: ast.Call, scope: Scope) -> Iterator[Patch]:
    """What `setattr`, monkeypatch, mocker and mock.patch replace, as calls, decorators or contexts."""
    name = last(call.func)
    if name in _SETTERS:
        yield from _set(call, scope, UNDONE if isinstance(call.func, ast.Attribute) else ASSIGNED)
    elif name in _PATCHERS and _is_patcher(call.func, scope):
        yield from _mocked(call, name, scope)
    elif name == "__setitem__" and isinstance(call.func, ast.Attribute) and len(call.args) == 2:
        yield from _assigned(ast.copy_location(_subscript(call), call), call.args[1], scope)


def _subscript(call: ast.Call) -> ast.Subscript:
    assert isinstance(call.func, ast.Attribute)
    return ast.Subscript(call.func.value, call.args[0], ast.Store())


def _set(call: ast.Call, scope: Scope, how: str) -> Iterator[Patch]:
    arguments = call.args
    first = _text(arguments[0], scope) if arguments else ""
    if len(arguments) == 2 and "." in first:
        yield Patch(first, arguments[1], how, call.lineno)
    elif len(arguments) >= 3:
        base, name = scope.dotted(arguments[0]), _text(arguments[1], scope) or "*"
        if base:
            is_modules = base == "sys.modules"
            yield Patch(f"{base}:{name}" if is_modules else f"{base}.{name}", arguments[2], how, call.lineno)


def _mocked(call: ast.Call, name: str, scope: Scope) -> Iterator[Patch]:
    given = {one.arg: one.value for one in call.keywords if one.arg}
    shown = given.get("new") or given.get("return_value") or given.get("side_effect") or given.get("new_callable")
    if name == "patch" and call.args:
        target, at = _text(call.args[0], scope), 1
    elif name == "object" and len(call.args) > 1:
        base, attribute = scope.dotted(call.args[0]), _text(call.args[1], scope)
        target, at = f"{base}.{attribute}" if base and attribute else "", 2
    else:
        return
    if target:
        yield Patch(target, call.args[at] if len(call.args) > at else shown, UNDONE, call.lineno)


def _is_patcher(called: ast.expr, scope: Scope) -> bool:
    """True for `mock.patch`, `mocker.patch` and their `.object`, whatever mock was imported as."""
    name = scope.dotted(called)
    if name:
        return name.startswith(("unittest.mock.patch", "mock.patch"))
    owner = called.value if isinstance(called, ast.Attribute) else None
    if isinstance(owner, ast.Attribute):
        owner = owner.value if owner.attr == "patch" else None
    return isinstance(owner, ast.Name) and "mock" in owner.id


def assigned_variables(statement: ast.stmt, scope: Scope) -> Iterator[Variable]:
    """Environment variables that an assignment sets."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AugAssign):
        targets = [statement.target]
    for target in targets:
        if isinstance(target, ast.Subscript) and scope.dotted(target.value) == _ENVIRON:
            name = _text(target.slice, scope)
            if name and isinstance(statement, ast.Assign | ast.AugAssign):
                yield Variable(name, fold(statement.value, scope.constant), target.lineno)


def called_variables(call: ast.Call, scope: Scope) -> Iterator[Variable]:
    """Environment variables that a call sets: `os.environ.update`, `os.putenv`, `monkeypatch.setenv`, `patch.dict`."""
    name = last(call.func)
    if name not in SETS_VARIABLES or not isinstance(call.func, ast.Attribute):
        return
    if name == "dict":
        is_environ = bool(call.args) and _ENVIRON in (_text(call.args[0], scope), scope.dotted(call.args[0]))
        given = call.args[1] if is_environ and len(call.args) > 1 else None
        yield from _pairs(given, call.keywords if is_environ else [], call.lineno, scope)
    elif name == "setenv" or scope.dotted(call.func) in ("os.putenv", f"{_ENVIRON}.setdefault"):
        if len(call.args) >= 2 and (variable := _text(call.args[0], scope)):
            yield Variable(variable, fold(call.args[1], scope.constant), call.lineno)
    elif name == "update" and scope.dotted(call.func.value) == _ENVIRON:
        yield from _pairs(call.args[0] if call.args else None, call.keywords, call.lineno, scope)


def _pairs(node: ast.expr | None, keywords: list[ast.keyword], line: int, scope: Scope) -> Iterator[Variable]:
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            name = _text(key, scope) if key else ""
            if name:
                yield Variable(name, fold(value, scope.constant), line)
    for one in keywords:
        if one.arg and one.arg != "clear":
            yield Variable(one.arg, fold(one.value, scope.constant), line)


def _text(node: ast.expr, scope: Scope) -> str:
    value = fold(node, scope.constant)
    return value if isinstance(value, str) else ""
