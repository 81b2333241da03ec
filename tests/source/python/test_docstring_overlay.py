"""The head's code with the base's examples."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.source.python.docstring_overlay import with_examples_of

BASE = '''"""Module.

>>> total([])
0
"""


def total(xs):
    """Add.

    >>> total([1, 2])
    3
    """
    return sum(xs)


class Sum:
    def of(self, xs):
        """>>> Sum().of([1])
        1
        """
        return sum(xs)
'''
SAME = {"the same": BASE, "only code changed": BASE.replace("sum(xs)", "sum(xs) + 1"), "no Python": "def ("}


@pytest.mark.parametrize("head", SAME.values(), ids=SAME.keys())
def test_what_stays_as_it_is(head: str) -> None:
    assert head == with_examples_of(BASE.encode(), head.encode()).decode()


def test_prose_is_the_head_s_own() -> None:
    base, head = 'def f():\n    """Old words."""\n', 'def f():\n    """New words."""\n'
    assert head == with_examples_of(base.encode(), head.encode()).decode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    3\n", "    4\n"),
        (">>> total([1, 2])", ">>> total([1, 2])  # doctest: +SKIP"),
        (">>> total([1, 2])\n    3\n", "total([1, 2]) is 3\n"),
        ("Add.", "Ädd. 🎉"),
        ('    """Add.\n\n    >>> total([1, 2])\n    3\n    """\n', ""),
        ('        """>>> Sum().of([1])\n        1\n        """\n', ""),
        ('"""Module.\n\n>>> total([])\n0\n"""\n', ""),
    ],
)
def test_examples_are_the_base_s(old: str, new: str) -> None:
    head = BASE.replace(old, new).replace("sum(xs)", "max(xs)")
    assert head != BASE
    found = with_examples_of(BASE.encode(), head.encode()).decode()
    assert ast.dump(ast.parse(BASE.replace("sum(xs)", "max(xs)"))) == ast.dump(ast.parse(found))


@pytest.mark.parametrize(
    "head",
    [
        "def total(xs): return sum(xs)\n",
        "def total(xs): x = 1; return sum(xs)\n",
        "@property\ndef total(xs):\n    @inner\n    def f(): ...\n    return f\n",
        "import os\ndef total(xs):\n\n    # a comment\n    return sum(xs)\n",
        "async def total(xs):\n\treturn xs\n",
    ],
)
def test_a_docstring_is_put_back_wherever_the_body_stands(head: str) -> None:
    found = with_examples_of(BASE.encode(), head.encode())
    module = ast.parse(found)
    functions = [each for each in module.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
    assert [">>> total([1, 2])\n3"] == [(ast.get_docstring(each) or "").partition("\n\n")[2] for each in functions]


def test_what_the_head_no_longer_defines_is_left_out() -> None:
    assert b"def other(): ...\n" == with_examples_of(BASE.encode(), b"def other(): ...\n").split(b'"""\n')[-1]


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_no_bytes_are_too_odd(base: bytes, head: bytes) -> None:
    assert isinstance(with_examples_of(base + b">>>", head), bytes)
