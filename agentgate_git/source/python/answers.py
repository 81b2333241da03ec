"""What a test answers itself, in the words of assertions that say nothing: stand-ins for what it calls or looks at."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.inventory import IS_HANDED, IS_REPLACED, PRESENT, Assertion
from agentgate_git.source.python.checks import Checker
from agentgate_git.source.python.names import Function
from agentgate_git.source.python.text import Writer
from agentgate_git.source.python.void import HANDED, REPLACED, handed, replaced


def answers(function: Function, checker: Checker, writer: Writer) -> Iterator[Assertion]:
    """What a test put an answer in place of, each as a void assertion."""

    def said(at: ast.AST, name: str, relation: str, values: str, why: str) -> Assertion:
        return checker.made(at, name, relation, values, PRESENT)._replace(void=why)

    if writer.stand_ins:
        for call, name in replaced(function, checker.flow, writer):
            yield said(call, name, IS_REPLACED, "", REPLACED)
        for at, name, values in handed(function, checker.flow, writer):
            yield said(at, name, IS_HANDED, values, HANDED)
