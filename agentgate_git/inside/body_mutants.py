"""The ways in which what runs at import is broken: class bodies, top-level values, the rest, and what was taken out.

All of them have to be there while the module is imported.
"""

from __future__ import annotations

import ast
import copy
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional

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
        if _perturb_values(node.body):
            yield _made("uniform", "other values in {}".format(name), part, top)
        yield from _without(head, part, name)
        for index, line, label, _ in _operators.sites(part.node):
            top, node = head.copied(part)
            _operators.apply(node, index)
            yield _made("operator", "{} in {}".format(label, name), part, top)._replace(line=line)


def value_mutants(head: Any, name: str, old: Optional[Any], old_name: str) -> Iterator[Any]:
    """Every mutant of a top-level value, or of the other statements of a module."""
    places = _locate.assignments(head.tree, name)
    if old is not None and (former := _locate.assignments(old.tree, old_name)):
        replaced: Dict[int, List[ast.stmt]] = {place: [] for place in places}
        replaced[places[0] if places else -1] = [copy.deepcopy(old.tree.body[place]) for place in former]
        yield _mutants.Mutant("revert", "{} as it was".format(name), 0, replaced, False)
    for place in places:
        node = copy.deepcopy(head.tree.body[place])
        if _perturb_values([node]):
            yield _mutants.Mutant("uniform", "another value of {}".format(name), node.lineno, {place: [node]}, False)
    for place in places:
        statement = head.tree.body[place]
        for index, line, label, _ in _operators.sites(statement):
            node = copy.deepcopy(statement)
            _operators.apply(node, index)
            yield _mutants.Mutant("operator", "{} in {}".format(label, name), line, {place: [node]}, False)
        if name == _locate.REST:
            yield _mutants.Mutant("operator", "a statement left out", statement.lineno, {place: []}, False)


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


def _perturb_values(statements: List[Any]) -> int:
    """Give assignments another value; what a call makes is broken by the constants in it, where it has any."""
    count = 0
    for node in statements:
        if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) or node.value is None:
            continue
        has_constants = any(isinstance(each, ast.Constant) for each in ast.walk(node.value))
        if not (isinstance(node.value, ast.Call) and has_constants):
            node.value = ast.Call(func=_compiled.helper("uniform"), args=[node.value], keywords=[])
            count += 1
    return count


def _without(head: Any, part: Any, name: str) -> Iterator[Any]:
    """Statements, decorators and bases left out one by one."""
    for index, statement in enumerate(part.node.body):
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)) and not _is_text(statement):
            top, node = head.copied(part)
            node.body[index] = ast.Pass()
            yield _made("operator", "a statement of {} left out".format(name), part, top)
    for field in ("decorator_list", "keywords", "bases"):
        for index in range(len(getattr(part.node, field))):
            top, node = head.copied(part)
            del getattr(node, field)[index]
            yield _made("operator", "{} of {} left out".format(field, name), part, top)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
