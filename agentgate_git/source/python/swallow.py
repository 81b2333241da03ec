"""What keeps a failed assertion from failing its test: handlers, context managers, decorators, `return` in finally."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Protocol

from agentgate_git.source.nodes import last
from agentgate_git.source.python.flow import Flow
from agentgate_git.source.python.names import Function, flat
from agentgate_git.source.python.text import Writer

HANDLER = "an except around it swallows it"
FINALLY = "a return in finally swallows it"
SUPPRESSED = "a context manager around it swallows it"
DECORATOR = "a decorator of the test swallows it"
# Before the name of a decorator, among names of what swallows and of what stands around an assertion.
AS_DECORATOR = "@"
NOT_RUN = "a decorator puts something in place of the test that never calls it"
_FAILURES = frozenset(("AssertionError", "Exception", "BaseException"))
_ALSO_FAILURES = frozenset(("failureException", "fail.Exception", "outcomes.Failed", "FailureException"))
_FAILS = frozenset(("fail", "xfail_strict", "abort", "exit", "_exit", "reraise", "raise_from"))
_KEEPS = frozenset(("append", "add", "put", "put_nowait", "set", "extend", "insert", "update", "set_exception"))
# What a function has at least that tries something, and fails where that never comes true.
_LOOP_AND_END = 2
_LEAVES = (ast.Return, ast.Break, ast.Continue)


class Namer(Protocol):
    """What knows the dotted name that an expression stands for."""

    def dotted(self, node: ast.expr) -> str:
        """The name, empty when it is not known."""


class Placed(Protocol):
    """A definition of a module."""

    @property
    def node(self) -> Function | ast.ClassDef:
        """What is defined."""


def is_failure_type(node: ast.expr | None, writer: Namer) -> bool:
    """True for a type, or a tuple with one, that a failed assertion is an instance of."""
    if node is None:
        return True
    if isinstance(node, ast.Tuple):
        return any(is_failure_type(one, writer) for one in node.elts)
    name = (writer.dotted(node) or _name(node)).removeprefix("builtins.")
    return name in _FAILURES or name.endswith(tuple(_ALSO_FAILURES))


def swallowing(statement: ast.Try | ast.TryStar, writer: Writer, flow: Flow, is_looped: bool) -> str:
    """Why an assertion that fails in a `try` body fails nothing; empty when it does."""
    if any(_leaves(inner) for inner in statement.finalbody):
        return FINALLY
    for handler in statement.handlers:
        if is_failure_type(handler.type, writer):
            is_polled = is_looped and any(line > (statement.end_lineno or 0) for line in flow.failures)
            return "" if is_polled or _tells(handler, flow, statement.end_lineno or 0) else HANDLER
    return ""


def fails(statement: ast.stmt) -> bool:
    """True for a statement that fails the test wherever it is reached: raise, `fail()`, `assert False`."""
    match statement:
        case ast.Raise(exc=error):
            return "Skip" not in _name(error.func if isinstance(error, ast.Call) else error)
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))):
            return name in _FAILS
        case _:
            return False


def fails_test(statement: ast.stmt) -> bool:
    """True for a statement that is there to fail a test: `fail()`, `assert False`, `raise AssertionError`.

    Also for a `raise` of nothing, which lets rise again what an `except` caught.
    """
    if isinstance(statement, ast.Raise) and statement.exc is None:
        return True
    if isinstance(statement, ast.Raise):
        error = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return _name(error) in ("AssertionError", "Exception", "RuntimeError", "failureException")
    return fails(statement)


def gives_up(function: Function) -> ast.stmt | None:
    """The statement by which a helper fails a test where it has not returned before; None for any other function."""
    if function.name.startswith("test") or len(function.body) < _LOOP_AND_END:
        return None
    *before, last_one = function.body
    if isinstance(last_one, ast.While | ast.For) and last_one.orelse:
        end = last_one.orelse[-1]
        return end if fails_test(end) else None
    tries = (ast.For, ast.While, ast.Try, ast.If, ast.With, ast.AsyncFor, ast.AsyncWith)
    may_return = any(isinstance(one, tries) and _returns_inside(one) for one in before)
    return last_one if may_return and (fails_test(last_one) or _is_timeout(last_one)) else None


def _returns_inside(statement: ast.stmt) -> bool:
    return any(isinstance(one, ast.Return) for one, _ in flat([statement]))


def _is_timeout(statement: ast.stmt) -> bool:
    error = statement.exc if isinstance(statement, ast.Raise) else None
    return "Timeout" in _name(error.func if isinstance(error, ast.Call) else error)


def suppresses(context: ast.expr, writer: Writer) -> bool:
    """True for `suppress(AssertionError)` and for context managers of this file that swallow everything."""
    if not isinstance(context, ast.Call):
        return False
    name = last(context.func)
    if name == "suppress":
        return any(is_failure_type(one, writer) for one in context.args)
    definition = writer.definition(context.func)
    if isinstance(definition, ast.ClassDef):
        exits = _exits(definition)
        return bool(exits) and _keeps_failures(exits[-1], writer)
    return isinstance(definition, ast.FunctionDef) and _lets_none_out(definition, writer)


def _lets_none_out(function: Function, namer: Namer) -> bool:
    """True for a context manager made of a function that lets no failure out, and for what hands out `suppress`."""
    for statement, _ in flat(function.body):
        if isinstance(statement, ast.Try | ast.TryStar) and _swallows(statement, "", namer):
            return True
        if isinstance(statement, ast.With | ast.AsyncWith) and any(
            _is_suppress(item.context_expr, namer) for item in statement.items
        ):
            return any(isinstance(part, ast.Yield) for inner in statement.body for part in ast.walk(inner))
        if isinstance(statement, ast.Return) and _is_suppress(statement.value, namer):
            return True
    return False


def _is_suppress(node: ast.expr | None, namer: Namer) -> bool:
    """True for `suppress(AssertionError)`."""
    is_named = isinstance(node, ast.Call) and _name(node.func) == "suppress"
    return isinstance(node, ast.Call) and is_named and any(is_failure_type(one, namer) for one in node.args)


def swallowers(definitions: Iterable[Placed], namer: Namer) -> tuple[str, ...]:
    """Names of a file's context managers that let no failure out, and of functions that hand them out."""
    found: dict[str, None] = {}
    for placed in definitions:
        node = placed.node
        if isinstance(node, ast.ClassDef):
            exits = _exits(node)
            if exits and _keeps_failures(exits[-1], namer):
                found[node.name] = None
            continue
        if _lets_none_out(node, namer) or (found and any(_hands_out(one, found) for one, _ in flat(node.body))):
            found[node.name] = None
        if isinstance(node, ast.FunctionDef) and DECORATOR in (_wrapping(node, made, namer) for made in (False, True)):
            found[f"{AS_DECORATOR}{node.name}"] = None
    return tuple(found)


