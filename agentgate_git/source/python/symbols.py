"""The symbols of a Python module: its functions and methods, class bodies, top-level values, and what is left."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.record import Record
from agentgate_git.model.symbol import CLASS_BODY, FUNCTION, METHOD, MODULE, VALUE
from agentgate_git.source.nodes import nodes_of
from agentgate_git.source.python.inert import dotted, is_inert, is_main_guard, is_type_checking
from agentgate_git.source.python.symbol_text import SymbolText

BODY = "<body>"
REST = "<module>"
VALUE_PREFIX = "module:"
_LOCALS = "<locals>"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Symbol(Record):
    """A symbol as it stands in one version of a module; several parts where a name is defined several times.

    A part is a node with the heads of the statements that it stands under in its container, such as an `if`.
    """

    name: str
    kind: str
    parts: tuple[tuple[ast.stmt, tuple[ast.AST, ...]], ...]

    def text(self, *, has_typing: bool = False) -> str:
        """What it does when it runs; `has_typing` with the annotations that do nothing."""
        return self._written(SymbolText(has_typing=has_typing))

    def is_bare_class(self) -> bool:
        """True for the body of a class that only names its bases, as many exceptions do: nothing in it can be wrong."""
        return self.kind == CLASS_BODY and all(
            isinstance(node, ast.ClassDef)
            and not (node.decorator_list or node.keywords)
            and all(
                isinstance(each, ast.Pass | ast.Expr | ast.FunctionDef | ast.AsyncFunctionDef) for each in node.body
            )
            for node, _ in self.parts
        )

    def anonymous_text(self) -> str:
        """The same with its own name, and those of the classes and functions it stands in, left out."""
        own = [part for part in self.name.removeprefix(VALUE_PREFIX).split(".") if not part.startswith("<")]
        blanks = {name: f"<{place}>" for place, name in enumerate(reversed(own))}
        return self._written(SymbolText(blanks=blanks))

    def _written(self, text: SymbolText) -> str:
        for node, under in self.parts:
            for head in under:
                text.add("", head)
            text.add(self.kind, node)
        return text.text()


def symbols_of(tree: ast.Module) -> dict[str, Symbol]:
    """The symbols of a module by name. RecursionError for a tree that is nested too deeply."""
    reader = _Reader()
    reader.members(tree.body, "", ())
    return {name: Symbol(name, kind, tuple(parts)) for name, (kind, parts) in reader.found.items()}


Under = tuple[ast.AST, ...]


class _Reader:
    def __init__(self) -> None:
        self.found: dict[str, tuple[str, list[tuple[ast.stmt, Under]]]] = {}

    def members(self, statements: Iterable[ast.stmt], prefix: str, under: Under, *, is_class: bool = False) -> None:
        """What stands in a module or, with its name as prefix, in a class."""
        for node in statements:
            if isinstance(node, _FUNCTIONS):
                self._function(node, prefix, under, METHOD if is_class else FUNCTION)
            elif isinstance(node, ast.ClassDef):
                self._class(node, prefix, under)
            elif isinstance(node, ast.If) and is_type_checking(node.test):
                self.members(node.orelse, prefix, under, is_class=is_class)
            elif isinstance(node, ast.If) and is_main_guard(node.test):
                continue
            else:
                for block, head in _blocks_of(node):
                    self.members(_definitions(block), prefix, (*under, *head), is_class=is_class)
                if not prefix:
                    self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        """A top-level statement: of the names that it assigns, or of the rest of the module."""
        if is_inert(node):
            return
        names = _assigned(node)
        for name in names:
            self._add(f"{VALUE_PREFIX}{name}", VALUE, node, ())
        if not names:
            self._add(REST, MODULE, node, ())

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, prefix: str, under: Under, kind: str) -> None:
        if any(dotted(each).rpartition(".")[2] == "overload" for each in node.decorator_list):
            return
        name = prefix + node.name
        self._add(name, kind, node, under)
        for nested in _nested(node.body):
            if isinstance(nested, ast.ClassDef):
                self._class(nested, f"{name}.{_LOCALS}.", ())
            else:
                self._function(nested, f"{name}.{_LOCALS}.", (), FUNCTION)

    def _class(self, node: ast.ClassDef, prefix: str, under: Under) -> None:
        name = prefix + node.name
        self._add(f"{name}.{BODY}", CLASS_BODY, node, under)
        self.members(node.body, f"{name}.", (), is_class=True)

    def _add(self, name: str, kind: str, node: ast.stmt, under: Under) -> None:
        self.found.setdefault(name, (kind, []))[1].append((node, under))


def _assigned(node: ast.stmt) -> list[str]:
    """The names that a simple top-level assignment binds."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        targets = [node.target]
    else:
        return []
    found = [each for target in targets for each in nodes_of(target)]
    if not all(isinstance(each, ast.Name | ast.Tuple | ast.List | ast.Starred) for each in found):
        return []
    return list(dict.fromkeys(each.id for each in found if isinstance(each, ast.Name)))


def _definitions(statements: Iterable[ast.stmt]) -> list[ast.stmt]:
    """The definitions among statements, and the statements that may have some in their blocks.

    What else stands there belongs to the statement around it.
    """
    return [node for node in statements if isinstance(node, (*_FUNCTIONS, ast.ClassDef)) or any(_blocks_of(node))]


def _blocks_of(node: ast.stmt) -> Iterator[tuple[list[ast.stmt], Under]]:
    """The blocks of a compound statement that is no definition, each with what decides whether it runs."""
    if isinstance(node, ast.If | ast.While):
        yield node.body, (node.test,)
        yield node.orelse, (ast.UnaryOp(ast.Not(), node.test),)
    elif isinstance(node, ast.For | ast.AsyncFor):
        yield node.body, (node.target, node.iter)
        yield node.orelse, (node.iter,)
    elif isinstance(node, ast.With | ast.AsyncWith):
        yield node.body, tuple(item.context_expr for item in node.items)
    elif isinstance(node, ast.Match):
        for case in node.cases:
            yield case.body, (node.subject, case.pattern)
    elif isinstance(node, ast.Try | getattr(ast, "TryStar", ast.Try)):
        yield node.body, ()
        for handler in node.handlers:
            yield handler.body, (handler.type or ast.Name("except"),)
        yield node.orelse, ()
        yield node.finalbody, ()


def _nested(statements: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """The definitions in a function's own body, in order, not those within them."""
    for node in statements:
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            yield node
        else:
            for block, _ in _blocks_of(node):
                yield from _nested(block)
