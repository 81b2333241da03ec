"""Which symbols of production code a change set changed, and what each of them needs from the tests."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping

from agentgate_git.model.symbol import (
    ADDED,
    CLASS_BODY,
    CREDIT,
    EXECUTION,
    FUNCTIONS,
    METHOD,
    MODIFIED,
    MODULE,
    MOVED,
    NOTHING,
    REMOVED,
    RENAMED,
    REVERSE,
    TYPING_ONLY,
    ChangedSymbols,
    SymbolChange,
)
from agentgate_git.source.python.inert import is_inert
from agentgate_git.source.python.source import read_python
from agentgate_git.source.python.symbols import BODY, Symbol, symbols_of

# A symbol and where it stands.
Place = tuple[str, Symbol]


def changed_symbols(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> ChangedSymbols:
    """Compare two sides of a change set, each the production files that it touches by path.

    A file that cannot be read on either side is a problem: nothing is known of its symbols.
    """
    problems: list[tuple[str, str]] = []
    changes: list[SymbolChange] = []
    gone: list[Place] = []
    come: list[Place] = []
    remaining: set[tuple[str, str]] = set()
    for path in sorted(old.keys() | new.keys()):
        if old.get(path) == new.get(path):
            continue
        try:
            before, after = _read(old.get(path, b"")), _read(new.get(path, b""))
            changes += _modified(path, before, after)
        except ValueError as error:
            problems.append((path, str(error)))
            continue
        gone += [(path, symbol) for name, symbol in before.items() if name not in after]
        come += [(path, symbol) for name, symbol in after.items() if name not in before]
        remaining |= {(path, name) for name in after}
    changes += _come_and_gone(_telling(gone), _telling(come), remaining, frozenset(new))
    return ChangedSymbols(tuple(sorted(changes)), tuple(problems))


def is_prose_change(old: bytes, new: bytes) -> bool:
    """True when two versions of a file run the same code: comments, docstrings, layout and plain annotations differ.

    Imports and other statements that earn no credit have to be the same too; False for what cannot be read.
    """
    changed = changed_symbols({"": old}, {"": new})
    if changed.problems or any(change.change != TYPING_ONLY for change in changed.changes):
        return False
    before, after = read_python(old).tree, read_python(new).tree
    return before is not None and after is not None and _inert_text(before) == _inert_text(after)


def _inert_text(tree: ast.Module) -> list[str]:
    return [ast.dump(node) for node in tree.body if is_inert(node)]


def _read(data: bytes) -> dict[str, Symbol]:
    source = read_python(data)
    if source.tree is None:
        raise ValueError(source.problem)
    try:
        return symbols_of(source.tree)
    except RecursionError:
        raise ValueError("it is nested too deeply to be read") from None


def _modified(path: str, before: Mapping[str, Symbol], after: Mapping[str, Symbol]) -> list[SymbolChange]:
    try:
        pairs = [(before[name], symbol) for name, symbol in after.items() if name in before]
        found = [(symbol, _how(former, symbol)) for former, symbol in pairs]
        for name in before.keys() ^ after.keys():
            (before.get(name) or after[name]).anonymous_text()  # will be wanted, and may be nested too deeply
    except RecursionError:
        raise ValueError("it is nested too deeply to be compared") from None
    return [
        SymbolChange(path, symbol.name, symbol.kind, how, NOTHING if how == TYPING_ONLY else CREDIT, path, symbol.name)
        for symbol, how in found
        if how
    ]


def _how(before: Symbol, after: Symbol) -> str:
    if before.text() != after.text():
        return MODIFIED
    return "" if before.text(has_typing=True) == after.text(has_typing=True) else TYPING_ONLY


def _telling(places: Iterable[Place]) -> list[Place]:
    """Without bodies and rests that do nothing: a class that only has methods says no more than they do."""
    return [place for place in places if place[1].kind not in (CLASS_BODY, MODULE) or place[1].text()]


def _come_and_gone(
    gone: list[Place], come: list[Place], remaining: set[tuple[str, str]], paths: frozenset[str]
) -> list[SymbolChange]:
    """Match what stands elsewhere now; the rest was added or removed."""
    changes: list[SymbolChange] = []
    for is_near in (_has_same_name, _is_in_same_file, _is_anywhere):
        for place in _take_pairs(gone, come, is_near, changes):
            come.remove(place)
    owners = {place: place for place in remaining}
    owners.update(
        ((change.old_path, change.old_name), (change.path, change.name))
        for change in changes
        if change.kind == CLASS_BODY
    )
    for path, symbol in come:
        needs = NOTHING if symbol.is_bare_class() else CREDIT
        changes.append(SymbolChange(path, symbol.name, symbol.kind, ADDED, needs))
    changes += [_removed(path, symbol, owners, paths) for path, symbol in gone]
    return changes


def _take_pairs(
    gone: list[Place], come: list[Place], is_near: Callable[[Place, Place], bool], changes: list[SymbolChange]
) -> list[Place]:
    """Move the pairs of equal code out of `gone` into `changes`; the new places that are accounted for."""
    waiting: dict[str, list[Place]] = {}
    for place in gone:
        waiting.setdefault(_key(place[1]), []).append(place)
    taken = []
    for place in come:
        candidates = waiting.get(_key(place[1]), [])
        former = next((each for each in candidates if is_near(each, place)), None)
        if former is None:
            continue
        candidates.remove(former)
        gone.remove(former)
        taken.append(place)
        changes.append(_elsewhere(former, place))
    return taken


def _elsewhere(former: Place, place: Place) -> SymbolChange:
    (old_path, before), (path, after) = former, place
    needs = EXECUTION if after.kind in FUNCTIONS else NOTHING
    how = MOVED if before.name == after.name else RENAMED
    return SymbolChange(path, after.name, after.kind, how, needs, old_path, before.name)


def _key(symbol: Symbol) -> str:
    """Equal for the same code under another name; a function that became a method is one."""
    kind = "function" if symbol.kind in FUNCTIONS else symbol.kind
    return f"{kind} {symbol.anonymous_text()}"


def _has_same_name(before: Place, after: Place) -> bool:
    return before[1].name == after[1].name


def _is_in_same_file(before: Place, after: Place) -> bool:
    return before[0] == after[0]


def _is_anywhere(_before: Place, _after: Place) -> bool:
    return True


def _removed(
    path: str, symbol: Symbol, owners: Mapping[tuple[str, str], tuple[str, str]], paths: frozenset[str]
) -> SymbolChange:
    """What is left behaves otherwise without a method of a class that stays, or without a module's own dunder."""
    owner, _, name = symbol.name.rpartition(".")
    stays = owners.get((path, f"{owner}.{BODY}")) if symbol.kind == METHOD else None
    if stays is not None:
        place, body = stays
        now = f"{body.removesuffix(BODY)}{name}"
        return SymbolChange(place, now, symbol.kind, REMOVED, REVERSE, path, symbol.name)
    is_dunder = not owner and name.startswith("__") and name.endswith("__")
    needs = REVERSE if is_dunder and path in paths else NOTHING
    return SymbolChange(path, symbol.name, symbol.kind, REMOVED, needs, path, symbol.name)
