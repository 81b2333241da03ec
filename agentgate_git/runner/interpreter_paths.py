"""What of the machine an interpreter needs to be read, told from its files alone: it may not be ours to start."""

from __future__ import annotations

import ast
import glob
import os
from collections.abc import Iterator

_MAX_HOPS = 40
_MAX_BYTES = 1 << 20


def interpreter_paths(python: str) -> tuple[str, ...]:
    """Absolute folders: where the program and the links to it lie, its environment, the one that it was made from.

    Folders that `.pth` files and the finders of editable installs name belong to it.
    """
    hops = _hops(os.path.abspath(python))
    prefixes = dict.fromkeys(each for each in map(_prefix, hops) if each)
    prefixes.update(dict.fromkeys(each for each in map(_base, tuple(prefixes)) if each))
    return tuple(
        dict.fromkeys(
            (
                *map(os.path.dirname, hops),
                *prefixes,
                *(path for prefix in prefixes for path in _named_by_site(prefix)),
            )
        )
    )


def _hops(program: str) -> tuple[str, ...]:
    """The program by each name on the way to it."""
    hops = [program]
    while os.path.islink(hops[-1]) and len(hops) < _MAX_HOPS:
        hops.append(os.path.normpath(os.path.join(os.path.dirname(hops[-1]), os.readlink(hops[-1]))))
    return tuple(dict.fromkeys((*hops, os.path.realpath(program))))


def _prefix(program: str) -> str:
    """The environment that a program is the interpreter of; empty for a mere link to one, or a copy elsewhere."""
    prefix = os.path.dirname(os.path.dirname(program))
    is_one = os.path.isfile(os.path.join(prefix, "pyvenv.cfg")) or glob.glob(
        os.path.join(glob.escape(prefix), "lib*", "python*", "os.py")
    )
    return prefix if is_one else ""


def _base(prefix: str) -> str:
    """What a virtual environment was made from."""
    for line in _lines(os.path.join(prefix, "pyvenv.cfg")):
        name, _, value = line.partition("=")
        if name.strip().lower() == "home":
            return _prefix(os.path.join(value.strip(), "python"))
    return ""


def _named_by_site(prefix: str) -> Iterator[str]:
    for folder in glob.glob(os.path.join(glob.escape(prefix), "lib*", "python*", "*-packages")):
        for name in os.listdir(folder):
            if name.endswith(".pth"):
                lines = (line.strip() for line in _lines(os.path.join(folder, name)))
                paths = (os.path.normpath(os.path.join(folder, line)) for line in lines if line)
                yield from (path for path in paths if os.path.isdir(path))
            elif name.startswith("__editable__") and name.endswith("_finder.py"):
                yield from _mapped(os.path.join(folder, name))


def _mapped(finder: str) -> Iterator[str]:
    """The folders in the MAPPING of a finder that setuptools wrote."""
    try:
        tree = ast.parse("\n".join(_lines(finder)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "MAPPING":
            for value in node.value.values if isinstance(node.value, ast.Dict) else ():
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield value.value if os.path.isdir(value.value) else os.path.dirname(value.value)


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MAX_BYTES).splitlines()
    except OSError:
        return []
