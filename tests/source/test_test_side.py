"""What a replay takes from the base, by path alone."""

from __future__ import annotations

import pytest

from agentgate_git.source.test_side import is_of_the_tests, shadowed_runner

CODE = (
    "core.py",
    "src/app/core.py",
    "app/data/table.json",
    "app/templates/page.html",
    "app/spec/reader.py",
    "app/expected/__init__.py",
    "README.md",
    "requirements.txt",
    "app/native.c",
)
TESTS = (
    "test_core.py",
    "tests/test_core.py",
    "tests/helpers.py",
    "tests/data/big.bin",
    "conftest.py",
    "app/conftest.py",
    "app/tests.py",
    "pyproject.toml",
    "tox.ini",
    "pytest.ini",
    "Makefile",
    ".github/workflows/ci.yml",
    "golden/total.txt",
    "app/__snapshots__/page.snap",
    "cassettes/a.yaml",
    "entropy.yaml",
    "entropy.baseline.yaml",
    "sitecustomize.py",
    "hook.pth",
)


@pytest.mark.parametrize("path", CODE)
def test_what_is_code(path: str) -> None:
    assert not is_of_the_tests(path)


@pytest.mark.parametrize("path", TESTS)
def test_what_belongs_to_the_tests(path: str) -> None:
    assert is_of_the_tests(path)


@pytest.mark.parametrize(
    ("path", "tool"),
    [
        ("app/pytest_support.py", ""),
        ("app/mock.py", ""),
        ("pytest.md", ""),
        ("pytest.py", "pytest"),
        ("src/hypothesis/__init__.py", "hypothesis"),
        ("unittest/case.py", "unittest"),
        ("src/freezegun.py", "freezegun"),
    ],
)
def test_what_stands_in_front_of_a_test_tool(path: str, tool: str) -> None:
    assert tool == shadowed_runner(path)
