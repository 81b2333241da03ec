"""What a loop compares one by one, in the words of the whole: the items of two values, or of one and their keys.

`for a, b in zip(xs, ys): assert a == b` says that the two are equal as far as the shorter goes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import EXACT, SHORTER, SOUGHT, Assertion
from agentgate_git.source.nodes import last
from agentgate_git.source.python.operands import EACH_FALSE, EACH_TRUE
from agentgate_git.source.python.text import Writer, bounded

_TRUTHS = {"is truthy": EACH_TRUE, "is falsy": EACH_FALSE}
_LENGTH = "len =="


def in_words_of_whole(
    found: Iterable[Assertion], target: ast.expr, items: ast.expr, writer: Writer
) -> Iterator[Assertion]:
    """What a loop over `items` asserts, in which each item is called `target`."""
    sides = _zipped(target, items)
    keyed = _keyed(target, items, writer)
    whole = items if isinstance(target, ast.Name) and isinstance(items, ast.Name | ast.Call | ast.Attribute) else None
    for one in found:
        if one.void or not (one.subject.isidentifier() or one.expected.isidentifier()):
            yield one
        elif sides and one.relation == "==" and {one.subject, one.expected} == set(sides):
            first, second = (writer.text(node) for node in sides.values())
            is_strict = isinstance(items, ast.Call) and (bool(items.keywords) or last(items.func) != "zip")
            yield _said(one, first, "==" if is_strict else f"=={SHORTER}", second, EXACT if is_strict else SOUGHT)
        elif keyed and one.relation in _TRUTHS and one.subject == keyed[0]:
            yield _said(one, keyed[2], _TRUTHS[one.relation], "", one.strength)
        elif keyed and one.relation == "==" and keyed[0] in (one.subject, one.expected):
            subject, expected = (keyed[1] if side == keyed[0] else side for side in (one.subject, one.expected))
            yield _said(one, subject, one.relation, expected, one.strength)
        elif whole is not None and one.relation in _TRUTHS and one.subject == getattr(target, "id", ""):
            yield _said(one, writer.text(whole), _TRUTHS[one.relation], "", one.strength)
        else:
            yield one


def with_lengths(found: list[Assertion]) -> list[Assertion]:
    """The same, those of pairs as comparisons of the wholes where the lengths of the two are compared too."""
    if not any(one.relation.endswith(SHORTER) for one in found):
        return found
    told = {one.subject for one in found if one.relation == _LENGTH and not (one.void or one.condition)}
    return [
        _said(one, one.subject, "==", one.expected, EXACT)
        if one.relation == f"=={SHORTER}" and (one.subject in told or one.expected in told)
        else one
        for one in found
    ]


def _said(one: Assertion, subject: str, relation: str, expected: str, strength: str) -> Assertion:
    text = bounded(" ".join([subject, relation, expected]).rstrip())
    return one._replace(text=text, subject=subject, relation=relation, expected=expected, strength=strength)


def _zipped(target: ast.expr, items: ast.expr) -> dict[str, ast.expr]:
    """The names of the items of two values that are gone through together, with the two."""
    match target, items:
        case (
            ast.Tuple(elts=[ast.Name(id=one), ast.Name(id=other)]),
            ast.Call(func=called, args=[first, second], keywords=[] | [ast.keyword(arg="strict")]),
        ) if one != other and last(called) in ("zip", "zip_longest"):
            return {one: first, other: second}
        case _:
            return {}


def _keyed(target: ast.expr, items: ast.expr, writer: Writer) -> tuple[str, str, str] | None:
    """The name of an item, the item by its key or place, and all items: `v`, `xs[k]` and `xs.values()`."""
    match target, items:
        case (
            ast.Tuple(elts=[ast.Name(id=key), ast.Name(id=item)]),
            ast.Call(func=ast.Attribute(value=owner, attr="items"), args=[], keywords=[]),
        ):
            text = writer.text(owner)
            return item, f"{text}[{key}]", f"{text}.values()"
        case (
            ast.Tuple(elts=[ast.Name(id=key), ast.Name(id=item)]),
            ast.Call(func=ast.Name(id="enumerate"), args=[owner], keywords=[]),
        ):
            text = writer.text(owner)
            return item, f"{text}[{key}]", text
        case _:
            return None
