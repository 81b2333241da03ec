"""Values that tests take from a name: constants of a module or class, what a fixture or a plain function returns.

Where a tolerance, an expected value or a strategy stands under a name, its test says the same whatever the value is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import AT_LEAST, AT_MOST, BY_DEFAULT
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.module import ModuleFacts, is_fixture
from agentgate_git.source.python.names import Function, flat
from agentgate_git.source.python.text import bounded

_MAX_VALUES = 400
_MAX_LINES = 40
_STEPS = 10
_FAILURE = "failureException"
STAND_INS = frozenset(("Mock", "MagicMock", "AsyncMock", "NonCallableMock", "create_autospec"))
_KINDS = frozenset(("set", "list", "tuple", "frozenset", "sorted", "iter", "dict"))
_WIDTHS = frozenset(("abs", "rel", "delta", "atol", "rtol", "abs_tol", "rel_tol", "tolerance"))


def held_values(module: ModuleFacts) -> tuple[tuple[str, str], ...]:
    """(name, source) of each: `EPS`, `Case.slack`, `tolerance()`; the last of a name counts."""
    found: dict[str, str] = {}
    for name, value in _held(module):
        module.scope.spend(_STEPS)
        if (value.end_lineno or 0) - value.lineno < _MAX_LINES and len(found) < _MAX_VALUES:
            copied = value.args[0] if isinstance(value, ast.Call) and _is_copy(value) else value
            known = found.get(copied.id) if isinstance(copied, ast.Name) else None
            found[name] = known or bounded(ast.unparse(value))
    return tuple(found.items())


def _held(module: ModuleFacts) -> Iterator[tuple[str, ast.expr]]:
    for statement, _ in flat(module.statements):
        yield from _assigned(statement, "")
        if isinstance(statement, ast.ClassDef):
            for inner, _ in flat(statement.body):
                yield from _assigned(inner, f"{statement.name}.")
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield from _of_instance(inner, statement.name)
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and not statement.name.startswith("test"):
            yield from _returned(statement, module)
            yield from _defaults(statement, module)


def _is_copy(call: ast.Call) -> bool:
    """True for the same items in another kind of list."""
    is_kind = isinstance(call.func, ast.Name) and call.func.id in _KINDS
    return is_kind and len(call.args) == 1 and not call.keywords


def _defaults(function: Function, module: ModuleFacts) -> Iterator[tuple[str, ast.expr]]:
    """What a function that asserts is given where its caller says nothing, by the names of its arguments."""
    given = function.args
    named = [*given.posonlyargs, *given.args]
    pairs = [*zip(named[len(named) - len(given.defaults) :], given.defaults, strict=True)]
    pairs += [(one, value) for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value]
    if not pairs or is_fixture(function, module.scope):
        return
    nodes = list(nodes_of(function))
    module.scope.spend(len(nodes))
    if not (function.name.lstrip("_").startswith("assert") or any(isinstance(one, ast.Assert) for one in nodes)):
        return
    bounds = {name: kind for one in nodes if isinstance(one, ast.Compare | ast.Call) for name, kind in _bounds(one)}
    for argument, value in pairs:
        yield f"{function.name}.{argument.arg}{bounds.get(argument.arg, BY_DEFAULT)}", value


def _bounds(node: ast.Compare | ast.Call) -> Iterator[tuple[str, str]]:
    """The names by which something is measured, each with how."""
    match node:
        case ast.Compare(ops=[ast.Lt() | ast.LtE()], comparators=[ast.Name(id=name)]):
            yield name, AT_MOST
        case ast.Compare(ops=[ast.Gt() | ast.GtE()], comparators=[ast.Name(id=name)]):
            yield name, AT_LEAST
        case ast.Call(keywords=given):
            yield from (
                (one.value.id, AT_MOST) for one in given if one.arg in _WIDTHS and isinstance(one.value, ast.Name)
            )


def _assigned(statement: ast.stmt, owner: str) -> Iterator[tuple[str, ast.expr]]:
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, ast.Name):
                    yield f"{owner}{target.id}", value
                elif isinstance(target, ast.Attribute):
                    yield f"{owner}{ast.unparse(target)}", value
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            yield f"{owner}{name}", value
        case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[target, ast.Constant(value=str(name)), value])):
            yield f"{ast.unparse(target)}.{name}", value


def _of_instance(method: Function, owner: str) -> Iterator[tuple[str, ast.expr]]:
    """What the methods of a class assign to attributes of an instance, where that decides what a failure is."""
    if method.name == _FAILURE:
        yield from (
            (f"{owner}.{_FAILURE}", one.value) for one in method.body if isinstance(one, ast.Return) and one.value
        )
    for statement, _ in flat(method.body):
        if isinstance(statement, ast.Assign) and any(_is_of_self(one) for one in statement.targets):
            for target in statement.targets:
                if isinstance(target, ast.Attribute):
                    yield f"{owner}.{target.attr}", statement.value


def _is_of_self(target: ast.expr) -> bool:
    return (
        isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id in ("self", "cls")
    )


def _returned(function: Function, module: ModuleFacts) -> Iterator[tuple[str, ast.expr]]:
    """What a fixture, or a function without arguments, returns or yields where that is all it does."""
    body = [one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    if not body or not (is_fixture(function, module.scope) or not function.args.args):
        return
    yielded = [one.value.value for one in body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Yield)]
    rows = [one for one in yielded if one is not None]
    if len(rows) > 1 and len(rows) == len(body):
        yield f"{function.name}()", ast.copy_location(ast.List(rows, ast.Load()), body[0])
        return
    match body[0]:
        case ast.Return(value=value) if value is not None:
            yield f"{function.name}()", value
        case ast.Expr(value=ast.Yield(value=value)) if value is not None:
            yield f"{function.name}()", value
        case _:
            yield from ((f"{function.name}()", made) for made in _given_last(body, function, module))


def _given_last(body: list[ast.stmt], function: Function, module: ModuleFacts) -> Iterator[ast.expr]:
    """The stand-in that a function makes first, prepares, and returns or yields; else what a helper returns last."""
    match body[0], body[-1]:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=called) as made),
            ast.Return(value=ast.Name(id=given)) | ast.Expr(value=ast.Yield(value=ast.Name(id=given))),
        ) if name == given and last(called) in STAND_INS:
            yield made
        case _, ast.Return(value=value) if value is not None and not is_fixture(function, module.scope):
            yield value


def agreeing(module: ModuleFacts) -> tuple[str, ...]:
    """Names of classes whose instances are equal to everything, and of what makes or is one."""
    found: dict[str, None] = {}
    for statement, _ in flat(module.statements):
        if isinstance(statement, ast.ClassDef) and (any(map(_agrees, statement.body)) or _compares_nothing(statement)):
            found[statement.name] = None
        elif isinstance(statement, ast.FunctionDef) and found:
            returned = [one.value for one, _ in flat(statement.body) if isinstance(one, ast.Return)]
            if returned and all(_is_made(one, found) for one in returned):
                found[statement.name] = None
        elif isinstance(statement, ast.Assign) and found and _is_made(statement.value, found):
            found.update({one.id: None for one in statement.targets if isinstance(one, ast.Name)})
    return tuple(found)


def _is_made(value: ast.expr | None, names: Iterable[str]) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in names


def _compares_nothing(node: ast.ClassDef) -> bool:
    """True for a dataclass of which no field takes part in a comparison."""
    fields = [one.value for one in node.body if isinstance(one, ast.AnnAssign)]
    is_data = any("dataclass" in ast.unparse(one) for one in node.decorator_list)
    return is_data and bool(fields) and all(one is not None and "compare=False" in ast.unparse(one) for one in fields)


def _agrees(statement: ast.stmt) -> bool:
    """True for an `__eq__` that looks at no value: it says True, or asks at most for the type of the other."""
    match statement:
        case ast.FunctionDef(name="__eq__", body=body):
            returned = [one.value for one, _ in flat(body) if isinstance(one, ast.Return)]
            return bool(returned) and all(map(_says_yes, returned))
        case ast.Assign(targets=[ast.Name(id="__eq__")], value=ast.Lambda(body=value)):
            return _says_yes(value)
        case _:
            return False


def _says_yes(value: ast.expr | None) -> bool:
    match value:
        case ast.Constant(value=constant):
            return constant is True
        case ast.Call(func=ast.Name(id="isinstance" | "hasattr" | "callable")):
            return True
        case ast.Compare(left=ast.Call(func=ast.Name(id="type")), comparators=[ast.Call(func=ast.Name(id="type"))]):
            return True
        case _:
            return False