def _hands_out(statement: ast.stmt, names: Iterable[str]) -> bool:
    """True for `return soft`, `return soft()` and `yield` of either."""
    value = statement.value if isinstance(statement, ast.Return | ast.Expr) else None
    value = value.value if isinstance(value, ast.Yield) else value if isinstance(statement, ast.Return) else None
    value = value.func if isinstance(value, ast.Call) else value
    return isinstance(value, ast.Name) and value.id in names


def decorator_void(function: Function, writer: Writer) -> str:
    """What a decorator of this file does to a test that fails; empty when it still fails."""
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        definition = writer.definition(called)
        if isinstance(definition, ast.FunctionDef):
            void = _wrapping(definition, isinstance(decorator, ast.Call), writer)
            if void:
                return void
    return ""


def _wrapping(decorator: ast.FunctionDef, is_made: bool, writer: Namer) -> str:
    inner = {one.name: one for one in decorator.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
    returned = [one.value for one in decorator.body if isinstance(one, ast.Return)]
    if len(returned) != 1:
        return ""
    value = returned[0]
    chosen = inner.get(value.id) if isinstance(value, ast.Name) else None
    if is_made and chosen is not None:
        return _wrapping(chosen, False, writer) if isinstance(chosen, ast.FunctionDef) else ""
    arguments = [one.arg for one in (*decorator.args.posonlyargs, *decorator.args.args)]
    if is_made or not arguments:
        return ""
    wrapped = arguments[0]
    if isinstance(value, ast.Lambda):
        return "" if _mentions(value.body, wrapped) else NOT_RUN
    if chosen is None:
        return ""
    if not any(_mentions(statement, wrapped) for statement in chosen.body):
        return NOT_RUN
    tries = [one for one, _ in flat(chosen.body) if isinstance(one, ast.Try | ast.TryStar)]
    withs = [one for one, _ in flat(chosen.body) if isinstance(one, ast.With | ast.AsyncWith)]
    if any(_swallows(one, wrapped, writer) for one in tries) and not _raises(chosen.body):
        return DECORATOR
    for one in withs:
        if any(_is_kept(item.context_expr, writer) for item in one.items) and _mentions(one, wrapped):
            return DECORATOR
    return ""


def _is_kept(context: ast.expr, writer: Namer) -> bool:
    return suppresses(context, writer) if isinstance(writer, Writer) else _is_suppress(context, writer)


def _swallows(statement: ast.Try | ast.TryStar, wrapped: str, writer: Namer) -> bool:
    """True for a `try` around a call of `wrapped` (around a `yield` when empty) that lets no failure out."""
    is_around = any(
        _mentions(one, wrapped) if wrapped else any(isinstance(part, ast.Yield) for part in ast.walk(one))
        for one in statement.body
    )
    if not is_around:
        return False
    if any(isinstance(one, ast.Return) for one in statement.finalbody):
        return True
    return any(is_failure_type(one.type, writer) and not _raises(one.body) for one in statement.handlers)


def _raises(statements: Iterable[ast.stmt]) -> bool:
    return any(fails(one) for one, _ in flat(statements))


def _tells(handler: ast.ExceptHandler, flow: Flow, end: int) -> bool:
    """True for a handler that fails in its turn, asserts something, or keeps the failure for a look at it below."""
    for statement, _ in flat(handler.body):
        if fails(statement):
            return True
        if isinstance(statement, ast.Assert) and not isinstance(statement.test, ast.Constant):
            return True
        if any(_is_told(call) for call in _calls(statement)):
            return True
    last = flow.top().last_load
    kept = [name for name in _kept(handler.body) if name == "self" or last.get(name, 0) > end]
    inside = Counter(one.id for one in ast.walk(handler) if type(one) is ast.Name) if kept else Counter[str]()
    return any(name == "self" or not flow.top().is_only_told(name, end, inside[name]) for name in kept)


def _is_told(call: ast.Call) -> bool:
    name = last(call.func)
    return name in _FAILS or name.lstrip("_").lower().startswith(("assert", "fail", "raise", "check"))


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    if isinstance(statement, ast.Expr | ast.Assign | ast.Return):
        value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
        if isinstance(value, ast.Call):
            yield value


def _kept(statements: list[ast.stmt]) -> Iterator[str]:
    """Names that a handler assigns to, or puts something into."""
    for statement, _ in flat(statements):
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.AugAssign | ast.AnnAssign):
            targets = [statement.target]
        for target in targets:
            yield _root(target)
        for call in _calls(statement):
            if isinstance(call.func, ast.Attribute) and call.func.attr in _KEEPS:
                yield _root(call.func.value)


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _leaves(statement: ast.stmt) -> bool:
    return isinstance(statement, _LEAVES) or (
        isinstance(statement, ast.If) and bool(statement.orelse) and _leaves(statement.body[-1])
    )


