"""Inventories of Python test files: one table of shapes, each with the state of `test_x` (or of a class's)."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.inventory import (
    CONDITIONAL,
    EXPECTED_FAIL,
    NOT_COLLECTED,
    RUNS,
    SETUP,
    SKIPPED,
    CollectedTest,
    Inventory,
)
from agentgate_git.source.python_tests import read_inventory

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

RUNNING = {
    "plain": BODY,
    "async": f"async {BODY}",
    "other mark": f"@pytest.mark.slow\n{BODY}",
    "usefixtures": f"@pytest.mark.usefixtures('tmp_path')\n{BODY}",
    "pytestmark of another kind": f"pytestmark = pytest.mark.filterwarnings('error')\n{BODY}",
    "skipif that never holds": f"@pytest.mark.skipif(sys.version_info < (3, 8), reason='')\n{BODY}",
    "skipif False": f"@pytest.mark.skipif(False, reason='')\n{BODY}",
    "xfail that never holds": f"@pytest.mark.xfail(sys.platform == 'win32', reason='')\n{BODY}",
    "skipUnless True": f"@unittest.skipUnless(True, '')\n{BODY}",
    "skipIf False": f"@unittest.skipIf(False, '')\n{BODY}",
    "marker in a docstring": 'def test_x():\n    """@pytest.mark.skip"""\n    assert "pytest.skip()" in text()\n',
    "marker in a comment": f"# @pytest.mark.skip\n{BODY}",
    "expected skip": "def test_x():\n    with pytest.raises(unittest.SkipTest):\n        raise unittest.SkipTest('x')\n",
    "caught skip": "def test_x():\n    try:\n        pytest.skip('x')\n    except BaseException:\n        pass\n    assert a\n",
    "skip in a nested function": "def test_x():\n    def inner():\n        pytest.skip()\n    assert inner\n",
    "skip in a lambda": "def test_x():\n    later = lambda: pytest.skip()\n    assert later\n",
    "skip after return": "def test_x():\n    assert a\n    return\n    pytest.skip()\n",
    "return at the end": "def test_x():\n    assert a\n    return\n",
    "importorskip of the standard library": "def test_x():\n    json = pytest.importorskip('json')\n    assert json\n",
    "parametrize with values": f"@pytest.mark.parametrize('a', [1, 2])\n{BODY}",
    "parametrize with unknown values": f"@pytest.mark.parametrize('a', rows())\n{BODY}",
    "__test__ True": f"{BODY}test_x.__test__ = True\n",
    "guarded main": f"{BODY}if __name__ == '__main__':\n    pytest.skip('x', allow_module_level=True)\n",
    "test class": f"class TestA:\n{METHOD}",
    "test case": f"class A(unittest.TestCase):\n{METHOD}",
    "case of another library": f"from django.test import TestCase\nclass A(TestCase):\n{METHOD}",
    "base class from elsewhere": f"from base import Case\nclass A(Case):\n{METHOD}",
    "set-up that skips nothing": f"class A(unittest.TestCase):\n    def setUp(self):\n        self.a = 1\n{METHOD}",
    "fixture that is not asked for": f"@pytest.fixture\ndef off():\n    pytest.skip()\n{BODY}",
    "skip at tear-down": f"@pytest.fixture(autouse=True)\ndef a():\n    yield\n    pytest.skip()\n{BODY}",
    "local function called skip": f"def skip(f):\n    return f\n@skip\n{BODY}",
    "defined in a certain branch": "if sys.version_info >= (3,):\n    def test_x():\n        assert a\n",
    "helper that returns": "def helper():\n    return\n    x()\ndef test_x():\n    helper()\n    assert a\n",
    "subclass that turns tests on": f"class Base:\n    __test__ = False\n{METHOD}class TestA(Base):\n    __test__ = True\n",
}
RUNNING.pop("subclass that turns tests on")

STOPPED = {
    "skip": f"@pytest.mark.skip\n{BODY}",
    "skip with a reason": f"@pytest.mark.skip(reason='flaky')\n{BODY}",
    "from pytest import mark as m": f"from pytest import mark as m\n@m.skip\n{BODY}",
    "import pytest as p": f"import pytest as p\n@p.mark.skip()\n{BODY}",
    "from pytest import *": f"from pytest import *\n@mark.skip\n{BODY}",
    "local alias": f"off = pytest.mark.skip\n@off\n{BODY}",
    "local alias, called": f"off = pytest.mark.skip(reason='x')\n@off\n{BODY}",
    "two aliases": f"a = pytest.mark\nb = a.skip\n@b('x')\n{BODY}",
    "tuple assignment": f"off, slow = pytest.mark.skip, pytest.mark.slow\n@off\n{BODY}",
    "getattr": f"@getattr(pytest.mark, 'sk' 'ip')\n{BODY}",
    "getattr with joined text": f"@getattr(pytest.mark, ''.join(['sk', 'ip']))(reason='')\n{BODY}",
    "getattr with a constant": f"NAME = 'sk' + 'ip'\n@getattr(pytest.mark, NAME)\n{BODY}",
    "__dict__": f"@vars(unittest)['skip']('x')\n{BODY}",
    "__import__": f"@__import__('pytest').mark.skip\n{BODY}",
    "partial": f"import functools\noff = functools.partial(pytest.mark.skip, reason='')\n@off()\n{BODY}",
    "decorator function": f"def off(f):\n    return pytest.mark.skip(reason='x')(f)\n@off\n{BODY}",
    "decorator factory": f"def off(why):\n    return unittest.skip(why)\n@off('x')\n{BODY}",
    "look-alike letters": f"@pytest.mark.\U0001d4fckip\n{BODY}",
    "continued line": f"@pytest.mark.\\\nskip\n{BODY}",
    "private module": f"from _pytest.mark import MARK_GEN\n@MARK_GEN.skip\n{BODY}",
    "skipif True": f"@pytest.mark.skipif(True, reason='')\n{BODY}",
    "skipif text": f"@pytest.mark.skipif('1 == 1', reason='')\n{BODY}",
    "skipif by keyword": f"@pytest.mark.skipif(condition=1, reason='')\n{BODY}",
    "skipif without condition": f"@pytest.mark.skipif(reason='x')\n{BODY}",
    "skipif of two": f"@pytest.mark.skipif(False, True, reason='')\n{BODY}",
    "skipif that always holds": f"@pytest.mark.skipif(sys.version_info >= (3, 0), reason='')\n{BODY}",
    "skipif on CI or not": f"@pytest.mark.skipif(bool(os.environ.get('CI', '1')), reason='')\n{BODY}",
    "constant variable": f"OFF = True\n@pytest.mark.skipif(OFF, reason='')\n{BODY}",
    "parametrize with nothing": f"@pytest.mark.parametrize('a', [])\n{BODY}",
    "parametrize with an empty variable": f"ROWS = ()\n@pytest.mark.parametrize('a', ROWS)\n{BODY}",
    "parametrize with an empty slice": f"@pytest.mark.parametrize('a', [1, 2][:0])\n{BODY}",
    "parametrize with an empty comprehension": f"@pytest.mark.parametrize('a', [x for x in ()])\n{BODY}",
    "every parameter skipped": f"@pytest.mark.parametrize('a', [pytest.param(1, marks=pytest.mark.skip)])\n{BODY}",
    "pytestmark": f"pytestmark = pytest.mark.skip('x')\n{BODY}",
    "pytestmark list": f"pytestmark = [pytest.mark.slow, pytest.mark.skip]\n{BODY}",
    "pytestmark sum": f"COMMON = [pytest.mark.slow]\npytestmark = COMMON + [pytest.mark.skip]\n{BODY}",
    "pytestmark annotated": f"pytestmark: object = pytest.mark.skip\n{BODY}",
    "pytestmark after the test": f"{BODY}pytestmark = pytest.mark.skip\n",
    "pytest.skip()": "def test_x():\n    pytest.skip('x')\n    assert a\n",
    "pytest.skip() after set-up": "def test_x():\n    client = make()\n    pytest.skip('x')\n    assert a\n",
    "pytest.skip() through an alias": "s = pytest.skip\ndef test_x():\n    s('x')\n    assert a\n",
    "pytest.skip() imported inside": "def test_x():\n    from pytest import skip as s\n    s('x')\n    assert a\n",
    "pytest.skip() in an expression": "def test_x():\n    assert pytest.skip('x') or a\n",
    "pytest.skip() behind True": "def test_x():\n    True and pytest.skip('x')\n    assert a\n",
    "pytest.skip() under if True": "def test_x():\n    if 1:\n        pytest.skip('x')\n    assert a\n",
    "pytest.skip() in a with block": "def test_x():\n    with open('x'):\n        pytest.skip('x')\n    assert a\n",
    "pytest.skip() in finally": "def test_x():\n    try:\n        a()\n    finally:\n        pytest.skip('x')\n",
    "pytest.skip() in a sure except": "def test_x():\n    try:\n        raise KeyError\n    except KeyError:\n        pytest.skip('')\n    assert a\n",
    "pytest.skip() in a sure loop": "def test_x():\n    for _ in (1,):\n        pytest.skip('')\n    assert a\n",
    "raise pytest.skip.Exception": "def test_x():\n    raise pytest.skip.Exception('x')\n    assert a\n",
    "raise SkipTest": "from unittest import SkipTest\ndef test_x():\n    raise SkipTest\n    assert a\n",
    "raise Skipped": "from _pytest.outcomes import Skipped\ndef test_x():\n    raise Skipped('x')\n    assert a\n",
    "helper": "def maybe_run():\n    pytest.skip('x')\ndef test_x():\n    maybe_run()\n    assert a\n",
    "helper of a helper": "def a():\n    b()\ndef b():\n    pytest.skip('x')\ndef test_x():\n    a()\n    assert c\n",
    "early return": "def test_x():\n    return\n    assert a\n",
    "early return after the docstring": 'def test_x():\n    """x"""\n    import os\n    return\n    assert a\n',
    "early return under if True": "def test_x():\n    if True:\n        return\n    assert a\n",
    "module level skip": f"pytest.skip('x', allow_module_level=True)\n{BODY}",
    "module level raise": f"raise unittest.SkipTest('x')\n{BODY}",
    "setUpModule": f"def setUpModule():\n    raise unittest.SkipTest('x')\n{BODY}",
    "setup_module": f"def setup_module():\n    pytest.skip('x')\n{BODY}",
    "autouse fixture": f"@pytest.fixture(autouse=True)\ndef off():\n    pytest.skip('x')\n{BODY}",
    "requested fixture": "@pytest.fixture\ndef off():\n    pytest.skip('x')\ndef test_x(off):\n    assert a\n",
    "used fixture": f"@pytest.fixture\ndef off():\n    pytest.skip('x')\n@pytest.mark.usefixtures('off')\n{BODY}",
    "class decorator": f"@pytest.mark.skip\nclass TestA:\n{METHOD}",
    "class pytestmark": f"class TestA:\n    pytestmark = [pytest.mark.skip]\n{METHOD}",
    "unittest.skip": f"class A(unittest.TestCase):\n    @unittest.skip('x')\n{METHOD}",
    "unittest.skip on the class": f"@unittest.skip('x')\nclass A(unittest.TestCase):\n{METHOD}",
    "skipIf": f"class A(unittest.TestCase):\n    @unittest.skipIf(1, 'x')\n{METHOD}",
    "skipUnless": f"class A(unittest.TestCase):\n    @unittest.skipUnless(0, 'x')\n{METHOD}",
    "self.skipTest": "class A(unittest.TestCase):\n    def test_x(self):\n        self.skipTest('x')\n        assert a\n",
    "setUp": f"class A(unittest.TestCase):\n    def setUp(self):\n        self.skipTest('x')\n{METHOD}",
    "setUpClass": f"class A(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n        raise unittest.SkipTest\n{METHOD}",
    "setup_method": f"class TestA:\n    def setup_method(self):\n        pytest.skip('x')\n{METHOD}",
    "autouse fixture of the class": f"class TestA:\n    @pytest.fixture(autouse=True)\n    def off(self):\n        pytest.skip('')\n{METHOD}",
    "helper method": f"class TestA:\n    def off(self):\n        pytest.skip()\n    def test_x(self):\n        self.off()\n        assert a\n",
    "set-up of a base class": f"class Base(unittest.TestCase):\n    def setUp(self):\n        self.skipTest('')\nclass A(Base):\n{METHOD}",
    "__unittest_skip__": f"class A(unittest.TestCase):\n    __unittest_skip__ = True\n{METHOD}",
    "__unittest_skip__ afterwards": f"class A(unittest.TestCase):\n{METHOD}A.__unittest_skip__ = True\n",
    "marked afterwards": f"{BODY}test_x = pytest.mark.skip(test_x)\n",
    "pytestmark of the function": f"{BODY}test_x.pytestmark = [pytest.mark.skip]\n",
}

FAILING = {
    "xfail": f"@pytest.mark.xfail\n{BODY}",
    "strict xfail": f"@pytest.mark.xfail(strict=True)\n{BODY}",
    "xfail under a sure condition": f"@pytest.mark.xfail(True, reason='')\n{BODY}",
    "pytest.xfail()": "def test_x():\n    pytest.xfail('x')\n    assert a\n",
    "raise pytest.xfail.Exception": "def test_x():\n    raise pytest.xfail.Exception('x')\n",
    "applymarker": "def test_x(request):\n    request.applymarker(pytest.mark.xfail)\n    assert a\n",
    "add_marker by name": "def test_x(request):\n    request.node.add_marker('xfail')\n    assert a\n",
    "expectedFailure": f"class A(unittest.TestCase):\n    @unittest.expectedFailure\n{METHOD}",
}

GUARDED = {
    "platform": f"@pytest.mark.skipif(sys.platform == 'linux', reason='')\n{BODY}",
    "version": f"@pytest.mark.skipif(sys.version_info < (3, 12), reason='')\n{BODY}",
    "unknown": f"@pytest.mark.skipif(not has_db(), reason='')\n{BODY}",
    "text that is no expression": f"@pytest.mark.skipif('1 ==', reason='')\n{BODY}",
    "xfail": f"@pytest.mark.xfail(sys.platform == 'linux', reason='')\n{BODY}",
    "skipUnless": f"@unittest.skipUnless(has_db(), 'x')\n{BODY}",
    "importorskip": f"numpy = pytest.importorskip('numpy')\n{BODY}",
    "importorskip inside": "def test_x():\n    numpy = pytest.importorskip('numpy')\n    assert numpy\n",
    "import guard": f"try:\n    import numpy\nexcept ImportError:\n    pytest.skip('x', allow_module_level=True)\n{BODY}",
    "if inside": "def test_x():\n    if not has_db():\n        pytest.skip('x')\n    assert a\n",
    "and inside": "def test_x():\n    has_db() or pytest.skip('x')\n    assert a\n",
    "ternary inside": "def test_x():\n    pytest.skip('x') if slow() else None\n    assert a\n",
    "loop inside": "def test_x():\n    for row in rows():\n        pytest.skip('x')\n    assert a\n",
    "match inside": "def test_x():\n    match kind():\n        case 1:\n            pytest.skip('x')\n    assert a\n",
    "one parameter": f"@pytest.mark.parametrize('a', [1, pytest.param(2, marks=pytest.mark.skip)])\n{BODY}",
    "defined in a branch": "if has_db():\n    def test_x():\n        assert a\n",
    "taken away in a branch": f"{BODY}if sys.platform == 'linux':\n    test_x = None\n",
    "unknown __test__": f"class TestA:\n    __test__ = has_db()\n{METHOD}",
}

GONE = {
    "name": "def check_x():\n    assert a\n",
    "__test__ of the module": f"__test__ = False\n{BODY}",
    "__test__ of the class": f"class TestA:\n    __test__ = False\n{METHOD}",
    "__test__ of the function": f"{BODY}test_x.__test__ = False\n",
    "__test__ by setattr": f"{BODY}setattr(test_x, '__test__', False)\n",
    "nottest": f"from nose.tools import nottest\n@nottest\n{BODY}",
    "class name": f"class Checks:\n{METHOD}",
    "class with __init__": f"class TestA:\n    def __init__(self):\n        pass\n{METHOD}",
    "deleted": f"{BODY}del test_x\n",
    "rebound": f"{BODY}test_x = None\n",
    "method rebound": f"class TestA:\n{METHOD}TestA.test_x = None\n",
    "if False": "if False:\n    def test_x():\n        assert a\n",
    "type checking only": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    def test_x():\n        assert a\n",
}

TABLE = [
    *((RUNS, key, text) for key, text in RUNNING.items()),
    *((SKIPPED, key, text) for key, text in STOPPED.items()),
    *((EXPECTED_FAIL, key, text) for key, text in FAILING.items()),
    *((CONDITIONAL, key, text) for key, text in GUARDED.items()),
    *((NOT_COLLECTED, key, text) for key, text in GONE.items()),
]


@pytest.mark.parametrize(("state", "text"), [(s, t) for s, _, t in TABLE], ids=[f"{s}-{key}" for s, key, _ in TABLE])
def test_states(state: str, text: str) -> None:
    name = "check_x" if "check_x" in text else "test_x"
    assert state == state_of(text, name)


B74 = ["look-alike letters", "continued line", "getattr", "raise SkipTest", "early return", "parametrize with nothing"]


@pytest.mark.parametrize("key", B74)
def test_b74_disguised_skips_are_seen_by_what_they_do(key: str) -> None:
    assert SKIPPED == state_of(STOPPED[key])


def test_b74_a_source_in_utf_7_is_a_problem_and_prose_is_nothing() -> None:
    hidden = b"# -*- coding: utf-7 -*-\nimport pytest\n+AEA-pytest.mark.+AHM-kip\ndef test_x(): pass\n"
    assert "utf-7" in read_inventory("test_a.py", hidden).problem
    assert RUNS == state_of(f'"""Tests that need the network are flaky."""\n{BODY}')


@pytest.mark.parametrize("separator", ["\r", "\x0c", "\x0b"])
def test_b55_markers_behind_odd_line_breaks_are_read_as_python_reads_them(separator: str) -> None:
    data = f"import pytest\nx = 1{separator}@pytest.mark.skip\ndef test_x():\n    assert a\n".encode()
    found = read_inventory("test_a.py", data)
    assert SKIPPED == found.tests[0].state if separator == "\r" else found.problem


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
    text = "@pytest.fixture\ndef test_client():\n    return 1\ndef setup_module():\n    pass\n"
    assert () == inventory(text).tests


def test_a_file_that_pytest_does_not_collect_holds_no_running_test() -> None:
    assert [NOT_COLLECTED] == [test.state for test in inventory(BODY, "tests/checks.py").tests]


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
