"""Tests in files of names that pytest does not collect by default: what only moves among them is nothing."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import SKIP_MARKER
from agentgate_git.model.finding import BLOCK
from agentgate_git.policy.weakening.checks import weakening_findings
from testing.change_sets import Files, facts_of

SUM = "def test_sum(self):\n        assert total([1, 2]) == 3\n\n    "
SCALE = "def test_scale(self):\n        assert scale(2, 3) == 6\n"
CASES = f"from unittest import TestCase\n\n\nclass Cases(TestCase):\n    {SUM}{SCALE}"
RENAMED = CASES.replace("test_sum", "test_total")
APP = "class App:\n    def test_client(self):\n        return Client(self)\n\n    def run(self):\n        serve(self)\n"
HELPERS = "import calc\n\n\ndef check(xs):\n    assert calc.total(xs)\n"


def severities(base: Files, head: Files) -> list[tuple[str, str]]:
    return [(one.code, one.severity) for one in weakening_findings(*facts_of(base, head)) if one.code == SKIP_MARKER]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({"app/suite/calc.py": CASES}, {"app/suite/calc.py": RENAMED}),
        ({"app/suite/calc.py": CASES}, {"app/suite/calc.py": "x = 1\n", "app/suite/more.py": CASES}),
        ({"app/sans/app.py": APP}, {"app/sans/app.py": APP.partition("    def run")[2], "app/app.py": APP}),
        ({"tests/__init__.py": CASES}, {"tests/__init__.py": "", "tests/utils.py": CASES}),
    ],
    ids=["a new name", "another file", "a method of the product that is named like one", "out of __init__"],
)
def test_what_only_moves_is_nothing(base: Files, head: Files) -> None:
    assert [] == severities(base, head)


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({"tests/test_calc.py": CASES}, {"tests/test_calc.py": "x = 1\n", "tests/calc.py": CASES}),
        (
            {"tests/test_calc.py": CASES, "tests/utils.py": HELPERS},
            {"tests/test_calc.py": "x = 1\n", "tests/utils.py": HELPERS + CASES},
        ),
        (
            {"tests/test_calc.py": CASES, "tests/more.py": CASES.replace("total", "sum_of")},
            {"tests/test_calc.py": "x = 1\n", "tests/more.py": CASES.replace("total", "sum_of") + CASES},
        ),
    ],
    ids=["to a file that is not collected", "to a file of helpers", "to a file of others that are not collected"],
)
def test_what_ran_and_moves_there_blocks(base: Files, head: Files) -> None:
    assert {(SKIP_MARKER, BLOCK)} == set(severities(base, head))
