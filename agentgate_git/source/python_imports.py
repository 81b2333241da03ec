"""The modules that a Python file imports, by dotted name, wherever in the file it does."""

from __future__ import annotations

import ast


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
