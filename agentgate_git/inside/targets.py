"""The symbols that are to be broken, as the order names them, with the files that they stand in."""

from __future__ import annotations

import os
import sys
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, FrozenSet, Iterator, List, Optional, Set, Tuple

_locate = import_module("{}.locate".format(__package__))
_mutants = import_module("{}.mutants".format(__package__))
_bodies = import_module("{}.body_mutants".format(__package__))
_compiled = import_module("{}.compiled".format(__package__))
_perturb = import_module("{}.perturb".format(__package__))

HELPERS: Dict[str, Callable[..., Any]] = {
    "uniform": _perturb.uniform,
    "keyed": _perturb.keyed,
    "each": _perturb.each,
    "identity": _perturb.identity,
}
_FUNCTIONS = ("function", "method")


class Target:
    """One symbol; `is_function` when it has code of its own that runs in tests."""

    def __init__(self, row: Dict[str, str], head: Any, old: Optional[Any], path: str) -> None:
        self.name = row["name"]
        self.path = path
        self.needs = row["needs"]
        self.is_function = row["kind"] in _FUNCTIONS and self.needs != "reverse"
        self._row = row
        self._head = head
        self._old = old
        parts = head.parts(self.name) if self.is_function else []
        self.parts = parts
        self.keys = [_locate.key_of(part.node) for part in parts]
        outer = [node for part in parts for node in part.outer if isinstance(node, _locate.FUNCTIONS)]
        self.outer = [_locate.key_of(node) for node in outer]
        inner = [each for each in head.definitions for part in parts if part.node in each.outer]
        self.inner = [_locate.key_of(each.node) for each in inner if isinstance(each.node, _locate.FUNCTIONS)]
        first = next(self._mutants(), None) if self.is_function else None
        # What it was before has another decorator or default: tests can see that without running it.
        self.is_defined_otherwise = first is not None and first.kind == "revert" and not first.can_swap
        self.ran_at_import = False

    def is_hit(self, hits: Set[Any]) -> bool:
        """True when the symbol itself ran; of what has no code of its own, when anything of its file did."""
        if self.is_function:
            return any((self.path, *key) in hits for key in self.keys)
        return any(hit[0] == self.path for hit in hits)

    def attempts(self) -> Iterator[Attempt]:
        """Every mutant, each to be made on its own."""
        return (Attempt(self, mutant) for mutant in self._mutants())

    def control(self) -> Attempt:
        """What is done for a mutant, and nothing broken by it."""
        unchanged = {part.top: [self._head.tree.body[part.top]] for part in self.parts}
        return Attempt(self, _mutants.Mutant("control", self.name, 0, unchanged, True))

    def _mutants(self) -> Iterator[Any]:
        row = self._row
        if self.needs == "reverse":
            return iter(_bodies.reverse_mutants(self._head, self.name, self._old, row["old_name"]))
        if self.is_function:
            make = _mutants.function_mutants
        else:
            make = _bodies.class_mutants if row["kind"] == "class_body" else _bodies.value_mutants
        return iter(make(self._head, self.name, self._old, row["old_name"]))

    def swap(self, mutant: Any, functions: Dict[Any, List[Any]]) -> None:
        """Break the live functions; CannotSwap when that is not possible."""
        if not mutant.can_swap:
            raise _compiled.CannotSwap("it has to be there at import")
        if mutant.kind == "revert" and self.ran_at_import:
            raise _compiled.CannotSwap("it ran while modules were imported")
        wanted = [*self.keys, *self.outer]
        alive = [function for key in wanted for function in functions.get(key, ())]
        filename = alive[0].__code__.co_filename if alive else self.path
        statements = [*self._head.future(), *(each for made in mutant.replaced.values() for each in made)]
        code = _compiled.compile_statements(statements, filename, HELPERS)
        _compiled.swap(functions, code, wanted, () if mutant.kind == "revert" else self.inner)

    def code(self, mutant: Any, filename: str) -> Any:
        """The whole mutated module, for a loader."""
        return _compiled.compile_statements(self._head.with_replaced(mutant.replaced), filename, HELPERS)


class Attempt:
    """One mutant of one target."""

    def __init__(self, target: Target, mutant: Any) -> None:
        self.target = target
        self.mutant = mutant
        self.kind: str = mutant.kind
        self.label: str = mutant.label


class Targets:
    """All symbols of an order, read before anything of the project runs."""

    def __init__(self, order: Dict[str, Any]) -> None:
        self._heads: Dict[str, Any] = {}
        old = {path: _mutants.Module(text.encode("utf-8", "surrogatepass")) for path, text in order["old"].items()}
        self.all: List[Target] = []
        for row in order["symbols"]:
            head = self._head(row["path"])
            self.all.append(Target(row, head, old.get(row["old_path"]), os.path.realpath(row["path"])))
        self.paths: FrozenSet[str] = frozenset(target.path for target in self.all)
        self.favoured: FrozenSet[str] = frozenset(order["favoured"])

    def _head(self, path: str) -> Any:
        if path not in self._heads:
            with open(path, "rb") as file:
                self._heads[path] = _mutants.Module(file.read())
        return self._heads[path]

    def note_imported(self, hits: Set[Any]) -> List[int]:
        """The numbers of the functions that ran while modules were imported: what they made then is not made again."""
        found = [number for number in self.hit_by(hits) if self.all[number].is_function]
        for number in found:
            self.all[number].ran_at_import = True
        return found

    def hit_by(self, hits: Set[Any]) -> List[int]:
        """The numbers of the targets that ran."""
        return [number for number, target in enumerate(self.all) if target.is_hit(hits)] if hits else []


def patch_loader(attempt: Attempt) -> List[Tuple[str, str]]:
    """Let the import of the target's module find the mutated one; the list fills with what was replaced.

    SyntaxError and ValueError when the mutant is no Python.
    """
    target, mutant = attempt.target, attempt.mutant
    target.code(mutant, target.path)
    loader = import_module("importlib.machinery").SourceFileLoader
    original = loader.get_code
    used: List[Tuple[str, str]] = []

    def get_code(self: Any, fullname: str) -> Any:
        filename = self.get_filename(fullname)
        if os.path.realpath(filename) != target.path:
            return original(self, fullname)
        used.append((fullname, filename))
        return target.code(mutant, filename)

    loader.get_code = get_code
    _forget(target.path)
    return used


def _forget(path: str) -> None:
    """Let a package that pytest itself has imported be imported again by the project's tests."""
    found = [name for name, module in list(sys.modules.items()) if _file_of(module) == path]
    tops = {name.partition(".")[0] for name in found}
    for name in [name for name in sys.modules if name.partition(".")[0] in tops]:
        del sys.modules[name]


def _file_of(module: Any) -> str:
    file = getattr(module, "__dict__", {}).get("__file__")
    return os.path.realpath(file) if isinstance(file, str) else ""
