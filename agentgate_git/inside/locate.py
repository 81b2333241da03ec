"""Where the symbols of a module stand in its syntax tree, and which code objects are theirs."""

from __future__ import annotations

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Dict, Iterator, List, NamedTuple, Tuple

    Key = Tuple[str, int]

    class Found(NamedTuple):
        """A definition: its qualified name, its node, the top-level statement it stands in, what encloses it."""

        name: str
        node: ast.AST
        top: int
        outer: Tuple[ast.AST, ...]


else:
    from collections import namedtuple

    Found = namedtuple("Found", "name node top outer")

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BODY = "<body>"
REST = "<module>"
VALUE_PREFIX = "module:"


def definitions(tree: ast.Module) -> List[Found]:
    """Every function and class of a module; a class has the name of its body."""
    found: List[Found] = []
    for top, node in enumerate(tree.body):
        found.extend(_below([node], "", top, ()))
    return found


def _below(nodes: List[ast.AST], prefix: str, top: int, outer: Tuple[ast.AST, ...]) -> Iterator[Found]:
    for node in nodes:
        if isinstance(node, FUNCTIONS):
            yield Found(prefix + node.name, node, top, outer)
            yield from _below(list(node.body), prefix + node.name + ".<locals>.", top, (*outer, node))
        elif isinstance(node, ast.ClassDef):
            yield Found("{}{}.{}".format(prefix, node.name, BODY), node, top, outer)
            yield from _below(list(node.body), prefix + node.name + ".", top, (*outer, node))
        elif isinstance(node, ast.stmt) or type(node).__name__ in ("ExceptHandler", "match_case"):
            inner = [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr)]
            yield from _below(inner, prefix, top, outer)


def key_of(node: ast.AST) -> Key:
    """What the code object of a function has as its name and first line."""
    assert isinstance(node, FUNCTIONS)
    return node.name, min([node.lineno, *(each.lineno for each in node.decorator_list)])


def keys(tree: ast.Module) -> Dict[Key, str]:
    """The symbol of each function's code object."""
    return {key_of(found.node): found.name for found in definitions(tree) if isinstance(found.node, FUNCTIONS)}


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """A definition's body without the definitions in it, in source order."""
    for statement in getattr(node, "body", [node]):
        yield from _own(statement)


def _own(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _own(child)


def assignments(tree: ast.Module, name: str) -> List[int]:
    """The places of the top-level statements that assign a value symbol, or that are the rest of the module."""
    if name == REST:
        return [place for place, node in enumerate(tree.body) if not assigned(node) and not _is_quiet(node)]
    wanted = name[len(VALUE_PREFIX) :]
    return [place for place, node in enumerate(tree.body) if wanted in assigned(node)]


def assigned(node: ast.stmt) -> List[str]:
    """The names that a simple assignment binds."""
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        targets = [node.target]
    else:
        return []
    found = [each for target in targets for each in ast.walk(target)]
    if not all(isinstance(each, (ast.Name, ast.Tuple, ast.List, ast.Starred, ast.expr_context)) for each in found):
        return []
    return [each.id for each in found if isinstance(each, ast.Name)]


def _is_quiet(node: ast.stmt) -> bool:
    """Definitions, imports and docstrings are no part of the rest."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom))
