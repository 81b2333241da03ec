"""Names of tests that the code of tests lists, to leave out those that bear them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.source.python.effects import written
from agentgate_git.source.python.walk import Spot
from agentgate_git.source.test_data import LISTED, is_left_out, is_test_id

_STOPS = ("skip", "xfail", "deselect", "return []", "expectedFailure")


def list_traits(statement: ast.stmt, spot: Spot, path: str) -> Iterator[Trait]:
    """The names of tests in a list of a module, where its name, its module or what is done with it leaves tests out."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(target, ast.Name) or spot.owner or not isinstance(statement, ast.Assign):
        return
    texts = [
        one
        for one in ast.walk(statement.value)
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and is_test_id(one.value)
    ]
    if not texts or not isinstance(statement.value, ast.List | ast.Tuple | ast.Set | ast.Dict | ast.Call):
        return
    module = path.rpartition("/")[2]
    if is_left_out(f"{target.id}.") or is_left_out(module) or _stops_by(target.id, spot.module):
        for one in texts:
            yield Trait(LISTED, str(one.value), one.lineno, target.id)


def _stops_by(name: str, module: list[ast.stmt]) -> bool:
    """True where what is in a list of that name is kept from running."""
    for statement in module:
        for node in ast.walk(statement) if isinstance(statement, ast.FunctionDef | ast.ClassDef) else ():
            if isinstance(node, ast.If) and any(
                isinstance(one, ast.Name) and one.id == name for one in ast.walk(node.test)
            ):
                done = " ".join(written(one) for one in node.body)
                if any(word in done for word in _STOPS):
                    return True
    return False
