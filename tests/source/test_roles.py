"""What a path is for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.role import CI, CONFIG, DATA, DOCS, HARNESS, LOCK, OTHER, PRODUCTION, ROLES, TEST
from agentgate_git.source.roles import holds_tests, is_test_file, is_test_side, role_of
from agentgate_git.source.test_names import language_of

PATHS = {
    "src/pkg/core.py": PRODUCTION,
    "testing_tools.py": PRODUCTION,
    "contest/app.py": PRODUCTION,
    "test_core.py": TEST,
    "pkg/core_test.py": TEST,
    "tests/helpers.py": TEST,
    "tests/unit/__init__.py": TEST,
    "conftest.py": HARNESS,
    "pkg/conftest.py": HARNESS,
    "sitecustomize.py": HARNESS,
    "jest.setup.ts": HARNESS,
    "src/setupTests.js": HARNESS,
    "config/vitest-setup.mts": HARNESS,
    "src/setup.ts": PRODUCTION,
    "src/test.ts": PRODUCTION,
    "src/cart.test.ts": TEST,
    "src/__tests__/cart.js": TEST,
    "test/cart.mjs": TEST,
    "cypress/e2e/cart.cy.js": TEST,
    "src/cart.ts": PRODUCTION,
    "src/contest.js": PRODUCTION,
    "pkg/calc_test.go": TEST,
    "pkg/calc.go": PRODUCTION,
    "src/lib.rs": PRODUCTION,
    "tests/api.rs": TEST,
    "src/test/java/a/Helper.java": TEST,
    "src/main/java/a/CalcTest.java": TEST,
    "src/main/java/a/Calc.java": PRODUCTION,
    "Calc.Tests/Helper.cs": TEST,
    "CalcTests.cs": TEST,
    "spec/calc_spec.rb": TEST,
    "lib/calc.rb": PRODUCTION,
    "calc_unittest.cc": TEST,
    "Tests/CalcTests.swift": TEST,
    "test/calc_test.exs": TEST,
    "lib/calc.ex": PRODUCTION,
    "test/calc.bats": TEST,
    "pkg/calc_test.go.disabled": TEST,
    "pytest.ini": CONFIG,
    "pyproject.toml": CONFIG,
    "tox.ini": CONFIG,
    "setup.cfg": CONFIG,
    "Makefile": CONFIG,
    ".github/workflows/ci.yml": CI,
    ".gitlab-ci.yml": CI,
    ".pre-commit-config.yaml": CI,
    ".github/README.md": DOCS,
    "poetry.lock": LOCK,
    "requirements.txt": LOCK,
    "requirements/dev.txt": LOCK,
    ".python-version": LOCK,
    "README.md": DOCS,
    "CHANGELOG": DOCS,
    "docs/guide.rst": DOCS,
    "LICENSE.txt": DOCS,
    "pkg/table.json": DATA,
    "tests/golden.txt": DATA,
    "pkg/unknown.bin": OTHER,
    "": OTHER,
}


@pytest.mark.parametrize(("path", "role"), PATHS.items())
def test_roles(path: str, role: str) -> None:
    assert role == role_of(path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("test_a.py", True),
        ("x/a_test.py", True),
        ("test_a.txt", False),
        ("tests/a.py", False),
        ("testa.py", False),
        ("Test_a.py", False),
        ("test_a.pyi", False),
    ],
)
def test_files_that_pytest_collects_by_default(path: str, expected: bool) -> None:
    assert expected == is_test_file(path)


def test_python_files_that_can_hold_tests() -> None:
    held = [path for path in PATHS if holds_tests(path) and path.endswith(".py")]
    assert [
        "test_core.py",
        "pkg/core_test.py",
        "tests/helpers.py",
        "tests/unit/__init__.py",
        "conftest.py",
        "pkg/conftest.py",
        "sitecustomize.py",
    ] == held


def test_files_of_other_languages_hold_tests_where_they_are_tests_and_in_rust_everywhere() -> None:
    others = [path for path in PATHS if language_of(path) not in ("", "python")]
    assert [path for path in others if role_of(path) in (TEST, HARNESS) or path.endswith(".rs")] == list(
        filter(holds_tests, others)
    )


def test_what_stands_on_the_side_of_the_tests() -> None:
    assert [True, True, True, False, False] == [
        is_test_side(path) for path in ("tests/golden.txt", "a_test.py", "conftest.py", "src/a.py", "tests")
    ]


@given(st.text(max_size=60))
def test_every_path_has_a_role(path: str) -> None:
    assert role_of(path) in ROLES
