"""Assertions of Python tests in normalised words: the same for the same check, however it is written."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.inventory import (
    BOUND,
    CLOSE,
    EXACT,
    PRESENT,
    SOUGHT,
    STRENGTHS,
    TYPE,
    Assertion,
    CollectedTest,
)
from agentgate_git.source.facts import read_facts

IMPORTS = "import numpy as np\nimport unittest\nfrom unittest import mock\nimport pytest\nfrom app import calc as c\n"


def read(text: str, path: str = "tests/test_a.py") -> tuple[CollectedTest, ...]:
    found = read_facts(path, (IMPORTS + dedent(text)).encode()).tests
    assert "" == found.problem
    return found.tests


def assertions(body: str) -> tuple[Assertion, ...]:
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    return read(f"class TestX(unittest.TestCase):\n    def test_x(self):\n{lines}\n")[0].assertions


def texts(body: str) -> list[str]:
    return [one.text for one in assertions(body)]


SAME = {
    "c.f(1) == 2": "self.assertEqual(c.f(1), 2)",
    "app.c.f": "c.f(1) == 2",
    "2 == c.f( 1 )": "self.assertEqual(2, c.f(1), 'why')",
    "c.f(1) in (1, 2)": "self.assertIn(c.f(1), (1, 2))",
    "c.f(1) is None": "self.assertIsNone(c.f(1))",
    "c.f(1) > 2": "self.assertGreater(c.f(1), 2)",
    "not c.f(1)": "self.assertFalse(c.f(1))",
    "isinstance(c.f(1), int)": "self.assertIsInstance(c.f(1), int)",
    "sorted(c.f(1)) == [1]": "self.assertCountEqual(c.f(1), [1])",
    "not c.f(1) != 2": "self.assertEqual(c.f(1), 2)",
}


@pytest.mark.parametrize(("condition", "call"), [(k, v) for k, v in SAME.items() if "f(" in k], ids=str)
def test_assert_and_unittest_say_the_same(condition: str, call: str) -> None:
    assert texts(f"assert {condition}") == texts(call if call.startswith("self") else f"assert {call}")


@pytest.mark.parametrize(
    ("statement", "strength"),
    [
        ("assert c.f(1) == [1, 2]", EXACT),
        ("self.assertIs(c.f(1), None)", EXACT),
        ("np.testing.assert_array_equal(c.f(1), [1])", EXACT),
        ("m.assert_called_once_with(1)", EXACT),
        ("assert c.f(1) == pytest.approx(2)", CLOSE),
        ("np.testing.assert_allclose(c.f(1), 2, rtol=0.1)", CLOSE),
        ("self.assertAlmostEqual(c.f(1), 2)", CLOSE),
        ("assert sorted(c.f(1)) == [1]", CLOSE),
        ("assert 'a' in c.f(1)", SOUGHT),
        ("assert len(c.f(1)) == 2", SOUGHT),
        ("self.assertRegex(c.f(1), 'a+')", SOUGHT),
        ("m.assert_any_call(1)", SOUGHT),
        ("m.assert_called_once_with(mock.ANY, 1)", SOUGHT),
        ("assert c.f(1) < 2", BOUND),
        ("assert c.f(1) != 2", BOUND),
        ("assert type(c.f(1)) is int", TYPE),
        ("self.assertRaises(ValueError, c.f, 1)", TYPE),
        ("assert c.f(1)", PRESENT),
        ("assert c.f(1) is not None", PRESENT),
        ("m.assert_called()", PRESENT),
        ("self.assertRaises(Exception, c.f, 1)", PRESENT),
    ],
)
def test_strengths(statement: str, strength: str) -> None:
    assert [(strength, "")] == [(one.strength, one.void) for one in assertions(f"m = c.m\n{statement}")]


def test_an_and_is_two_assertions_and_a_chain_as_many_as_it_has_links() -> None:
    assert ["app.calc.f(1) == 2", "app.calc.g(1) == 3"] == texts("assert c.f(1) == 2 and c.g(1) == 3")
    assert ["app.calc.f(1) > 1", "app.calc.f(1) < 3"] == texts("assert 1 < c.f(1) < 3")


def test_raises_is_a_type_and_a_pattern() -> None:
    beneath = "with pytest.raises(ValueError, match='no x'):\n    c.f(1)"
    assert ["app.calc.f(1) raises ValueError", "app.calc.f(1) raises matching 'no x'"] == texts(beneath)
    assert ["app.calc.f(1) raises ValueError"] == texts("pytest.raises(ValueError, c.f, 1)")
    assert ["app.calc.f(1) raises ValueError"] == texts(
        "try:\n    c.f(1)\nexcept ValueError:\n    pass\nelse:\n    self.fail()"
    )


def test_locals_are_written_as_what_they_stand_for_unless_they_change() -> None:
    assert ["app.calc.f(1) == 2"] == texts("got = c.f(1)\nwant = 2\nassert got == want")
    assert ["seen == [1]"] == texts("seen = []\nc.f(seen.append)\nassert seen == [1]")
    assert ["n == 2"] == texts("n = 0\nfor x in c.f(1):\n    n += x\nassert n == 2")


def test_a_value_that_may_have_changed_is_not_void() -> None:
    bodies = (
        "seen = []\nc.f(seen)\nassert seen == []",
        "ok = False\ndef call():\n    nonlocal ok\n    ok = True\nc.f(call)\nassert not ok",
        "x = 1\nwith c.f() as x:\n    assert x == 1",
        "x = 1\nfor x in c.f():\n    pass\nassert x == 1",
        "x = 1\nx += c.f()\nassert x == 1",
        "x = [1]\nx[0] = c.f()\nassert x == [1]",
    )
    assert [""] * len(bodies) == [one.void for body in bodies for one in assertions(body)]


def test_helpers_are_read_with_what_they_are_given() -> None:
    found = read("""
        def check(got, want=0, *, near=None):
            assert got == want
            assert near is None

        def test_x():
            check(c.f(1), want=2)
            check(c.g(1))
    """)
    assert [
        "app.calc.f(1) == 2",
        "None == None",
        "app.calc.g(1) == 0",
        "None == None",
    ] == [one.text for one in found[0].assertions]
    assert {"check"} == {one.via for one in found[0].assertions}


def test_helpers_that_call_each_other_come_to_an_end() -> None:
    found = read("""
        def a(x):
            assert x == 1
            b(x)

        def b(x):
            a(x)

        def test_x():
            a(c.f(1))
    """)
    assert "app.calc.f(1) == 1" in [one.text for one in found[0].assertions]


def test_rows_of_parametrize_examples_and_loops() -> None:
    found = read("""
        ROWS = [(1, 2), pytest.param(3, 4, id="x", marks=())]

        @pytest.mark.parametrize("a, b", ROWS)
        @example(a=5)
        def test_x(a, b):
            for one in (6, 7):
                assert a == b
    """)
    assert ("a,b: (1, 2)", "a,b: (3, 4)", "example a=5", "each 6", "each 7") == found[0].rows


def test_branches_are_conditions() -> None:
    found = assertions("if c.f(1):\n    assert c.g(1) == 1\nelse:\n    assert c.g(1) == 2")
    assert ["app.calc.f(1)", "not app.calc.f(1)"] == [one.condition for one in found]


def test_doctests_are_tests_of_a_production_module() -> None:
    module = '''
        def total(xs):
            """Add.

            >>> total([1,
            ...        2])
            3
            >>> [total([])]  # doctest: +ELLIPSIS
            [...]
            >>> total
            <function total at 0x...>
            """

        class A:
            """
            >>> A()  # doctest: +SKIP
            A()
            """
    '''
    found = read(module, "app/calc.py")
    assert [("doctest of total", "runs"), ("doctest of A", "skipped")] == [(one.name, one.state) for one in found]
    shown = [(one.expected, one.strength, bool(one.void)) for one in found[0].assertions]
    assert [("3", EXACT, False), ("[...]", SOUGHT, True), ("<function total at 0x...>", SOUGHT, False)] == shown


STATEMENTS = st.sampled_from(
    (
        *(
            "assert f(x) == x",
            "assert x",
            "x = f(x)",
            "x = [x]",
            "return x == 1",
            "yield x",
            "raise ValueError",
            "check(x)",
        ),
        *("if x:\n    assert x == 1", "for x in y:\n    assert x", "while x:\n    x = x - 1", "del x", "global x"),
        *(
            "try:\n    assert x\nexcept:\n    pass",
            "with raises(x):\n    f(x)",
            "def check(x):\n    assert x\n    check(x)",
        ),
        *(
            "match x:\n    case [y, *z]:\n        assert y",
            "class C:\n    def m(self):\n        assert x",
            "(x := 1) == x",
        ),
        *("assert not (x or y) and x in (y,)", "assert 1 < x < 2", "lambda: f(x)", "assert f'{x}' == f'{x!r:>{y}}'"),
    )
)


@given(st.lists(STATEMENTS, max_size=12))
def test_no_order_of_statements_is_too_much(statements: list[str]) -> None:
    body = "\n".join(statements).replace("\n", "\n    ") or "pass"
    text = f"def test_x(x, y):\n    {body}\n"
    found = read_facts("tests/test_a.py", text.encode()).tests.tests
    assert {*STRENGTHS} >= {one.strength for test in found for one in test.assertions}


def test_deep_and_long_expressions_are_bounded() -> None:
    deep = "x" + ".a(1)" * 150
    doubled = "\n".join(f"x{n + 1} = (x{n}, x{n})" for n in range(40))
    found = assertions(f"x0 = c.f()\n{doubled}\nassert x40 == 1\nassert {deep} == 2\nassert {'x + ' * 90}x == 3")
    assert 3 == len(found)
    assert 250 > max(len(one.subject) for one in found)
