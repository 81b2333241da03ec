"""The ways in which what runs at import is broken: class bodies, top-level values, the rest, and what was taken out.

All of them have to be there while the module is imported.
"""

from __future__ import annotations

import ast
import copy
from functools import partial
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

_locate = import_module("{}.locate".format(__package__))
_compiled = import_module("{}.compiled".format(__package__))
_operators = import_module("{}.operators".format(__package__))
_mutants = import_module("{}.mutants".format(__package__))


def class_mutants(head: Any, name: str, old: Optional[Any], old_name: str) -> Iterator[Any]:
    """Every mutant of a class body."""
    former = old.parts(old_name) if old is not None else []
    for place, part in enumerate(head.parts(name)):
        if place < len(former):
            top, node = head.copied(part)
            _take_back(node, copy.deepcopy(former[place].node))
            yield _made("revert", "{} as it was".format(name), part, top)
        top, node = head.copied(part)
        if wrap_values(node.body):
            yield _made("uniform", "other values in {}".format(name), part, top)
        changed = _mutants.changed_lines(head, [part.node], old, [each.node for each in former])
        makers = [*_without(head, part, name), *_with_other_operators(head, part, name)]
        for _, make in sorted(makers, key=lambda row: row[0] not in changed):
            yield make()


def value_mutants(head: Any, name: str, old: Optional[Any], old_name: str) -> Iterator[Any]:
    """Every mutant of a top-level value, or of the other statements of a module."""
    places = _locate.assignments(head.tree, name)
    if old is not None and (former := _locate.assignments(old.tree, old_name)):
        replaced: Dict[int, List[ast.stmt]] = {place: [] for place in places}
        replaced[places[0] if places else -1] = [copy.deepcopy(old.tree.body[place]) for place in former]
        yield _mutants.Mutant("revert", "{} as it was".format(name), 0, replaced, False)
    for place in places:
        node = copy.deepcopy(head.tree.body[place])
        if wrap_values([node]):
            yield _mutants.Mutant("uniform", "another value of {}".format(name), node.lineno, {place: [node]}, False)
    before = [old.tree.body[place] for place in _locate.assignments(old.tree, old_name)] if old is not None else []
    changed = _mutants.changed_lines(head, [head.tree.body[place] for place in places], old, before)
    sites = [(place, *site) for place in places for site in _operators.sites(head.tree.body[place])]
    for place, index, line, label, _ in sorted(sites, key=lambda site: site[2] not in changed):
        node = copy.deepcopy(head.tree.body[place])
        _operators.apply(node, index)
        yield _mutants.Mutant("operator", "{} in {}".format(label, name), line, {place: [node]}, False)
    for place in places if name == _locate.REST else ():
        line = head.tree.body[place].lineno
        yield _mutants.Mutant("operator", "a statement left out", line, {place: []}, False)


def reverse_mutants(head: Any, name: str, old: Any, old_name: str) -> Iterator[Any]:
    """What was taken out of a class or module, put back."""
    former = old.parts(old_name)
    owner = "{}.{}".format(name.rpartition(".")[0], _locate.BODY)
    label = "{} put back".format(name)
    if "." not in name:
        made = [copy.deepcopy(part.node) for part in former]
        yield _mutants.Mutant("reverse", label, 0, {-1: made}, False)
        return
    for part in head.parts(owner)[:1]:
        top, node = head.copied(part)
        node.body.extend(copy.deepcopy(each.node) for each in former)
        yield _made("reverse", label, part, top)


def _made(kind: str, label: str, part: Any, top: ast.stmt) -> Any:
    return _mutants.Mutant(kind, label, part.node.lineno, {part.top: [top]}, False)


def _take_back(node: Any, former: Any) -> None:
    """Decorators, bases and statements as they were; the methods stay as they are now."""
    members = {each.name: each for each in node.body if _is_member(each)}
    body = [members.pop(each.name, None) if _is_member(each) else each for each in former.body]
    node.body = [each for each in body if each is not None] + list(members.values()) or [ast.Pass()]
    node.decorator_list, node.bases, node.keywords = former.decorator_list, former.bases, former.keywords


def _is_member(node: ast.stmt) -> bool:
    return isinstance(node, (*_locate.FUNCTIONS, ast.ClassDef))


def wrap_values(statements: List[Any], name: str = "uniform") -> int:
    """Give assignments another value, or what the helper of that name makes of it.

    What a call makes is broken by the constants in it, where it has any.
    """
    count = 0
    for node in statements:
        if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) or node.value is None:
            continue
        has_constants = any(isinstance(each, ast.Constant) for each in ast.walk(node.value))
        if not (isinstance(node.value, ast.Call) and has_constants):
            node.value = ast.Call(func=_compiled.helper(name), args=[node.value], keywords=[])
            count += 1
    return count


def _without(head: Any, part: Any, name: str) -> Iterator[Tuple[int, Callable[[], Any]]]:
    """Statements, decorators and bases left out one by one: of each its line, and what makes the mutant."""
    for index, statement in enumerate(part.node.body):
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)) and not _is_text(statement):
            yield statement.lineno, partial(_leave_out, head, part, name, "body", index)
    for field in ("decorator_list", "keywords", "bases"):
        for index, each in enumerate(getattr(part.node, field)):
            yield getattr(each, "lineno", part.node.lineno), partial(_leave_out, head, part, name, field, index)


def _leave_out(head: Any, part: Any, name: str, field: str, index: int) -> Any:
    top, node = head.copied(part)
    if field == "body":
        node.body[index] = ast.Pass()
        return _made("operator", "a statement of {} left out".format(name), part, top)
    del getattr(node, field)[index]
    return _made("operator", "{} of {} left out".format(field, name), part, top)


def _with_other_operators(head: Any, part: Any, name: str) -> Iterator[Tuple[int, Callable[[], Any]]]:
    for index, line, label, _ in _operators.sites(part.node):
        yield line, partial(_apply, head, part, index, line, "{} in {}".format(label, name))


def _apply(head: Any, part: Any, index: int, line: int, label: str) -> Any:
    top, node = head.copied(part)
    _operators.apply(node, index)
    return _made("operator", label, part, top)._replace(line=line)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
