"""State machines of hypothesis: each runs through a test case that a file binds, and not by itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from agentgate_git.model.inventory import NOT_COLLECTED, RUNS, CollectedTest
from agentgate_git.source.nodes import last, nodes_of
from agentgate_git.source.python.names import flat

_MACHINE = "RuleBasedStateMachine"
_CASE = "TestCase"
_RUNS = "run_state_machine_as_test"
UNBOUND = "no test case of it is bound"


def machines(statements: Iterable[ast.stmt]) -> Iterator[CollectedTest]:
    """One test for each machine of a file, by the name of its class; not collected where nothing runs it."""
    listed = [statement for statement, _ in flat(statements)]
    found = [
        one for one in listed if isinstance(one, ast.ClassDef) and any(last(base) == _MACHINE for base in one.bases)
    ]
    if not found:
        return
    run = frozenset(name for statement in listed for name in _run(statement))
    for node in found:
        state, marker = (RUNS, "") if node.name in run else (NOT_COLLECTED, UNBOUND)
        yield CollectedTest(f"{node.name}::{_CASE}", state, node.lineno, f"machine {node.name}", marker)


def _run(statement: ast.stmt) -> Iterator[str]:
    """The machines whose test case a statement binds or inherits, or that it runs."""
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        value = statement.value
        is_bound = any(isinstance(one, ast.Name | ast.Subscript) for one in targets)
        if is_bound and isinstance(value, ast.Attribute) and value.attr == _CASE:
            yield last(value.value)
    elif isinstance(statement, ast.ClassDef):
        yield from (last(one.value) for one in statement.bases if isinstance(one, ast.Attribute) and one.attr == _CASE)
        yield from (last(one) for one in statement.bases)
    for node in nodes_of(statement) if isinstance(statement, ast.FunctionDef | ast.Expr | ast.ClassDef) else ():
        if isinstance(node, ast.Call) and last(node.func) == _RUNS:
            yield from (last(one) for one in node.args[:1])
