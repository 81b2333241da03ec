"""Folders of tests without their `__init__.py`, beside runners that do not ask for one."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK

TEST = "import unittest\n\n\nclass TestA(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)\n"
CI = "on: [push]\njobs:\n  test:\n    steps:\n      - run: {}\n"


def blocked(others: dict[str, str], *gone: str) -> list[str]:
    files = {
        "app.py": "",
        "tests/__init__.py": "",
        "tests/test_b.py": TEST,
        "tests/billing/__init__.py": "",
        "tests/billing/test_a.py": TEST,
        **others,
    }
    old = {path: text.encode() for path, text in files.items()}
    new = {path: text for path, text in old.items() if path not in gone}
    return [one.path for one in judge_files(old, new).findings if one.severity == BLOCK]


INIT = "tests/billing/__init__.py"


@pytest.mark.parametrize(
    "others",
    [
        {".github/workflows/ci.yml": CI.format("pytest")},
        {"requirements.txt": "pytest\n"},
        {".github/workflows/ci.yml": CI.format("python -m unittest discover -s tests/billing")},
        {"tests/billing/test_a.py": "def helper():\n    return 1\n"},
    ],
)
def test_what_looks_into_every_folder_finds_them(others: dict[str, str]) -> None:
    assert [] == blocked(others, INIT)


@pytest.mark.parametrize(
    "others",
    [
        {},
        {".github/workflows/ci.yml": CI.format("python -m unittest discover")},
        {"manage.py": "", "Makefile": "test:\n\tpython manage.py test\n"},
    ],
)
def test_unittest_does_not_look_into_a_folder_that_is_no_package(others: dict[str, str]) -> None:
    assert ["tests/billing/test_a.py"] == blocked(others, INIT)
