"""Started as `<our python> -I -S rewritten.py`: files of the project written anew, once the same and once broken.

It runs nothing of the project: texts come in on stdin as JSON, and texts go out on stdout. What is broken in memory
can be found out by comparing with the file, with a child process or with what was computed at import; in a tree that
holds the broken file there is nothing to compare with. `same` holds every file with the `symbols` written in another
way that means the same. `broken` has a text for each of the `rows`, null where that mutant cannot be had: there all
symbols but the broken one are written in that other way too, so that nothing else tells the two apart.
"""

from __future__ import annotations

import ast
import copy
import json
import os
import sys
import types
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterator, List, Optional

_PACKAGE = "_agentgate_rewriting"
_CALL = "_agentgate"
# Only there where it is used: some project imports nothing but what it names.
_BLOCK = """
def {call}(name, made={{}}):
    if not made:
        exec({source!r}, made)
    return made[name]
"""
_SAME = "\n\ndef same(value):\n    return value\n"


class _NeverCalled(types.ModuleType):
    """In place of the helpers: what calls them is written down here and never run, and they import much."""

    def __getattr__(self, name: str) -> None:
        return None


class Parts:
    """The files beside this one."""

    def __init__(self, folder: str) -> None:
        package = types.ModuleType(_PACKAGE)
        package.__path__ = [folder]
        sys.modules[_PACKAGE] = package
        sys.modules[_PACKAGE + ".perturb"] = _NeverCalled(_PACKAGE + ".perturb")
        self.targets = import_module(_PACKAGE + ".targets")
        self.mutants = import_module(_PACKAGE + ".mutants")
        self.bodies = import_module(_PACKAGE + ".body_mutants")
        self.locate = import_module(_PACKAGE + ".locate")
        self.compiled = import_module(_PACKAGE + ".compiled")
        with open(os.path.join(folder, "perturb.py"), encoding="utf-8") as file:
            block = _BLOCK.format(call=_CALL, source=file.read() + _SAME)
        self.block = ast.parse(block).body


class _Helpers(ast.NodeTransformer):
    """What stands for a helper becomes a call that gives it."""

    def __init__(self, name_of: Any) -> None:
        self._name_of = name_of

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        name = self._name_of(node.value)
        if not name:
            return node
        return ast.Call(func=ast.Name(id=_CALL, ctx=ast.Load()), args=[ast.Constant(value=name)], keywords=[])


def broken(
    parts: Parts, row: Dict[str, Any], head: Any, old: Optional[Any], symbols: List[Dict[str, Any]]
) -> Optional[str]:
    """The file with one symbol broken by the mutant that the row names: the `place`th of its kind and label."""
    others = [each for each in symbols if each["name"] != row["name"]]
    target = parts.targets.Target(row, head, old, row["path"])
    left = row["place"]
    for attempt in target.attempts():
        if row["mutant"] != attempt.kind or row["label"] not in ("", attempt.label):
            continue
        if left == 0:
            try:
                return same(parts, head.with_replaced(attempt.mutant.replaced), others)
            except (ValueError, RecursionError):  # some trees have no text
                return None
        left -= 1
    return None


def same(parts: Parts, statements: List[ast.stmt], symbols: List[Dict[str, Any]]) -> str:
    """A file of these statements with the symbols written in another way."""
    module = parts.mutants.Module(b"")
    module.tree.body = copy.deepcopy(statements)
    module.definitions = parts.locate.definitions(module.tree)
    for row in symbols:
        for statements in _own_statements(parts, module, row):
            parts.bodies.wrap_values(statements, "same")
        for part in module.parts(row["name"]):
            if isinstance(part.node, parts.locate.FUNCTIONS):
                parts.mutants.rewrite(part.node)
    return written(parts, module.tree.body)


def _own_statements(parts: Parts, module: Any, row: Dict[str, Any]) -> Iterator[List[Any]]:
    """The statements that a symbol without code of its own consists of."""
    for part in module.parts(row["name"]):
        if isinstance(part.node, ast.ClassDef):
            yield part.node.body
    if row["kind"] in ("value", "module"):
        yield [module.tree.body[place] for place in parts.locate.assignments(module.tree, row["name"])]


def written(parts: Parts, statements: List[ast.stmt]) -> str:
    """Statements as the text of a file, with the helpers that they call; they are of no use afterwards."""
    made = [_Helpers(parts.compiled.helper_name).visit(each) for each in statements]
    place = next((place for place, each in enumerate(made) if not _comes_first(each)), len(made))
    made[place:place] = parts.block
    return ast.unparse(ast.fix_missing_locations(ast.Module(body=made, type_ignores=[]))) + "\n"


def _comes_first(node: ast.stmt) -> bool:
    """A docstring, and what decides how the rest is compiled."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def main(argv: List[str]) -> int:
    """Read one order, write one answer."""
    parts = Parts(os.path.dirname(os.path.abspath(argv[0])))
    order = json.load(sys.stdin)
    module = parts.mutants.Module
    heads = {path: module(text.encode("utf-8", "surrogateescape")) for path, text in order["new"].items()}
    olds = {path: module(text.encode("utf-8", "surrogateescape")) for path, text in order["old"].items()}
    symbols = {path: [row for row in order["symbols"] if row["path"] == path] for path in heads}
    answer = {
        "same": {path: same(parts, head.tree.body, symbols[path]) for path, head in heads.items()},
        "broken": [
            broken(parts, row, heads[row["path"]], olds.get(row["old_path"]), symbols[row["path"]])
            for row in order["rows"]
        ],
    }
    json.dump(answer, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
