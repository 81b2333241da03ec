"""What a symbol does when it runs, as a text: equal texts are equal code, whatever its layout, comments and place."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from agentgate_git.model.symbol import CLASS_BODY
from agentgate_git.source.python.inert import is_inert, is_type_checking

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IGNORED = frozenset(("ctx", "type_comment", "kind", "type_params"))
_BLOCKS = frozenset(("body", "orelse", "finalbody", "handlers", "cases"))


class SymbolText:
    """Writes nodes; `has_typing` adds the annotations that do nothing, `blanks` replaces names by others."""

    def __init__(self, *, has_typing: bool = False, blanks: Mapping[str, str] | None = None) -> None:
        self._has_typing = has_typing
        self._blanks = blanks or {}
        self._parts: list[str] = []

    def text(self) -> str:
        """All that was written."""
        return "".join(self._parts)

    def add(self, kind: str, node: ast.AST) -> None:
        """Write one part of a symbol of a kind: its own content, without what is a symbol of its own."""
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._function(node)
        elif kind == CLASS_BODY and isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, ast.stmt):
            self._members([node], is_module=True)
        else:
            self._node(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._parts.append("async def" if isinstance(node, ast.AsyncFunctionDef) else "def")
        counts = self._has_typing or bool(node.decorator_list)
        self._value(node.decorator_list)
        self._arguments(node.args, counts=counts)
        if counts:
            self._value(node.returns)
        if self._has_typing:
            self._value(getattr(node, "type_params", []))
        self._block(node.body)

    def _arguments(self, node: ast.arguments, *, counts: bool) -> None:
        self._parts.append("(arguments")
        for field in ("posonlyargs", "args", "vararg", "kwonlyargs", "kwarg"):
            value = getattr(node, field)
            self._parts.append(f" {field}")
            for each in value if isinstance(value, list) else [value] if value else []:
                self._parts.append(f" {self._name(each.arg)}")
                if counts:
                    self._value(each.annotation)
        self._value(node.defaults)
        self._value(node.kw_defaults)

    def _class(self, node: ast.ClassDef) -> None:
        self._value(node.decorator_list)
        self._value(node.bases)
        self._value(node.keywords)
        if self._has_typing:
            self._value(getattr(node, "type_params", []))
        self._members(node.body, is_module=False)

    def _members(self, statements: Iterable[ast.stmt], *, is_module: bool) -> None:
        """The statements of a module or class; members that are symbols of their own are left out."""
        for node in statements:
            if isinstance(node, _DEFINITIONS) or _says_nothing(node) or (is_module and is_inert(node)):
                continue
            if isinstance(node, ast.If) and is_type_checking(node.test):
                self._members(node.orelse, is_module=is_module)
            elif (blocks := _blocks_of(node)) is not None:
                self._compound(node, blocks, is_module=is_module)
            elif isinstance(node, ast.AnnAssign) and not is_module:
                self._node(node)  # a field: dataclasses and their like read it
            else:
                self._statement(node)

    def _compound(self, node: ast.stmt, blocks: list[list[ast.stmt]], *, is_module: bool) -> None:
        """A statement with blocks, unless nothing but members stands in them."""
        mark = len(self._parts)
        self._head(node)
        start = len(self._parts)
        for block in blocks:
            self._members(block, is_module=is_module)
            self._parts.append("|")
        if all(part == "|" for part in self._parts[start:]):
            del self._parts[mark:]

    def _head(self, node: ast.AST) -> None:
        self._parts.append(f"({type(node).__name__}")
        for field in node._fields:
            if field not in _BLOCKS and field not in _IGNORED:
                self._value(getattr(node, field, None))
        for each in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            self._head(each)

    def _block(self, statements: Iterable[ast.stmt]) -> None:
        """The statements of a function; a nested definition leaves its name."""
        self._parts.append("{")
        for node in statements:
            if not _says_nothing(node):
                self._statement(node)
        self._parts.append("}")

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, _DEFINITIONS):
            self._parts.append(f"(nested {self._name(node.name)})")
        elif isinstance(node, ast.AnnAssign):
            self._annotated(node)
        elif isinstance(node, ast.If) and is_type_checking(node.test):
            self._block(node.orelse)
        else:
            self._node(node)

    def _annotated(self, node: ast.AnnAssign) -> None:
        """A variable's annotation does nothing in a function, and next to nothing in a module."""
        if self._has_typing:
            self._node(node)
        elif node.value is not None:
            self._node(ast.Assign([node.target], node.value))

    def _node(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name):
            self._parts.append(f"(Name {self._name(node.id)}")
            return
        if isinstance(node, ast.Constant):
            value = node.value
            self._parts.append(f"({type(value).__name__} {hex(value) if type(value) is int else repr(value)}")
            return
        self._parts.append(f"({type(node).__name__}")
        if isinstance(node, ast.Lambda):
            self._arguments(node.args, counts=False)
            self._node(node.body)
            return
        for field in node._fields:
            if field in _IGNORED:
                continue
            value = getattr(node, field, None)
            if field in _BLOCKS and isinstance(value, list) and all(isinstance(each, ast.stmt) for each in value):
                self._block(value)
            else:
                self._value(value)
        self._parts.append(")")

    def _value(self, value: Any) -> None:
        if isinstance(value, list):
            self._parts.append(f"[{len(value)}")
            for each in value:
                self._value(each)
        elif isinstance(value, ast.AST):
            self._node(value)
        elif isinstance(value, str):
            self._parts.append(f" {self._name(value)}")
        else:
            self._parts.append(f" {value!r}")

    def _name(self, name: str) -> str:
        return self._blanks.get(name, name)


def _says_nothing(node: ast.stmt) -> bool:
    """True for docstrings, other bare constants and `pass`."""
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _blocks_of(node: ast.stmt) -> list[list[ast.stmt]] | None:
    """The blocks of a compound statement, in order; None for a simple one."""
    if not isinstance(getattr(node, "body", getattr(node, "cases", None)), list):
        return None
    parts = (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))
    blocks = [getattr(node, "body", []), *(part.body for part in parts)]
    return [*blocks, getattr(node, "orelse", []), getattr(node, "finalbody", [])]
