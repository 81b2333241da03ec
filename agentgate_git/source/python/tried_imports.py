"""Modules that a file tries to import, and what it says where they are not there: a flag, a name that is None."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import CONDITIONAL
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.effects import Effect, written

_CATCHES = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))
_NAME = pattern_of(r"(?:not )?\(?([A-Za-z_]\w*)(?: is None)?\)?")
# Parts of a package that have to be built first: they may be missing where the package is there.
_BUILT = pattern_of(r"_\w*|\w*(?:speedup|cext|native|cython|accel|compiled)\w*")
_SHOWN = 60


def tried(statements: Iterable[ast.stmt]) -> str:
    """The first import that the body of a `try` makes, as a reader would write it; empty for one that makes none."""
    for one in statements:
        if isinstance(one, ast.Import | ast.ImportFrom) and not all(_BUILT.fullmatch(name.name) for name in one.names):
            return written(one, _SHOWN)
    return ""


class TriedImports:
    """The names of a module by the import that decides what they are."""

    def __init__(self, statements: Iterable[ast.stmt]) -> None:
        self._names = dict(_decided(statements))

    def told(self, effect: Effect) -> Effect:
        """The effect, with the import that decides over its condition, if that is all that the condition asks."""
        found = _NAME.fullmatch(effect.condition) if self._names and effect.state == CONDITIONAL else None
        if found is None or found[1] not in self._names:
            return effect
        return effect._replace(condition=f"{effect.condition} after {self._names[found[1]]}")


def _decided(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, str]]:
    for statement in statements:
        if not isinstance(statement, ast.Try):
            continue
        shown = tried(statement.body)
        for handler in statement.handlers if shown else ():
            if _catches(handler):
                yield from ((name, shown) for name in _named(handler.body))


def _catches(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(one is None or (isinstance(one, ast.Name) and one.id in _CATCHES) for one in kinds)


def _named(body: Iterable[ast.stmt]) -> Iterator[str]:
    for one in body:
        if isinstance(one, ast.Assign):
            yield from (target.id for target in one.targets if isinstance(target, ast.Name))
