"""Flags of modules: what production does otherwise where one is set, and which ones are set before all tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.patches import Patch
from agentgate_git.source.python.standard_library import is_standard
from agentgate_git.source.python.walk import Spot

ASKED = "asked.flag"
GIVEN = "given.flag"
# How the line begins that makes a flag of a module, in plain bytes.
_MADE = pattern_of(rb"^([A-Za-z_]\w{0,60})[ \t]{0,9}(?::[^=\n]{1,40})?=[ \t]{0,9}(?:False|True)\b", re.MULTILINE)


_ASKS = pattern_of(rb"\b(?:if|while)\b[^\n]{1,200}")
_WORD = pattern_of(rb"[A-Za-z_]\w*")


def flags_of(data: bytes) -> frozenset[bytes]:
    """The names of the flags of a module, as its lines say."""
    return frozenset(_MADE.findall(data)) if b"= False" in data or b"= True" in data else frozenset()


def flags_asked(data: bytes, text: bytes) -> frozenset[bytes]:
    """The flags of a module that conditions in some lines of it ask."""
    flags = flags_of(data)
    return flags.intersection(_WORD.findall(b"\n".join(_ASKS.findall(text)))) if flags else flags


def asked_flags(statement: ast.stmt, nodes: list[ast.AST], spot: Spot) -> Iterator[Trait]:
    """The flags of its module by which a function takes another way; one that only refuses more is none."""
    if spot.function is None:
        return
    tests = [node.test for node in nodes if isinstance(node, ast.IfExp)]
    if isinstance(statement, ast.If | ast.While) and not isinstance(statement.body[-1], ast.Raise):
        tests.append(statement.test)
    for test in tests:
        for name in _names(test):
            held = spot.scope.settled(name)
            if isinstance(held, ast.Constant) and isinstance(held.value, bool):
                yield Trait(ASKED, name.id, name.lineno, spot.owner)


def _names(test: ast.expr) -> Iterator[ast.Name]:
    """The names that a condition asks as they are."""
    match test:
        case ast.Name():
            yield test
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from _names(inner)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _names(value) if not isinstance(value, ast.BoolOp) else ()


def given_flags(patch: Patch, spot: Spot) -> Iterator[Trait]:
    """A flag of a module that a harness sets."""
    if isinstance(patch.value, ast.Constant) and "." in patch.target.strip(".") and not is_standard(patch.target):
        yield Trait(GIVEN, patch.target.rpartition(".")[2], patch.line, spot.owner)
