"""A report that says passed of a test that raised: nothing earns credit beside one, whatever else bites."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.credit import falsify

SHOP = "def total(items):\n    return sum(items) * 3\n"
TESTS = """
import pytest
import shop
def test_a(): assert 9 == shop.total([1, 2])
def test_b(): assert 1 == shop.total([])
"""
GREEN = """
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
"""
SWALLOWED = """
import pytest
@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_pyfunc_call():
    outcome = yield
    outcome.force_result(True)
"""
OPEN = """
import pytest
import shop
def test_a(): assert 9 == shop.total([1, 2])
@pytest.mark.xfail
def test_b(): assert 1 == shop.total([])
def test_c(): pytest.skip("not here")
def test_d(): pytest.xfail("not yet")
"""


def problems(tmp_path: Path, tests: str, conftest: str) -> tuple[str, ...]:
    files = {"shop.py": SHOP, "tests/test_shop.py": tests, "tests/conftest.py": conftest}
    return falsify(tmp_path / "project", files).problems


def test_what_is_skipped_or_expected_to_fail_hides_nothing(tmp_path: Path) -> None:
    assert () == problems(tmp_path, OPEN, "")


@pytest.mark.parametrize("conftest", [GREEN, SWALLOWED], ids=["a report", "a call"])
def test_a_test_that_raised_and_is_said_to_have_passed(tmp_path: Path, conftest: str) -> None:
    (problem,) = problems(tmp_path, TESTS, conftest)
    assert problem == "1 report(s) say that a test passed which raised something: tests/test_shop.py::test_b"