def _name(node: ast.expr | None) -> str:
    return last(node)


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def _exits(node: ast.ClassDef) -> list[Function]:
    """The methods that hear of an error beneath a context manager."""
    functions = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [one for one in functions if one.name in ("__exit__", "__aexit__")]


def _keeps_failures(function: Function, namer: Namer) -> bool:
    """True for an `__exit__` that says of every error, or of failures, that it is dealt with."""
    returned = [one.value for one, _ in flat(function.body) if isinstance(one, ast.Return)]
    if any(fails(one) for one, _ in flat(function.body)):
        return False
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args, function.args.vararg) if one]
    return bool(returned) and all(_is_true_unasked(value, names) or _takes_failures(value, namer) for value in returned)


def _is_true_unasked(value: ast.expr | None, names: list[str]) -> bool:
    """True for what looks at no error, of which `names` hears after itself, and may well be true: `self.took >= 0`."""
    if value is None or any(_mentions(value, name) for name in names[1:]):
        return False
    match value:
        case ast.Compare():
            return True
        case ast.BoolOp(values=values):
            return all(isinstance(one, ast.Compare) for one in values)
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return bool(items)
        case ast.Name(id=name):
            return name in names[:1]
        case _:
            return False


def _takes_failures(value: ast.expr | None, namer: Namer) -> bool:
    match value:
        case None:
            return False
        case ast.Constant(value=constant):
            return bool(constant)
        case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.UnaryOp() | ast.Compare(ops=[ast.NotIn() | ast.IsNot() | ast.NotEq()]):
            return False
        case _:
            return any(
                isinstance(one, ast.Name | ast.Attribute) and is_failure_type(one, namer) for one in ast.walk(value)
            )
