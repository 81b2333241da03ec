"""Which modules a Python file imports, as the paths that they can have in its tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def imported_paths(path: str, data: bytes) -> frozenset[str]:
    """Paths below an import root (the top, or `src`) that the file's imports can mean; empty for what is no Python."""
    try:
        module = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    package = path.split("/")[:-1]
    names = {name for node in ast.walk(module) for name in _names(node, package)}
    return frozenset(found for name in names for found in _paths(name))


def _names(node: ast.AST, package: list[str]) -> Iterator[str]:
    """Dotted names with slashes; what is imported from a module can be a module as well."""
    if isinstance(node, ast.Import):
        yield from (alias.name.replace(".", "/") for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else []
        origin = "/".join((*above, *(node.module.split(".") if node.module else ())))
        yield origin
        yield from (f"{origin}/{alias.name}" for alias in node.names)


def _paths(name: str) -> Iterator[str]:
    parts = name.split("/")
    for depth in range(1, len(parts) + 1):
        inner = "/".join(parts[:depth])
        for root in ("", "src/"):
            yield f"{root}{inner}.py"
            yield f"{root}{inner}/__init__.py"
