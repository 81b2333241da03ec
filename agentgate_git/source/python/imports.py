"""The modules that a Python file imports, by dotted name and by the paths that they can have in its tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_ROOTS = ("", "src/")


def imported_modules(tree: ast.Module, path: str) -> tuple[str, ...]:
    """Dotted names without repeats; of `from a import b` both `a` and `a.b`, which may be a module of its own.

    Relative imports are resolved against the folder of `path`.
    """
    package = path.split("/")[:-1]
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update((one.name, None) for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                kept = package[: len(package) - node.level + 1]
                base = ".".join([*kept, *([node.module] if node.module else [])])
            if base:
                found[base] = None
            found.update((f"{base}.{one.name}" if base else one.name, None) for one in node.names)
    return tuple(found)


def imported_paths(path: str, data: bytes) -> frozenset[str]:
    """Paths below an import root (the top, or `src`) that the file's imports can mean; empty for what is no Python."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(found for name in imported_modules(tree, path) for found in _paths(name))


def _paths(name: str) -> Iterator[str]:
    """Every package on the way to a module is loaded too."""
    parts = name.split(".")
    for depth in range(1, len(parts) + 1):
        inner = "/".join(parts[:depth])
        for root in _ROOTS:
            yield f"{root}{inner}.py"
            yield f"{root}{inner}/__init__.py"
