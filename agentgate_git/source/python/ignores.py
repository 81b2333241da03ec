"""What a conftest tells pytest not to collect: `collect_ignore`, `collect_ignore_glob` and `pytest_ignore_collect`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from agentgate_git.model.inventory import CONDITIONAL, NOT_COLLECTED, RUNS, SETUP, CollectedTest
from agentgate_git.source.python.conditions import ALWAYS, DEPENDS, negated, truth
from agentgate_git.source.python.effects import Effect, guarded, total, written
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.names import Function, Scope

HOOK = "pytest_ignore_collect"

_LISTS = ("collect_ignore", "collect_ignore_glob")
_ADDS = {"append": 0, "insert": 1, "extend": 0}
_COPIES = frozenset(("list", "tuple", "set", "sorted"))
_ALL_FILES = frozenset(("*", "**", "*.py", "**.py", "*.*"))
_TEST_SAMPLES = ("test_a.py", "a_test.py")
_TEST_FOLDERS = frozenset(("", ".", "..", "test", "tests"))
_NO_TESTS = frozenset(
    (
        *("doc", "docs", "build", "dist", "node_modules", "venv", "CVS", "_darcs", "data", "testdata", "test_data"),
        *("fixtures", "resources", "assets", "samples", "templates", "static", "snapshots", "__snapshots__"),
    )
)
_FUEL = 6

Guards = tuple[ast.expr | str, ...]


def ignored_paths(statements: list[ast.stmt], scope: Scope) -> Iterator[CollectedTest]:
    """One set-up fact for each path or glob that may hold tests and that the module lists as not to be collected.

    `not-collected` are test files and whole test folders; `conditional` what is listed under a condition, or may
    hold tests by its name.
    """
    found: dict[str, list[Effect]] = {}
    for statement, guards in _walk(statements, ()):
        for name, value, is_one in _additions(statement, scope):
            entries = [(value, guards)] if is_one else _entries(value, guards, scope, _FUEL)
            for node, under in entries:
                for entry in _texts(node, scope):
                    effect = _listed(name, entry, node)
                    found.setdefault(f"{name} {entry}", []).extend(_under(effect, under, scope))
    for name, effects in found.items():
        one = total(effects, 1)
        if one.state != RUNS:
            yield CollectedTest(name, one.state, one.line, name, one.marker, one.condition, kind=SETUP)


def hook_effects(function: Function, scope: Scope) -> Iterator[Effect]:
    """What the hook `pytest_ignore_collect` does: each `return` of something true keeps a path from collection."""
    arguments = [one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    inner = Scope(function.body, scope, arguments)
    for statement, guards in _walk(function.body, ()):
        if isinstance(statement, ast.Return) and statement.value is not None:
            if any(not isinstance(guard, str) and _spares_tests(guard) for guard in (*guards, statement.value)):
                continue
            effect = Effect(NOT_COLLECTED, f"{HOOK}()", statement.lineno)
            yield from _under(effect, (*guards, statement.value), inner)


def _spares_tests(condition: ast.expr) -> bool:
    """True for a condition on a name that no file of Python tests has: `.#x`, `x.bak`, `x.txt`."""
    match condition:
        case ast.IfExp(test=test, orelse=ast.Constant(value=None | False)):
            return _spares_tests(test)
        case ast.BoolOp(op=ast.Or(), values=[first, ast.Constant(value=None | False)]):
            return _spares_tests(first)
        case ast.BoolOp(op=ast.And(), values=values):
            return any(map(_spares_tests, values))
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="name"), attr="startswith"), args=[given]):
            return all(not (text[:1].isalnum() or text[:1] == "_") for text in _literals(given))
        case ast.Call(func=ast.Attribute(attr="endswith"), args=[given]):
            return all("." in text and not text.endswith((".py", ".txt", ".rst")) for text in _literals(given))
        case ast.Compare(left=ast.Attribute(attr="name" | "stem"), ops=[ast.Eq() | ast.In()], comparators=[given]):
            return all(text in _NO_TESTS for text in _literals(given))
        case ast.Compare(left=ast.Attribute(attr="suffix"), ops=[ast.Eq() | ast.In()], comparators=[given]):
            return all(text.startswith(".") and text not in (".py", ".txt", ".rst") for text in _literals(given))
        case _:
            return False


def _literals(node: ast.expr) -> list[str]:
    """The texts of a literal or a tuple of them; one empty text where it is anything else."""
    parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return texts if texts and len(texts) == len(parts) else [""]


def _walk(statements: Iterable[ast.stmt], guards: Guards) -> Iterator[tuple[ast.stmt, Guards]]:
    """Statements of a module or hook with the conditions under which they run; hooks of a module included."""
    for statement in statements:
        yield statement, guards
        match statement:
            case ast.If(test=test, body=then, orelse=otherwise):
                yield from _walk(then, (*guards, test))
                yield from _walk(otherwise, (*guards, negated(test)))
                guards = (*guards, *_left_behind(statement))
            case ast.For(iter=items, body=inner) | ast.AsyncFor(iter=items, body=inner):
                yield from _walk(inner, (*guards, f"for each of {written(items)}"))
            case ast.While(test=test, body=inner):
                yield from _walk(inner, (*guards, test))
            case ast.With(body=inner) | ast.AsyncWith(body=inner):
                yield from _walk(inner, guards)
            case ast.Try(body=inner, orelse=otherwise, finalbody=final):
                yield from _walk([*inner, *otherwise, *final], guards)
                for handler in statement.handlers:
                    condition = f"except {written(handler.type)}" if handler.type else "except"
                    yield from _walk(handler.body, (*guards, condition))
            case ast.FunctionDef(name=name, body=inner) if name.startswith("pytest_") and name != HOOK:
                yield from _walk(inner, guards)


def _left_behind(statement: ast.If) -> Guards:
    """What holds after an `if` of which one branch returns."""
    after: Guards = ()
    if isinstance(statement.body[-1], ast.Return | ast.Raise):
        after = (negated(statement.test),)
    if statement.orelse and isinstance(statement.orelse[-1], ast.Return | ast.Raise):
        after = (*after, statement.test)
    return after


def _additions(statement: ast.stmt, scope: Scope) -> Iterator[tuple[str, ast.expr, bool]]:
    """The list that is added to, the value, and whether that is one entry and not many."""
    match statement:
        case ast.Assign(targets=targets, value=value):
            yield from ((_listed_in(target, scope), value, False) for target in targets if _listed_in(target, scope))
        case ast.AnnAssign(target=target, value=value) | ast.AugAssign(target=target, value=value):
            name = _listed_in(target, scope)
            if name and value is not None:
                yield name, value, False
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=deed), args=arguments)):
            if name in _LISTS and deed in _ADDS and len(arguments) > _ADDS[deed]:
                yield name, arguments[_ADDS[deed]], deed != "extend"


def _listed_in(target: ast.expr, scope: Scope) -> str:
    match target:
        case ast.Name(id=name) if name in _LISTS:
            return name
        case ast.Subscript(value=ast.Name(id=name)) if name in _LISTS:
            return name
        case ast.Subscript(value=ast.Call(func=ast.Name(id="globals")), slice=key):
            name = fold(key, scope.constant)
            return name if name in _LISTS else ""
        case _:
            return ""


def _entries(value: ast.expr, guards: Guards, scope: Scope, fuel: int) -> Iterator[tuple[ast.expr, Guards]]:
    scope.spend()
    bound = scope.settled(value) if fuel else None
    match bound or value:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            for item in items:
                if isinstance(item, ast.Starred):
                    yield from _entries(item.value, guards, scope, fuel)
                else:
                    yield item, guards
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _entries(left, guards, scope, fuel)
            yield from _entries(right, guards, scope, fuel)
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            yield from _entries(body, (*guards, test), scope, fuel)
            yield from _entries(otherwise, (*guards, negated(test)), scope, fuel)
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _COPIES:
            for argument in arguments:
                yield from _entries(argument, guards, scope, fuel)
        case ast.Name(id=name) if name in _LISTS:
            return
        case node if fuel and node is not value:
            yield from _entries(node, guards, scope, fuel - 1)
        case node:
            yield node, guards


def _texts(node: ast.expr, scope: Scope) -> Iterator[str]:
    """The path an entry stands for; of a computed one what is written in it, else how it is computed."""
    known = fold(node, scope.constant)
    if isinstance(known, str):
        yield known
        return
    parts = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    yield "/".join(parts) or written(node, 60)


def _listed(name: str, entry: str, node: ast.expr) -> Effect:
    """The effect of an entry: by the name of the file or folder, as nothing else is known of it here."""
    parts = entry.replace("\\", "/").rstrip("/").split("/")
    while len(parts) > 1 and parts[-1] in _ALL_FILES:
        parts.pop()
    last = parts[-1]
    is_file = "." in last[1:]
    if last in _ALL_FILES or ((is_file or "*" in last) and _is_test_name(last)) or last in _TEST_FOLDERS:
        return Effect(NOT_COLLECTED, f"{name}: {entry}", node.lineno)
    is_script = last.endswith(".py") and not any(wild in last for wild in "*?[")
    is_other_file = is_file and not last.endswith((".py", "*", ")"))
    if is_script or is_other_file or last in _NO_TESTS or last.startswith("."):
        return Effect(RUNS, f"{name}: {entry}", node.lineno)
    return Effect(CONDITIONAL, f"{name}: {entry}", node.lineno, "it may hold tests")


def _is_test_name(name: str) -> bool:
    return name.startswith("test_") or name.endswith("_test.py") or any(fnmatchcase(s, name) for s in _TEST_SAMPLES)


def _under(effect: Effect, guards: Guards, scope: Scope) -> Iterator[Effect]:
    """The effect under conditions; nothing where one of them never holds, on any system."""
    scope.spend(len(guards))
    for guard in reversed(guards):
        if isinstance(guard, str):
            effect = guarded(effect, DEPENDS, guard)
            continue
        if truth(negated(guard), scope) == ALWAYS:
            return
        verdict = ALWAYS if truth(guard, scope) == ALWAYS else DEPENDS
        effect = guarded(effect, verdict, _told(guard, scope))
    yield effect


def _told(guard: ast.expr, scope: Scope) -> str:
    """A condition as it is written, with the values of the names in it, which may be names of tests."""
    named = (fold(one, scope.constant) for one in ast.walk(guard) if isinstance(one, ast.Name))
    values = ", ".join(repr(value) for value in named if isinstance(value, str | list | tuple | set))
    return f"{written(guard)} ({values[:200]})" if values else written(guard)
