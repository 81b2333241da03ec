"""Tables of parameters that are made of the files of a folder: the pattern that these have to match, from the top."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterable, Iterator

from agentgate_git.source.nodes import last
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.names import Scope

_FUEL = 8
_COPIES = frozenset(("list", "tuple", "sorted", "set", "reversed"))
_TEXTS = frozenset(("str", "fspath", "Path", "PurePath", "abspath", "realpath", "resolve", "absolute"))


def globs_taken(decorators: Iterable[ast.expr], path: str, scope: Scope) -> Iterator[str]:
    """The patterns of files that the parameters of a test of the file at `path` are made of, and nothing else is."""
    for one in decorators:
        if isinstance(one, ast.Call) and last(one.func) == "parametrize":
            for given in (*one.args[1:2], *(more.value for more in one.keywords if more.arg == "argvalues")):
                pattern = _pattern(given, path, scope, _FUEL)
                if pattern and not pattern.startswith(".."):
                    yield pattern


def _pattern(node: ast.expr, path: str, scope: Scope, fuel: int) -> str:
    scope.spend()
    if not fuel:
        return ""
    match node:
        case ast.Name():
            held = scope.settled(node)
            return _pattern(held, path, scope, fuel - 1) if held is not None else ""
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _COPIES:
            return _pattern(inner, path, scope, fuel - 1)
        case ast.ListComp(generators=[one]) | ast.GeneratorExp(generators=[one]) if not one.ifs:
            return _pattern(one.iter, path, scope, fuel - 1)
        case ast.Call(func=ast.Attribute(value=owner, attr="glob" | "rglob" as how), args=[given, *_]):
            if scope.dotted(node.func) in ("glob.glob", "glob.iglob"):
                return _joined(_place(given, path, scope, fuel - 1))
            text, place = fold(given, scope.constant), _place(owner, path, scope, fuel - 1)
            if not isinstance(text, str) or place is None:
                return ""
            return _joined(posixpath.join(place, "**", text) if how == "rglob" else posixpath.join(place, text))
        case ast.Call(args=[given, *_]) if scope.dotted(node.func) in ("glob.glob", "glob.iglob"):
            return _joined(_place(given, path, scope, fuel - 1))
        case ast.Call(func=ast.Attribute(value=owner, attr="iterdir"), args=[]):
            place = _place(owner, path, scope, fuel - 1)
            return _joined(posixpath.join(place, "*") if place else None)
        case _:
            return ""


def _joined(place: str | None) -> str:
    return posixpath.normpath(place) if place and not place.startswith("/") else ""


def _place(node: ast.expr, path: str, scope: Scope, fuel: int) -> str | None:
    """A file or folder by its path from the top, where a module stands at `path`; None for what only a run can tell."""
    scope.spend()
    if not fuel:
        return None
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.Name(id="__file__"):
            return path
        case ast.Name():
            held = scope.settled(node)
            return _place(held, path, scope, fuel - 1) if held is not None else None
        case ast.BinOp(op=ast.Div(), left=left, right=right):
            parts = [_place(one, path, scope, fuel - 1) for one in (left, right)]
            return posixpath.join(*filter(None, parts)) if None not in parts else None
        case ast.Attribute(value=owner, attr="parent"):
            place = _place(owner, path, scope, fuel - 1)
            return posixpath.dirname(place) if place else None
        case ast.Call(func=called, args=args) if last(called) == "dirname" and len(args) == 1:
            place = _place(args[0], path, scope, fuel - 1)
            return posixpath.dirname(place) if place else None
        case ast.Call(func=called, args=args) if last(called) in ("join", "joinpath") and args:
            before = [called.value] if isinstance(called, ast.Attribute) and last(called) == "joinpath" else []
            parts = [_place(one, path, scope, fuel - 1) for one in (*before, *args)]
            return posixpath.join(*filter(None, parts)) if None not in parts and any(parts) else None
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[]) if name in _TEXTS:
            return _place(owner, path, scope, fuel - 1)
        case ast.Call(func=called, args=[inner]) if last(called) in _TEXTS:
            return _place(inner, path, scope, fuel - 1)
        case _:
            return None
