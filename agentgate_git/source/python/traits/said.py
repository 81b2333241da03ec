"""What a whole file says, asked by every expression in it and found once: its nodes, its texts, what it imports."""

from __future__ import annotations

import ast
from itertools import chain

from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.folding import fold
from agentgate_git.source.python.walk import Spot


def walked(body: list[ast.stmt], spot: Spot) -> list[ast.AST]:
    """Everything in a body of the file, counted as steps of reading; several questions are about all of it."""
    key = ("walked", id(body))
    if key not in spot.memo:
        found: list[ast.AST] = []
        for statement in body:
            held = tuple(nodes_of(statement))
            spot.scope.spend(len(held))
            found += held
        spot.memo[key] = found
    nodes: list[ast.AST] = spot.memo[key]
    return nodes


def said(spot: Spot) -> list[str | bytes]:
    """The texts in the file, also those that are put together of parts, so that nobody finds them."""
    key = ("said", id(spot.module))
    if key not in spot.memo:
        nodes = walked(spot.module, spot)
        found = [node.value for node in nodes if type(node) is ast.Constant]
        found += [
            fold(node, spot.scope.constant) for node in nodes if type(node) is ast.BinOp and _is_put_together(node)
        ]
        spot.memo[key] = [one for one in found if isinstance(one, (str, bytes))]
    texts: list[str | bytes] = spot.memo[key]
    return texts


def _is_put_together(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Add) and isinstance(node.right, ast.Constant)


def mentions_getenv(spot: Spot) -> bool:
    """True when `getenv` is called something else in the file, or by a text, for all that can be seen."""
    key = ("mentions getenv", id(spot.module))
    if key not in spot.memo:
        imported = (
            alias.name
            for node in walked(spot.module, spot)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        )
        names = (last(node) for node in walked(spot.module, spot) if isinstance(node, (ast.Name, ast.Attribute)))
        texts = (one if isinstance(one, str) else one.decode("latin-1") for one in said(spot))
        spot.memo[key] = any("getenv" in one for one in chain(imported, names, texts))
    return bool(spot.memo[key])
