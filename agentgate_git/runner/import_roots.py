"""Which directories of a tree its modules are imported from, seen from its paths alone."""

from __future__ import annotations

from collections.abc import Iterable

_CANDIDATE = "src"
_SUFFIX = ".py"


def import_roots(paths: Iterable[str]) -> tuple[str, ...]:
    """`src` when it holds importable files and is no package itself; the top directory is always a root."""
    prefix = _CANDIDATE + "/"
    inside = [path for path in paths if path.startswith(prefix) and path.endswith(_SUFFIX)]
    if f"{prefix}__init__.py" in inside:
        return ()
    return (_CANDIDATE,) if any(module_name(path, _CANDIDATE) for path in inside) else ()


def module_name(path: str, root: str = "") -> str:
    """The dotted name that a file has below an import root; empty when it can have none."""
    prefix = f"{root}/" if root else ""
    if not path.startswith(prefix) or not path.endswith(_SUFFIX):
        return ""
    parts = path[len(prefix) : -len(_SUFFIX)].split("/")
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(parts) if parts and all(part.isidentifier() for part in parts) else ""
