"""Inventories of Python test files: one table of shapes, each with the state of `test_x` (or of a class's)."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.inventory import (
    CONDITIONAL,
    NOT_COLLECTED,
    RUNS,
    SETUP,
    SKIPPED,
    STATES,
    CollectedTest,
    Inventory,
)
from agentgate_git.source.python.tests import read_inventory

IMPORTS = "import os, sys, unittest\nimport pytest\n"


def inventory(text: str, path: str = "tests/test_a.py", forbidden: tuple[str, ...] = ()) -> Inventory:
    found = read_inventory(path, (IMPORTS + dedent(text)).encode(), forbidden)
    assert "" == found.problem
    return found


def state_of(text: str, name: str = "test_x") -> str:
    states = [test.state for test in inventory(text).tests if test.name.rpartition("::")[2] == name]
    assert len(states) == 1, "one test of that name"
    return states[0]


BODY = "def test_x():\n    assert total(1) == 1\n"
METHOD = "    def test_x(self):\n        assert total(1) == 1\n"

CASES = yaml.safe_load((Path(__file__).parents[2] / "cases" / "python_states.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", CASES, ids=lambda row: f"{row['state']}: {row['id']}")
def test_states(row: dict[str, str]) -> None:
    name = "check_x" if "check_x" in row["code"] else "test_x"
    assert row["state"] == state_of(row["code"], name)


def test_there_are_cases_for_every_state() -> None:
    assert set(STATES) == {row["state"] for row in CASES}


B74 = {"look-alike letters", "continued line", "getattr", "raise SkipTest", "early return", "parametrize with nothing"}


@pytest.mark.parametrize("row", [row for row in CASES if row["id"] in B74], ids=lambda row: row["id"])
def test_b74_disguised_skips_are_seen_by_what_they_do(row: dict[str, str]) -> None:
    assert SKIPPED == state_of(row["code"])


def test_b74_a_source_in_utf_7_is_a_problem_and_prose_is_nothing() -> None:
    hidden = b"# -*- coding: utf-7 -*-\nimport pytest\n+AEA-pytest.mark.+AHM-kip\ndef test_x(): pass\n"
    assert "utf-7" in read_inventory("test_a.py", hidden).problem
    assert RUNS == state_of(f'"""Tests that need the network are flaky."""\n{BODY}')


@pytest.mark.parametrize(
    "line", ["x = 1\r@pytest.mark.skip", "\x0c@pytest.mark.skip", "x = 1\r\n\x0c@pytest.mark.skip"]
)
def test_b55_markers_behind_odd_line_breaks_are_read_as_python_reads_them(line: str) -> None:
    assert SKIPPED == state_of(f"{line}\n{BODY}")


def test_b55_a_separator_inside_a_comment_starts_no_line() -> None:
    assert RUNS == state_of(f"# \u2028@pytest.mark.skip\n{BODY}")


def test_names_lines_markers_and_conditions() -> None:
    text = """
    @pytest.mark.skipif(sys.platform == "linux", reason="x")
    def test_a():
        assert a

    class TestB:
        class TestC:
            def test_d(self):
                pytest.skip("later")
    """
    first, second = inventory(text).tests
    assert ("test_a", 4, "pytest.mark.skipif", "sys.platform == 'linux'") == (
        first.name,
        first.line,
        first.marker,
        first.condition,
    )
    assert ("TestB::TestC::test_d", 11, "pytest.skip()") == (second.name, second.line, second.marker)


def test_a_guard_that_never_holds_here_is_kept_as_a_note() -> None:
    (test,) = inventory(f"@pytest.mark.skipif(sys.platform == 'win32', reason='')\n{BODY}").tests
    assert (RUNS, "sys.platform == 'win32'") == (test.state, test.condition)


def test_inherited_tests_are_listed_where_they_run() -> None:
    text = """
    class Base:
        def test_a(self):
            assert a

    class TestOne(Base):
        pass

    @pytest.mark.skip
    class TestTwo(Base):
        pass
    """
    states = {test.name: test.state for test in inventory(text).tests}
    assert {"Base::test_a": NOT_COLLECTED, "TestOne::test_a": RUNS, "TestTwo::test_a": SKIPPED} == states


def test_a_subclass_can_turn_tests_on_again() -> None:
    text = """
    class Base:
        __test__ = False
        def test_a(self):
            assert a

    class TestOne(Base):
        __test__ = True
    """
    assert RUNS == {test.name: test.state for test in inventory(text).tests}["TestOne::test_a"]


def test_of_two_definitions_the_last_is_the_test() -> None:
    first, second = inventory("def test_x():\n    assert a\ndef test_x():\n    assert b\n").tests
    assert (NOT_COLLECTED, RUNS) == (first.state, second.state)


def test_alternatives_in_branches_are_both_tests() -> None:
    text = "if has_db():\n    def test_x():\n        assert a\nelse:\n    def test_x():\n        assert b\n"
    assert [CONDITIONAL, CONDITIONAL] == [test.state for test in inventory(text).tests]


def test_fixtures_and_set_up_are_no_tests() -> None:
    text = "@pytest.fixture\ndef client():\n    return 1\ndef setup_module():\n    pass\n"
    assert () == inventory(text).tests


def test_a_fixture_that_is_named_like_a_test_is_not_collected() -> None:
    text = "class TestA:\n    @pytest.fixture\n    def test_client(self):\n        return 1\n"
    assert [("TestA::test_client", NOT_COLLECTED)] == [(test.name, test.state) for test in inventory(text).tests]


IGNORES = {
    "a file": ("collect_ignore = ['test_a.py']", [("collect_ignore test_a.py", NOT_COLLECTED)]),
    "a folder": ("collect_ignore = ['legacy']", [("collect_ignore legacy", CONDITIONAL)]),
    "all": ("collect_ignore_glob = ['*.py']", [("collect_ignore_glob *.py", NOT_COLLECTED)]),
    "a test folder": ("collect_ignore_glob = ['tests/*']", [("collect_ignore_glob tests/*", NOT_COLLECTED)]),
    "a glob": ("collect_ignore_glob = ['*_legacy.py']", [("collect_ignore_glob *_legacy.py", CONDITIONAL)]),
    "added": (
        "collect_ignore = []\ncollect_ignore += ['test_a.py']\ncollect_ignore.append('test_b.py')",
        [("collect_ignore test_a.py", NOT_COLLECTED), ("collect_ignore test_b.py", NOT_COLLECTED)],
    ),
    "by another name": (
        "names = ['test_a.py']\ncollect_ignore = ['setup.py', *names]",
        [("collect_ignore test_a.py", NOT_COLLECTED)],
    ),
    "joined": (
        "collect_ignore = [os.path.join(HERE, 'tests', 'test_a.py')]",
        [("collect_ignore tests/test_a.py", NOT_COLLECTED)],
    ),
    "in a branch": (
        "if sys.platform == 'win32':\n    collect_ignore = ['test_a.py']",
        [("collect_ignore test_a.py", CONDITIONAL)],
    ),
    "without a module": (
        "try:\n    import numpy\nexcept ImportError:\n    collect_ignore = ['test_a.py']",
        [("collect_ignore test_a.py", CONDITIONAL)],
    ),
    "under an old Python": ("if sys.version_info < (3,):\n    collect_ignore = ['test_a.py']", []),
    "computed": ("collect_ignore = find()", [("collect_ignore find()", CONDITIONAL)]),
    "no tests": ("collect_ignore = ['setup.py', 'docs/conf.py', 'docs', 'README.rst', 'build', '.tox']", []),
    "nothing": ("collect_ignore = []\ncollect_ignore_glob = ()", []),
    "hook": ("def pytest_ignore_collect(path):\n    return True", [("pytest_ignore_collect", NOT_COLLECTED)]),
    "hook that picks": (
        "def pytest_ignore_collect(path):\n    if path.name == 'x':\n        return True",
        [("pytest_ignore_collect", CONDITIONAL)],
    ),
    "hook that says no": (
        "def pytest_ignore_collect(path):\n    if path.name == 'x':\n        return False\n    return None",
        [("pytest_ignore_collect", RUNS)],
    ),
    "hook with a rest": (
        "def pytest_ignore_collect(path):\n    if path.name == 'x':\n        return False\n    return True",
        [("pytest_ignore_collect", CONDITIONAL)],
    ),
    "hook that nothing defines": (
        "if False:\n    def pytest_runtest_setup(item):\n        pytest.skip()",
        [("pytest_runtest_setup", RUNS)],
    ),
    "hook in a branch": (
        "if sys.platform == 'win32':\n    def pytest_runtest_setup(item):\n        pytest.skip()",
        [("pytest_runtest_setup", CONDITIONAL)],
    ),
}


@pytest.mark.parametrize(("text", "expected"), IGNORES.values(), ids=IGNORES)
def test_a_conftest_lists_what_it_keeps_from_collection(text: str, expected: list[tuple[str, str]]) -> None:
    assert expected == [(test.name, test.state) for test in inventory(text, "conftest.py").tests]


def test_a_file_that_pytest_does_not_collect_holds_no_running_test() -> None:
    assert [NOT_COLLECTED] == [test.state for test in inventory(BODY, "tests/checks.py").tests]


def test_a_broken_sample_that_nothing_collects_is_no_problem() -> None:
    assert ["", True, True] == [
        read_inventory("tests/data/broken.py", b"def (").problem,
        bool(read_inventory("tests/data/test_broken.py", b"def (").problem),
        bool(read_inventory("tests/data/conftest.py", b"def (").problem),
    ]


def test_a_conftest_lists_what_stands_before_other_tests() -> None:
    text = """
    @pytest.fixture(autouse=True)
    def guard(request):
        if request.node.name == "test_total":
            pytest.skip("x")

    @pytest.fixture
    def database():
        return 1

    def pytest_runtest_setup(item):
        pytest.skip("x")

    def helper():
        pytest.skip("x")
    """
    found = inventory(text, "tests/conftest.py").tests
    assert [
        ("guard", CONDITIONAL, SETUP),
        ("database", RUNS, SETUP),
        ("pytest_runtest_setup", SKIPPED, SETUP),
    ] == [(test.name, test.state, test.kind) for test in found]


def test_marker_names_that_the_manifest_forbids_count_as_skips() -> None:
    text = f"@pytest.mark.network\n{BODY}"
    assert [RUNS] == [test.state for test in inventory(text).tests]
    assert [SKIPPED] == [test.state for test in inventory(text, forbidden=("network",)).tests]


SAME = {
    "layout": "def test_x():\n    assert total( 1 )==1   # comment\n",
    "docstring": 'def test_x():\n    """Words."""\n    assert total(1) == 1\n',
    "decorator": f"@pytest.mark.skip\n{BODY}",
    "skipping statement": "def test_x():\n    pytest.skip('x')\n    assert total(1) == 1\n",
    "guard": "def test_x():\n    if not db:\n        pytest.skip('x')\n    assert total(1) == 1\n",
    "name": "def test_other():\n    assert total(1) == 1\n",
}


def only(text: str) -> CollectedTest:
    (test,) = inventory(text).tests
    return test


@pytest.mark.parametrize("text", SAME.values(), ids=SAME)
def test_the_body_of_a_test_stays_what_it_is(text: str) -> None:
    assert only(BODY).body == only(text).body


@pytest.mark.parametrize("changed", ["assert total(1) == 2", "assert total('1') == 1", "total(1) == 1"])
def test_another_body_has_another_fingerprint(changed: str) -> None:
    assert only(BODY).body != only(f"def test_x():\n    {changed}\n").body


HOSTILE = {
    "names in a circle": "a = b\nb = a\n@a\n" + BODY,
    "doubling names": "".join(f"a{i} = a{i + 1} + a{i + 1}\n" for i in range(60)) + f"pytestmark = a0\n{BODY}",
    "wide names": "".join(f"a = [{'b, ' * 50}]\nb = [{'a, ' * 50}]\n" for _ in range(50)) + f"@a\n{BODY}",
    "classes in a circle": f"class A(B): pass\nclass B(A):\n{METHOD}",
    "helper that calls itself": "def a():\n" + "    a()\n" * 500 + "def test_x():\n    a()\n    assert b\n",
    "many heirs": f"class A:\n{METHOD * 300}" + "".join(f"class Test{i}(A): pass\n" for i in range(300)),
    "huge number": "def test_x():\n    assert a == 0x" + "f" * 50_000 + "\n",
    "huge condition": f"@pytest.mark.skipif({' or '.join(['x'] * 5_000)}, reason='')\n{BODY}",
    "deep blocks": "def test_x():\n"
    + "".join("  " * i + " if a:\n" for i in range(1, 90))
    + "  " * 90
    + " pytest.skip()\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_files_are_read_or_told(text: str) -> None:
    found = read_inventory("test_a.py", (IMPORTS + text).encode())
    assert found.tests or found.problem


HOSTILE_CONFTESTS = {
    "doubling names": "".join(f"a{i} = a{i + 1} + a{i + 1}\n" for i in range(60)) + "collect_ignore = a0\n",
    "names in a circle": "a = b\nb = a\ncollect_ignore = a\ncollect_ignore = collect_ignore\n",
    "many returns": "def pytest_ignore_collect(path):\n" + "    if path == x:\n        return True\n" * 2_000,
}


@pytest.mark.parametrize("text", HOSTILE_CONFTESTS.values(), ids=HOSTILE_CONFTESTS)
def test_hostile_conftests_are_read_or_told(text: str) -> None:
    found = read_inventory("conftest.py", (IMPORTS + text).encode())
    assert found.tests or found.problem


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    assert "test_a.py" == read_inventory("test_a.py", data).path


PIECES = [
    "import pytest\n",
    "from pytest import mark as m\n",
    "@pytest.mark.skip\n",
    "@m.skipif(x)\n",
    "@unittest.skip\n",
]
PIECES += [
    "def test_x():\n    pass\n",
    "class TestA(B):\n    pass\n",
    "    pytest.skip()\n",
    "pytestmark = [m.skip, *a]\n",
]
PIECES += [
    "    return\n",
    "    if a:\n        b\n",
    "x = y = pytest\n",
    "@getattr(a, 'b')(c)\n",
    "del test_x\n",
    "try:\n    a\n",
]
PIECES += [
    "collect_ignore = [m, *a, 'test_a.py']\n",
    "def pytest_ignore_collect(path):\n    return a\n",
    "def a(f):\n    return b\n",
]
PIECES += [
    "except b:\n    c\n",
    "for a, (b, c) in d:\n    e\n",
    "with a as b:\n    c\n",
    "test_x.__test__ = a\n",
    "lambda: 0\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_no_program_crashes_the_reader(text: str) -> None:
    for path in ("test_a.py", "conftest.py", "tests/a.py"):
        assert path == read_inventory(path, text.encode()).path
