"""Small changes, one at a time: another comparison, a bound moved by one, a condition turned round, a step left out."""

from __future__ import annotations

import ast
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Tuple

    # Which change, in which line, in words, and whether it moves a bound by one.
    Site = Tuple[int, int, str, bool]

_locate = import_module("{}.locate".format(__package__))

_COMPARED: Dict[type, type] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_REVERSED: Dict[type, type] = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
_COUNTED: Dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitAnd,
}


def sites(node: ast.AST) -> List[Site]:
    """The changes that a definition offers; their numbers are the same for a copy of it."""
    found = enumerate(_changes(node))
    return [(place, line, label, _is_edge(*change)) for place, (line, label, change) in found]


def _is_edge(owner: Any, _field: str, index: int, made: Any) -> bool:
    if isinstance(owner, ast.Compare):
        operator = type(owner.ops[index])
        return operator in _REVERSED and type(made) is _COMPARED[operator]
    return isinstance(owner, ast.Constant) and type(owner.value) is int


def apply(node: ast.AST, wanted: int) -> None:
    """Make one change, in place."""
    for place, (_, _, (owner, field, index, made)) in enumerate(_changes(node)):
        if place == wanted:
            if index < 0:
                setattr(owner, field, made)
            else:
                getattr(owner, field)[index] = made
            return


def _changes(node: ast.AST) -> Iterator[Tuple[int, str, Tuple[Any, str, int, Any]]]:
    """Line, words, and what is put where; nothing is changed while this runs."""
    is_definition = hasattr(node, "body")
    inner = list(_locate.own_nodes(node))
    quiet = {id(each.value) for each in inner if isinstance(each, ast.Expr)}
    line = getattr(node, "lineno", 1)
    for owner in [node, *inner] if is_definition else inner:
        line = getattr(owner, "lineno", line)
        if (owner is not node or not is_definition) and not (isinstance(owner, ast.Constant) and id(owner) in quiet):
            for change in _of_node(owner):
                yield (line, *change)
        yield from _in_blocks(owner)


def _of_node(node: Any) -> Iterator[Tuple[str, Tuple[Any, str, int, Any]]]:
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            for table in (_COMPARED, _REVERSED):
                if type(operator) in table:
                    made = table[type(operator)]
                    label = "{} for {}".format(made.__name__, type(operator).__name__)
                    yield label, (node, "ops", place, made())
    elif isinstance(node, ast.BoolOp):
        made = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield "{} for {}".format(made.__name__, type(node.op).__name__), (node, "op", -1, made())
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _COUNTED:
        made = _COUNTED[type(node.op)]
        yield "{} for {}".format(made.__name__, type(node.op).__name__), (node, "op", -1, made())
    elif isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield "the condition turned round", (node, "test", -1, ast.UnaryOp(op=ast.Not(), operand=node.test))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "Not left out", (node, "operand", -1, ast.UnaryOp(op=ast.Not(), operand=node.operand))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "the sign left out", (node, "op", -1, ast.UAdd())
    elif isinstance(node, ast.comprehension):
        for place, test in enumerate(node.ifs):
            yield "a filter turned round", (node, "ifs", place, ast.UnaryOp(op=ast.Not(), operand=test))
    elif isinstance(node, ast.Constant):
        for value in _other_constants(node.value):
            yield "{!r} for {!r}".format(value, node.value)[:80], (node, "value", -1, value)


def _other_constants(value: Any) -> Iterator[Any]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
        yield value - 1
    elif isinstance(value, float):
        yield value + 1.0
    elif isinstance(value, str):
        yield "~{}~".format(value)
        if value:
            yield ""  # of a pattern, what matches everywhere
    elif isinstance(value, bytes):
        yield b"~" + value + b"~"


def _in_blocks(node: ast.AST) -> Iterator[Tuple[int, str, Tuple[Any, str, int, Any]]]:
    """Steps that can be left out, in the blocks of a statement."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if not isinstance(block, list):
            continue
        for place, step in enumerate(block):
            if _can_go(step):
                yield step.lineno, "{} left out".format(type(step).__name__), (node, field, place, ast.Pass())


def _can_go(step: ast.stmt) -> bool:
    if isinstance(step, ast.Expr):
        return not isinstance(step.value, (ast.Constant, ast.Yield, ast.YieldFrom))
    if isinstance(step, (ast.Assign, ast.AugAssign)):
        targets = step.targets if isinstance(step, ast.Assign) else [step.target]
        return any(isinstance(each, (ast.Attribute, ast.Subscript)) for each in targets)
    return isinstance(step, (ast.Raise, ast.Delete, ast.Break, ast.Continue, ast.Assert))
