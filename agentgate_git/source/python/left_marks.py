"""Marks by which a conftest leaves tests out as long as nobody gives an option: `slow` without `--runslow`.

Each hook is gone through for a test that carries a mark, with the defaults of its options and no variable set: where
it skips that test, and none without the mark, the mark is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

from agentgate_git.model.inventory import AS_LEFT, SKIPPED, Offer, Standing
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.folding import UNKNOWN, fold
from agentgate_git.source.python.module import ModuleFacts, is_autouse
from agentgate_git.source.python.names import Function, Scope

_HOOKS = frozenset(("pytest_collection_modifyitems", "pytest_runtest_setup", "pytest_itemcollected"))
# How a hook looks at the marks of a test.
_LOOKS = frozenset(("keywords", "get_closest_marker", "get_marker", "iter_markers", "own_markers"))
_MAX_NODES = 600
_MAX_MARKS = 30
_MAX_HOOKS = 6
# Names may lead to one another over and over: as many are followed.
_MAX_STEPS = 2000
_LEFT, _ENDS = "left", "ends"
_PUTS_ASIDE = ("deselect", "skipped", "removed", "excluded", "unselected")
_OPTIONS = frozenset(("getoption", "getvalue"))


def left_marks(module: ModuleFacts) -> tuple[Offer, ...]:
    """One offer for each mark, by its name; the condition of its standing names the options that let it in."""
    found: dict[str, Offer] = {}
    functions = [one.node for one in module.definitions if not isinstance(one.node, ast.ClassDef)]
    hooks = [one for one in functions if one.name in _HOOKS or is_autouse(one, module.scope)]
    options: dict[str, Any] | None = None
    for hook in hooks[:_MAX_HOOKS]:
        nodes = tuple(nodes_of(hook))
        if len(nodes) > _MAX_NODES or not any(type(one) is ast.Attribute and one.attr in _LOOKS for one in nodes):
            continue
        if options is None:
            options = _defaults(functions)
        if _Walk(hook, module.scope, options, ()).is_left():
            continue  # whatever marks a test has
        for mark in _named(nodes, module.scope):
            module.scope.spend(len(nodes) // 4)
            marked = _Walk(hook, module.scope, options, (mark,))
            if marked.is_left():
                stands = Standing(SKIPPED, hook.name, hook.lineno, "; ".join(dict.fromkeys(marked.asked)))
                found.setdefault(mark, Offer(mark, AS_LEFT, stands))
    return tuple(found.values())


def _named(nodes: Iterable[ast.AST], scope: Scope) -> Iterator[str]:
    """What may be the name of a mark: texts of the hook, and of the constants that it names."""
    found: dict[str, None] = {}
    others = {
        id(one)
        for node in nodes
        if isinstance(node, ast.Call) and last(node.func) not in _LOOKS
        for one in (*node.args, *(given.value for given in node.keywords))
    }
    for node in (one for one in nodes if id(one) not in others):
        values: Any = [node.value] if isinstance(node, ast.Constant) else ()
        if isinstance(node, ast.Name):
            known = scope.constant(node)
            values = known if isinstance(known, list | tuple | set | frozenset) else (known,)
        for value in list(values)[:_MAX_MARKS]:
            if isinstance(value, str) and value.isidentifier():
                found[value] = None
    return iter(tuple(found)[:_MAX_MARKS])


def _defaults(functions: Iterable[Function]) -> dict[str, Any]:
    """What the options of a conftest are where nobody gives them."""
    found: dict[str, Any] = {}
    for function in functions:
        for node in nodes_of(function) if function.name == "pytest_addoption" else ():
            if isinstance(node, ast.Call) and last(node.func) in ("addoption", "add_option", "addini"):
                given = {one.arg: one.value for one in node.keywords if one.arg}
                action = given.get("action")
                says = action.value if isinstance(action, ast.Constant) else ""
                value = given.get("default")
                known: Any = {"store_true": False, "store_false": True}.get(str(says))
                if value is not None:
                    known = value.value if isinstance(value, ast.Constant) else UNKNOWN
                for name in (*node.args, *([given["dest"]] if "dest" in given else ())):
                    if isinstance(name, ast.Constant) and isinstance(name.value, str):
                        found[_plain(name.value)] = known
    return found


def _plain(option: str) -> str:
    return option.lstrip("-").replace("-", "_")


class _Walk:
    """One way through a hook, for a test that carries marks: `asked` are the options and variables it asks for."""

    def __init__(self, hook: Function, scope: Scope, options: dict[str, Any], marks: tuple[str, ...]) -> None:
        self._body = hook.body
        self._scope = scope
        self._options = options
        self._marks = marks
        self._local: dict[str, ast.expr] = {}
        self._left = _MAX_STEPS
        self.asked: list[str] = []

    def is_left(self) -> bool:
        """True where the hook keeps the test from running."""
        return self._block(self._body) == _LEFT

    def _block(self, statements: Iterable[ast.stmt]) -> str:
        for statement in statements:
            ends = self._statement(statement)
            if ends:
                return ends
        return ""

    def _statement(self, statement: ast.stmt) -> str:
        match statement:
            case ast.If(test=test, body=body, orelse=otherwise):
                value = fold(test, self._leaf)
                return "" if value is UNKNOWN else self._block(body if value else otherwise)
            case ast.For(target=target, iter=items, body=body):
                return self._loop(target, items, body)
            case ast.With(body=body) | ast.Try(body=body):
                return self._block(body)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._local[name] = value
                return ""
            case ast.Assign(targets=[ast.Subscript()], value=ast.ListComp(generators=[one])):
                return _LEFT if any(fold(test, self._leaf) in (False, None) for test in one.ifs) else ""
            case ast.Expr(value=ast.Call() as call):
                return _LEFT if self._puts_aside(call) else ""
            case ast.Return() | ast.Continue() | ast.Break() | ast.Raise():
                return _ENDS
            case _:
                return ""

    def _loop(self, target: ast.expr, items: ast.expr, body: list[ast.stmt]) -> str:
        values = fold(items, self._leaf)
        if not isinstance(target, ast.Name) or not isinstance(values, list | tuple):
            return _LEFT if self._block(body) == _LEFT else ""
        for value in values[:_MAX_MARKS]:
            self._local[target.id] = ast.copy_location(ast.Constant(value), items)
            if self._block(body) == _LEFT:
                return _LEFT
        return ""

    def _puts_aside(self, call: ast.Call) -> bool:
        name = last(call.func)
        if name in ("add_marker", "applymarker") and call.args:
            mark = call.args[0]
            mark = self._local.get(mark.id, mark) if isinstance(mark, ast.Name) else mark
            mark = self._scope.settled(mark) or mark
            called = mark.func if isinstance(mark, ast.Call) else mark
            return self._scope.dotted(called) == "pytest.mark.skip"
        if name == "append" and isinstance(call.func, ast.Attribute):
            return any(word in last(call.func.value).lower() for word in _PUTS_ASIDE)
        is_of_items = name == "remove" and isinstance(call.func, ast.Attribute) and last(call.func.value) == "items"
        return is_of_items or self._scope.dotted(call.func) == "pytest.skip"

    def _leaf(self, node: ast.expr) -> Any:
        self._left -= 1
        if self._left < 0:
            return UNKNOWN
        match node:
            case ast.Name(id=name):
                if name in self._local:
                    value = self._local.pop(name)  # what leads to itself ends here
                    try:
                        return fold(value, self._leaf)
                    finally:
                        self._local[name] = value
                return self._scope.constant(node)
            case ast.Attribute(value=ast.Attribute(attr="option"), attr=name):
                return self._option(name)
            case ast.Attribute(attr="keywords"):
                return list(self._marks)
            case ast.Attribute() if self._scope.dotted(node) == "os.environ":
                return {"CI": "true"}
            case ast.Call(func=called, args=args, keywords=keywords):
                return self._call(called, [*args, *(one.value for one in keywords)])
            case ast.ListComp(generators=[one]) | ast.SetComp(generators=[one]) | ast.GeneratorExp(generators=[one]):
                is_of_marks = isinstance(one.iter, ast.Call) and last(one.iter.func) == "iter_markers"
                kind = set if isinstance(node, ast.SetComp) else list
                return kind(self._marks) if is_of_marks and not one.ifs else UNKNOWN
            case _:
                return UNKNOWN

    def _call(self, called: ast.expr, given: list[ast.expr]) -> Any:
        name = last(called)
        first = fold(given[0], self._leaf) if given else UNKNOWN
        if name in ("get_closest_marker", "get_marker"):
            return UNKNOWN if first is UNKNOWN else (first in self._marks or None)
        if name == "iter_markers":
            return UNKNOWN if first is UNKNOWN else [one for one in self._marks if one == first]
        if name in _OPTIONS and isinstance(first, str):
            return self._option(first)
        if self._scope.dotted(called) in ("os.environ.get", "os.getenv") and isinstance(first, str):
            self.asked.append(first)
            default = fold(given[1], self._leaf) if len(given) > 1 else None
            return "true" if first == "CI" else default
        return UNKNOWN

    def _option(self, name: str) -> Any:
        plain = _plain(name)
        if plain in ("m", "markexpr", "k", "keyword"):
            return ""
        self.asked.append(name if name.startswith("-") else f"--{name.replace('_', '-')}")
        return self._options.get(plain, UNKNOWN)
