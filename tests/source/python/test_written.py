"""Code as a finding shows it: the beginning of it, however much it holds."""

from __future__ import annotations

import ast

import pytest

from agentgate_git.source.python.effects import written

DEEP = "".join(f"{' ' * at}if a{at}:\n" for at in range(60)) + " " * 60 + "b()\n"
CODE = {
    "an expression": "f(a, b)",
    "a statement": "a = 1",
    "a branch": "if a:\n    b()",
    "a chain of branches": "if a:\n    b()\nelif c:\n    d()\nelse:\n    e()",
    "a branch in another": "if a:\n    b()\nelse:\n    if c:\n        d()\n    e()",
    "a loop": "for a in b:\n    c()\nelse:\n    d()",
    "errors": "try:\n    a()\nexcept B as b:\n    c()\nelse:\n    d()\nfinally:\n    e()",
    "cases": "match a:\n    case 1:\n        b()\n    case _ if c:\n        d()",
    "definitions": "@a\nclass B(C):\n    d = 1\n\n    def e(self):\n        with f() as g:\n            h()",
    "deep": DEEP,
    "long": "while a:\n" + "    b()\n" * 300,
}


@pytest.mark.parametrize("limit", [10, 25, 60, 200])
@pytest.mark.parametrize("text", CODE.values(), ids=CODE)
def test_it_is_the_beginning_of_the_whole(text: str, limit: int) -> None:
    whole = ast.unparse(ast.parse(text).body[0])
    assert (whole if len(whole) <= limit else whole[:limit] + "…") == written(ast.parse(text).body[0], limit)
