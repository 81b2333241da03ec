"""Conditions: always, never or it depends."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.source.python.conditions import ALWAYS, DEPENDS, NEVER, negated, truth
from agentgate_git.source.python.names import Scope

PRELUDE = """
import os, sys, platform
import sys as s
from os import environ, getenv as g
from typing import TYPE_CHECKING
WINDOWS = sys.platform == "win32"
OFF = False
try:
    import numpy
    HAS_NUMPY = True
except ImportError:
    HAS_NUMPY = False
LOOP = not LOOP
"""

CONDITIONS = {
    "True": ALWAYS,
    "1": ALWAYS,
    "not False": ALWAYS,
    "1 == 1": ALWAYS,
    "'a' in 'abc'": ALWAYS,
    "len('x') > 0": ALWAYS,
    "unknown or True": ALWAYS,
    "sys.version_info >= (3, 0)": ALWAYS,
    "sys.version_info[0] == 3": ALWAYS,
    "sys.version_info >= (2, 7)": ALWAYS,
    "sys.version_info >= (3,)": ALWAYS,
    "sys.version_info < (4,)": ALWAYS,
    "s.version_info.major >= 3": ALWAYS,
    "bool(os.environ.get('CI', '1'))": ALWAYS,
    "hasattr(sys, 'version_info')": ALWAYS,
    "not OFF": ALWAYS,
    "(x := True)": ALWAYS,
    "False": NEVER,
    "OFF": NEVER,
    "unknown and False": NEVER,
    "sys.version_info < (3, 8)": NEVER,
    "sys.version_info >= (4, 0)": NEVER,
    "sys.platform == 'win32'": NEVER,
    "sys.platform.startswith('win')": NEVER,
    "platform.system() == 'Windows'": NEVER,
    "os.name == 'nt'": NEVER,
    "WINDOWS": NEVER,
    "os.environ.get('RUN_SLOW') == 'never'": NEVER,
    "'RUN_SLOW' in environ": NEVER,
    "g('RUN_SLOW', '') == '1'": NEVER,
    "TYPE_CHECKING": NEVER,
    "__name__ == '__main__'": NEVER,
    "sys.byteorder not in ('little', 'big')": NEVER,
    "unknown": DEPENDS,
    "not WINDOWS": DEPENDS,
    "sys.version_info < (3, 12)": DEPENDS,
    "sys.version_info >= (3, 8)": DEPENDS,
    "sys.version_info[:2] >= (3, 3)": ALWAYS,
    "sys.version_info[:2] >= (3, 5)": DEPENDS,
    "not sys.version_info < (3, 6)": DEPENDS,
    "sys.platform == 'linux'": DEPENDS,
    "'RUN_SLOW' not in os.environ": DEPENDS,
    "not os.environ.get('RUN_SLOW')": DEPENDS,
    "os.environ.get('CI')": DEPENDS,
    "os.environ.get('HOME') == '/root'": DEPENDS,
    "HAS_NUMPY": DEPENDS,
    "LOOP": DEPENDS,
    "1 / 0": DEPENDS,
    "'a' * 10**9": DEPENDS,
    "shutil.which('git')": DEPENDS,
}


def judged(condition: str) -> str:
    module = ast.parse(f"{PRELUDE}\n{condition}\n")
    last = module.body[-1]
    assert isinstance(last, ast.Expr)
    return truth(last.value, Scope(module.body))


@pytest.mark.parametrize(("condition", "expected"), CONDITIONS.items())
def test_conditions(condition: str, expected: str) -> None:
    assert expected == judged(condition)


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_and_its_opposite_are_never_both_certain(condition: str) -> None:
    module = ast.parse(f"{PRELUDE}\n{condition}\n")
    last = module.body[-1]
    assert isinstance(last, ast.Expr)
    assert (ALWAYS, ALWAYS) != (judged(condition), truth(negated(last.value), Scope(module.body)))


OPERATORS = ["+", "-", "*", "//", "%", "==", "<", "in", "and", "or", "is not"]


@given(
    st.recursive(
        st.sampled_from(["1", "0", "'a'", "''", "None", "()", "[1]", "sys", "sys.version_info", "x", "os.environ"]),
        lambda inner: st.tuples(inner, st.sampled_from(OPERATORS), inner).map(lambda three: f"({' '.join(three)})"),
        max_leaves=12,
    )
)
def test_no_expression_crashes(condition: str) -> None:
    assert judged(condition) in (ALWAYS, NEVER, DEPENDS)
