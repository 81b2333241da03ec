"""Top-level statements that no test could falsify, or that only readers and type checkers look at."""

from __future__ import annotations

import ast

_TYPE_MAKERS = frozenset(("TypeVar", "NewType", "ParamSpec", "TypeVarTuple"))
_LOGGERS = frozenset(("getLogger", "get_logger"))
_GENERICS = frozenset(
    (
        *("Union", "Optional", "Callable", "Literal", "Annotated", "Mapping", "MutableMapping", "Sequence", "Iterable"),
        *("Iterator", "Awaitable", "Coroutine", "Generator", "Dict", "List", "Tuple", "Set", "FrozenSet", "Type"),
        *("dict", "list", "tuple", "set", "frozenset", "type"),
    )
)
_PLAIN_TYPES = frozenset(("int", "str", "bytes", "float", "bool", "complex", "list", "dict", "tuple", "set", "object"))


def is_type_checking(test: ast.expr) -> bool:
    """True for the condition `TYPE_CHECKING`, of whatever module."""
    return dotted(test).rpartition(".")[2] == "TYPE_CHECKING"


def is_inert(node: ast.stmt) -> bool:
    """True for a top-level statement that earns and needs no credit."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.If):
        return is_main_guard(node.test)
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call) and dotted(node.value.func).startswith("__all__.")
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [dotted(target) for target in targets]
        return names == ["__all__"] or _is_inert_value(names, node)
    return type(node).__name__ == "TypeAlias"


def is_main_guard(test: ast.expr) -> bool:
    """True for `__name__ == "__main__"`, either way round."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return False
    sides = (test.left, test.comparators[0])
    return {dotted(side) or getattr(side, "value", None) for side in sides} == {"__name__", "__main__"}


def _is_inert_value(names: list[str], node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> bool:
    value = node.value
    if isinstance(node, ast.AnnAssign) and (value is None or dotted(node.annotation).endswith("TypeAlias")):
        return True
    if isinstance(value, ast.Constant) and all(name.startswith("__") and name.endswith("__") for name in names):
        return True  # __version__ and its like
    if isinstance(value, ast.Call):
        return dotted(value.func).rpartition(".")[2] in _TYPE_MAKERS | _LOGGERS
    return value is not None and _is_type(value)


def _is_type(node: ast.expr) -> bool:
    """True for an expression that can only be a type: `Union[...]`, `dict[str, int]`, `int | None`."""
    if isinstance(node, ast.Subscript):
        return dotted(node.value).rpartition(".")[2] in _GENERICS
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = (node.left, node.right)
        return all(_is_type(side) or _is_plain(side) for side in sides)
    return False


def _is_plain(node: ast.expr) -> bool:
    return dotted(node) in _PLAIN_TYPES or (isinstance(node, ast.Constant) and node.value is None)


def dotted(node: ast.AST) -> str:
    """`a.b.c` for names and attributes of names, else empty."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join((node.id, *reversed(parts))) if isinstance(node, ast.Name) else ""
