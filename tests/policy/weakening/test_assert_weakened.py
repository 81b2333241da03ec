"""E_ASSERT_WEAKENED: one test of the base against many heads, honest ones first."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.assert_weakened import assert_findings
from agentgate_git.policy.weakening.assertion_ledger import settled
from agentgate_git.source.facts import read_facts
from testing.weaker_tests import BASE, facts, judged, one, severities

SWALLOWS = "try:\n    assert total([1, 2]) == 3\nexcept {}:\n    {}"


HONEST = {
    "a variable": one("got = total([1, 2])\nassert got == 3"),
    "sides swapped": one("assert 3 == total([1, 2])"),
    "a message": one("assert total([1, 2]) == 3, 'sum'"),
    "a sum of constants": one("assert total([1, 2]) == 1 + 2"),
    "squeezed between bounds": one("assert 3 <= total([1, 2]) <= 3"),
    "the only item of a tuple": one("assert total([1, 2]) in (3,)"),
    "two assertions": one("assert total([1, 2]) == 3\nassert isinstance(total([1, 2]), int)"),
    "a tight tolerance": one("assert total([1, 2]) == pytest.approx(3)"),
    "a row": one(
        "assert total(xs) == want",
        "@pytest.mark.parametrize('xs, want', [([1, 2], 3), ([], 0)])\n",
        "xs, want",
    ),
    "a loop over rows": one("for xs, want in [([1, 2], 3), ([], 0)]:\n    assert total(xs) == want"),
    "a helper": one("check(total([1, 2]), 3)", "def check(got, want):\n    assert got == want\n\n"),
    "a helper of another file": "from tests.helpers import assert_total\n" + one("assert_total([1, 2], 3)"),
    "a fixture": one("assert got == 3", "@pytest.fixture\ndef got():\n    return total([1, 2])\n\n", "got"),
    "a nested function that is called": one("def check():\n    assert total([1, 2]) == 3\ncheck()"),
    "a callback": one(
        "seen = []\ndef take(v):\n    assert v == 3\n    seen.append(v)\ntake(total([1, 2]))\nassert seen"
    ),
    "a failure by hand": one("got = total([1, 2])\nif got != 3:\n    raise AssertionError(got)"),
    "pytest.fail": one("got = total([1, 2])\nif got != 3:\n    pytest.fail(str(got))"),
    "a unittest class": "class Total(unittest.TestCase):\n    def test_total(self):\n"
    "        self.assertEqual(total([1, 2]), 3)\n    def test_scale(self):\n        self.assertEqual(6, scale(2, 3))\n",
    "a class": "class TestCalc:\n    def test_total(self):\n        assert total([1, 2]) == 3\n"
    "    def test_scale(self):\n        assert scale(2, 3) == 6\n",
    "raised again": one(SWALLOWS.format("AssertionError as error", "raise ValueError from error")),
    "another error caught": one(SWALLOWS.format("KeyError", "pytest.fail('no key')")),
    "errors collected": one(
        "errors = []\nfor xs, want in [([1, 2], 3)]:\n    try:\n        assert total(xs) == want\n"
        "    except AssertionError as error:\n        errors.append(error)\nassert not errors"
    ),
    "polling": one(
        "for _ in range(5):\n    try:\n        assert total([1, 2]) == 3\n        break\n"
        "    except AssertionError:\n        print('later')\nelse:\n    pytest.fail('late')"
    ),
    "a retrying decorator": one(
        "assert total([1, 2]) == 3",
        "def retry(f):\n    def run(*a):\n        for turn in range(3):\n            try:\n"
        "                return f(*a)\n"
        "            except AssertionError:\n                if turn == 2:\n                    raise\n"
        "    return run\n\n@retry\n",
    ),
    "another error suppressed": one(
        "import contextlib\nwith contextlib.suppress(KeyError):\n    assert total([1, 2]) == 3"
    ),
    "something else patched": one("with mock.patch('app.calc.log'):\n    assert total([1, 2]) == 3"),
    "a flag set by a callback": one(
        "done = False\ndef take(v):\n    nonlocal done\n    done = v == 3\ntake(total([1, 2]))\nassert done is True\n"
        "assert total([1, 2]) == 3"
    ),
    "a future's result": one(
        "from concurrent.futures import ThreadPoolExecutor\ndef check():\n    assert total([1, 2]) == 3\n"
        "with ThreadPoolExecutor() as pool:\n    pool.submit(check).result()"
    ),
    "an event loop": one("import asyncio\nasync def go():\n    assert total([1, 2]) == 3\nasyncio.run(go())"),
    "two tests merged": "def test_both():\n    assert total([1, 2]) == 3\n    assert scale(2, 3) == 6\n",
}


@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST)
def test_what_asserts_the_same_is_nothing(text: str) -> None:
    assert [] == judged(text, with_code=True)


EMPTIED = {
    "deleted": one("total([1, 2])"),
    "a docstring": one('"""covered elsewhere"""'),
    "printed": one("print(total([1, 2]) == 3)"),
    "compared and thrown away": one("total([1, 2]) == 3"),
    "returned": one("return total([1, 2]) == 3"),
    "True": one("assert True"),
    "or True": one("assert total([1, 2]) == 3 or True"),
    "a or not a": one("assert total([1, 2]) == 3 or total([1, 2]) != 3"),
    "either way True": one("assert True if total([1, 2]) else True"),
    "itself": one("got = total([1, 2])\nassert got == got"),
    "itself under another name": one("got = total([1, 2])\nwant = got\nassert want == got"),
    "itself, made again": one("assert total([1, 2]) + 0 == total([1, 2]) * 1"),
    "among itself": one("got = total([1, 2])\nassert got in [got, 3]"),
    "just set": one("got = total([1, 2])\ngot = 3\nassert got == 3"),
    "two constants": one("assert 3 == 3"),
    "a tuple": one("assert (total([1, 2]) == 3, 'sum')"),
    "a name for a tuple": one("ok = (total([1, 2]) == 3,)\nassert ok"),
    "a list": one("assert [total([1, 2]) == 3]"),
    "a text": one("assert 'total([1, 2]) == 3'"),
    "a generator": one("assert (x == 3 for x in [total([1, 2])])"),
    "a lambda": one("check = lambda: total([1, 2]) == 3\nassert check"),
    "a length": one("assert len(str(total([1, 2]))) >= 0"),
    "an object": one("assert isinstance(total([1, 2]), object)"),
    "any text": one("assert re.match('.*', str(total([1, 2])))"),
    "an empty text": one("assert '' in str(total([1, 2]))"),
    "mock.ANY": one("want = mock.ANY\nassert total([1, 2]) == want"),
    "equal to all": one(
        "assert total([1, 2]) == Same()", "class Same:\n    def __eq__(self, other):\n        return True\n\n"
    ),
    "a mock": one("fake = mock.MagicMock()\nfake.return_value = 3\nassert fake([1, 2]) == 3"),
    "a patch": one(
        "import app.calc as c\nwith mock.patch('app.calc.total', return_value=3):\n    assert c.total([]) == 3"
    ),
    "a shadow": one("def total(xs):\n    return 3\nassert total([1, 2]) == 3"),
    "monkeypatched": one(
        "import app.calc as c\nmonkeypatch.setattr(c, 'total', lambda xs: 3)\nassert c.total([1, 2]) == 3",
        arguments="monkeypatch",
    ),
    "except: pass": one(SWALLOWS.format("", "pass").replace("except :", "except:")),
    "except Exception": one(SWALLOWS.format("Exception", "print('oh')")),
    "except among others": one(SWALLOWS.format("(ValueError, AssertionError)", "...")),
    "except and skip": one(SWALLOWS.format("AssertionError", "pytest.skip('flaky')")),
    "return in finally": one("try:\n    assert total([1, 2]) == 3\nfinally:\n    return"),
    "suppressed": one("import contextlib\nwith contextlib.suppress(AssertionError):\n    assert total([1, 2]) == 3"),
    "suppressed by a class": one(
        "with Quiet():\n    assert total([1, 2]) == 3",
        "class Quiet:\n    def __enter__(self): ...\n    def __exit__(self, *a):\n        return True\n\n",
    ),
    "a soft decorator": one(
        "assert total([1, 2]) == 3",
        "def soft(f):\n    def run():\n        try:\n            f()\n        except AssertionError:\n"
        "            return None\n    return run\n\n@soft\n",
    ),
    "a decorator that never calls": one("assert total([1, 2]) == 3", "def off(f):\n    return lambda: None\n\n@off\n"),
    "a failure expected": one("with pytest.raises(AssertionError):\n    assert total([1, 2]) == 3"),
    "behind what raises": one("with pytest.raises(TypeError):\n    total(None)\n    assert total([1, 2]) == 3"),
    "only when it holds": one("if total([1, 2]) == 3:\n    assert total([1, 2]) == 3"),
    "left when it does not hold": one("if total([1, 2]) != 3:\n    return\nassert total([1, 2]) == 3"),
    "if False": one("if False:\n    assert total([1, 2]) == 3"),
    "type checkers only": one("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    assert total([1, 2]) == 3"),
    "a loop over nothing": one("for xs, want in {}.items():\n    assert total(xs) == want"),
    "behind a return": one("total([1, 2])\nreturn\nassert total([1, 2]) == 3"),
    "a function nobody calls": one("def check():\n    assert total([1, 2]) == 3"),
    "a coroutine nobody awaits": one("async def check():\n    assert total([1, 2]) == 3\ncheck()"),
    "a yield": one("assert total([1, 2]) == 3\nyield"),
    "a thread": one(
        "import threading\ndef check():\n    assert total([1, 2]) == 3\nthreading.Thread(target=check).start()"
    ),
    "a hollow helper": one("check(total([1, 2]), 3)", "def check(got, want):\n    return got, want\n\n"),
    "a helper told twice the same": one("check(3, 3)", "def check(got, want):\n    assert got == want\n\n"),
}


@pytest.mark.parametrize("text", EMPTIED.values(), ids=EMPTIED)
def test_a_test_that_can_no_longer_fail_blocks_whatever_else_changes(text: str) -> None:
    assert [BLOCK] == judged(text, with_code=True)


LOWERED = {
    "is not None": one("assert total([1, 2]) is not None"),
    "the function": one("assert total"),
    "truthy": one("assert total([1, 2])"),
    "a type": one("assert isinstance(total([1, 2]), int)"),
    "a bound": one("assert total([1, 2]) > 0"),
    "not another": one("assert total([1, 2]) != 99"),
    "one of several": one("assert total([1, 2]) in (3, 4)"),
    "either": one("assert total([1, 2]) == 3 or total([1, 2]) == 4"),
    "a range": one("assert total([1, 2]) in range(10)"),
    "rounded": one("assert round(total([1, 2]), -1) == 0"),
    "far off": one("assert abs(total([1, 2]) - 3) <= 1"),
    "a message for a value": one("unittest.TestCase().assertTrue(total([1, 2]), 3)"),
}


@pytest.mark.parametrize("text", LOWERED.values(), ids=LOWERED)
def test_a_weaker_assertion_blocks_where_only_tests_change(text: str) -> None:
    assert [BLOCK] == judged(text)


OLD_CODE = {"app/calc.py": "def total(xs):\n    return sum(xs) + 1\n\n\ndef scale(a, b):\n    return a * b\n"}
OTHER_BODY = {"app/calc.py": OLD_CODE["app/calc.py"].replace("sum(xs) + 1", "sum(list(xs)) + 1")}
OTHER_CALL = {"app/calc.py": OLD_CODE["app/calc.py"].replace("total(xs)", "total(xs, start)")}
OTHER_NAME = {"app/calc.py": OLD_CODE["app/calc.py"].replace("total(xs)", "sum_of(xs)")}
UNRELATED = {"app/calc.py": OLD_CODE["app/calc.py"].replace("scale(a, b)", "scale(a, b, c)")}
LESS = {
    "truthy": LOWERED["truthy"],
    "a type": LOWERED["a type"],
    "far off": LOWERED["far off"],
    "any of its values": one("assert total([1, 2]) in (3, 4)"),
}


@pytest.mark.parametrize("text", LESS.values(), ids=LESS)
def test_a_weaker_assertion_blocks_unless_the_way_its_subject_is_called_changed(text: str) -> None:
    base = {"tests/test_a.py": BASE, **OLD_CODE}
    assert [WARN] == severities(base, {"tests/test_a.py": text, **OTHER_CALL})
    assert [WARN] == severities(base, {"tests/test_a.py": text, **OTHER_NAME})
    assert [BLOCK] == severities(base, {"tests/test_a.py": text, **OTHER_BODY})
    assert [BLOCK] == severities(base, {"tests/test_a.py": text, **UNRELATED})


RAISES = one("with pytest.raises(ValueError, match='no number'):\n    total('x')")
CALLED = one("send = mock.Mock()\ntotal(send)\nsend.assert_called_once_with('a', retries=1)")
NEAR = one("assert total([1.0, 2]) == pytest.approx(1.5)")
PLACES = "class T(unittest.TestCase):\n    def test_x(self):\n        self.assertAlmostEqual(total(1), 1.5, places=6)\n"


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param(RAISES, RAISES.replace("no number", "no num"), [], id="a shorter pattern, with code"),
        pytest.param(CALLED, CALLED.replace("send.assert_called_once_with(", "assert send.mock_calls == [mock.call(")
                     .replace("retries=1)", "retries=1)]"), [], id="calls compared"),
        pytest.param(NEAR, one("assert total([1.0, 2]) == pytest.approx(1.5, abs=1e-9)"), [], id="a closer tolerance"),
        pytest.param(PLACES, PLACES.replace("6)", "9)"), [], id="more places"),
        pytest.param(RAISES, RAISES.replace("ValueError", "Exception"), [BLOCK], id="any error"),
        pytest.param(RAISES, RAISES.replace(", match='no number'", ""), [BLOCK], id="no pattern"),
        pytest.param(RAISES, one("assert callable(total)"), [BLOCK], id="no error"),
        pytest.param(CALLED, CALLED.replace("once_with('a', retries=1)", "once()"), [BLOCK], id="called with anything"),
        pytest.param(NEAR, one("assert total([1.0, 2]) == pytest.approx(1.5, 0.5)"), [BLOCK], id="a wide tolerance"),
        pytest.param(NEAR, NEAR.replace("(1.5)", "(1.5, rel=5e-6)"), [WARN], id="a wider tolerance"),
        pytest.param(NEAR, NEAR.replace("(1.5)", "(1.5, abs=float('inf'))"), [BLOCK], id="infinity"),
        pytest.param(PLACES, PLACES.replace("6)", "0)"), [BLOCK], id="no places"),
    ],
)  # fmt: skip
def test_errors_calls_and_tolerances(base: str, head: str, expected: list[str]) -> None:
    assert expected == [found for found in judged(head, base) if found != WARN or expected]


def test_a_value_that_is_edited_warns_without_code_and_says_nothing_with_it() -> None:
    text = one("assert total([1, 2]) == 4")
    assert [WARN] == judged(text)
    assert [] == judged(text, with_code=True)


def test_an_assertion_less_in_a_test_that_keeps_others_warns() -> None:
    both = one("assert total([1, 2]) == 3\nassert total([]) == 0")
    assert [WARN] == judged(BASE, both, with_code=True)


@pytest.mark.parametrize(
    ("base", "expected"),
    [("{0}\n{0}", []), ("{0}\nclear()\n{0}", [WARN]), ("{1}\n{1}", [WARN])],
    ids=("in a row", "with something between", "of what is another thing each time"),
)
def test_what_was_said_twice_in_a_row_and_still_is_once_is_no_loss(base: str, expected: list[str]) -> None:
    said, taken = (f"assert.Equal(t, 3, {name}(xs))" for name in ("total", "next"))
    head = taken if "{1}" in base else said
    both = ((read_facts("a_test.go", _go(text)),) for text in (base.format(said, taken), head))
    assert expected == [one.severity for one in assert_findings(settled(*both))]


def _go(body: str) -> bytes:
    return f"package a\nfunc TestA(t *testing.T) {{\n{body}\nassert.Len(t, xs, 2)\n}}\n".encode()


def test_a_condition_before_an_assertion_warns_but_not_one_on_the_system() -> None:
    assert [WARN] == judged(one("if total([]) is not None:\n    assert total([1, 2]) == 3"))
    assert [] == judged(one("if sys.platform != 'win32':\n    assert total([1, 2]) == 3"))


def test_rows_that_are_taken_away() -> None:
    rows = "@pytest.mark.parametrize('xs, want', [([1, 2], 3), ([], 0)])\n"
    base = one("assert total(xs) == want", rows, "xs, want")
    fewer = base.replace("([1, 2], 3), ", "")
    assert [] == judged(base.replace(", ([], 0)]", ",\n    pytest.param([], 0, id='nothing')]"), base)
    assert [] == judged(base.replace("([], 0)", "([], 0), ([4], 4)"), base)
    assert [] == judged(base.replace("@pytest.mark.parametrize('xs, want', [([1, 2], 3), ([], 0)])\n", ""), base)
    assert [] == judged(base, base.replace("([], 0)", "([], 0), ([], 0)")), "a row that stood there twice"
    assert [BLOCK] == judged(fewer, base)
    assert [WARN] == judged(fewer, base, with_code=True)


def test_assertions_that_moved_to_a_new_file_count() -> None:
    moved = {
        "tests/test_a.py": one("total([1, 2])"),
        "tests/test_b.py": "def test_sum():\n    assert total([1, 2]) == 3\n",
    }
    assert [] == severities({"tests/test_a.py": BASE}, moved)


def test_a_credit_is_spent_once() -> None:
    two = one("assert total([1, 2]) == 3", "def test_again():\n    assert total([1, 2]) == 3\n\n\n")
    one_left = two.replace("    assert total([1, 2]) == 3", "    total([1, 2])", 1)
    assert [BLOCK] == judged(one_left, two)


def test_assertions_in_a_test_that_never_runs_are_no_credit() -> None:
    skipped = "@pytest.mark.skip\ndef test_later():\n    assert total([1, 2]) == 3\n\n\n"
    assert [BLOCK] == judged(one("total([1, 2])", skipped))


def test_a_helper_of_another_file_that_is_hollowed() -> None:
    helper = "def assert_total(xs, want):\n    assert total(xs) == want\n"
    base = {"tests/test_a.py": "from tests.helpers import assert_total\n" + one("assert_total([1, 2], 3)")}
    assert [BLOCK] == severities(
        {**base, "tests/helpers.py": helper}, {**base, "tests/helpers.py": helper.replace("assert total", "total")}
    )


def test_tests_that_several_classes_inherit_are_told_once() -> None:
    base = "class Base:\n    def test_x(self):\n        assert total(1) == 1\n"
    heirs = "class TestA(Base):\n    x = 1\nclass TestB(Base):\n    x = 2\n"
    old, new = ({"tests/test_a.py": text + heirs} for text in (base, base.replace("assert ", "")))
    assert 1 == len(assert_findings(settled(facts(old), facts(new))))


PROPERTY = (
    "from hypothesis import *\n@given(st.lists(st.integers()))\ndef test_x(xs):\n    assert total(xs) == sum(xs)\n"
)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param(PROPERTY.replace("@given", "@settings(max_examples=500)\n@given"), [], id="more examples"),
        pytest.param(PROPERTY.replace("integers()", "integers(max_value=10**9)"), [], id="a far bound"),
        pytest.param(PROPERTY.replace("@given", "@example(xs=[-1])\n@given"), [], id="an example"),
        pytest.param(
            "NAMED = ([1], [2])\n" + PROPERTY.replace("st.lists(st.integers())", "st.sampled_from(NAMED)"),
            [],
            id="one of a named list, whatever is in it",
        ),
        pytest.param(PROPERTY.replace("@given", "@settings(max_examples=1)\n@given"), [BLOCK], id="one example"),
        pytest.param(PROPERTY.replace("st.lists(st.integers())", "st.sampled_from([[]])"), [BLOCK], id="one of one"),
        pytest.param(PROPERTY.replace("st.lists(st.integers())", "st.just([])"), [BLOCK], id="one value"),
        pytest.param(
            PROPERTY.replace("@given", "@settings(phases=[Phase.explicit])\n@given"), [BLOCK], id="no generation"
        ),
        pytest.param(PROPERTY.replace("integers()", "integers(min_value=0)"), [WARN], id="a near bound"),
        pytest.param(PROPERTY.replace("integers()", "integers().filter(bool)"), [WARN], id="a filter"),
        pytest.param(PROPERTY.replace("    assert", "    assume(xs)\n    assert"), [WARN], id="an assumption"),
    ],
)
def test_properties(head: str, expected: list[str]) -> None:
    assert expected == judged(head, PROPERTY)


def test_a_test_of_one_value_that_became_a_property_is_tried_on_more_whatever_it_leaves_out() -> None:
    head = PROPERTY.replace("    assert", "    assume(total(xs))\n    assert")
    assert [] == judged(head, "def test_x(xs):\n    assert total(xs) == sum(xs)\n")
    assert [BLOCK] == judged(head, PROPERTY)


EQUALITY = "def test_eq():\n    assert Sum(1) == 1\n    assert Sum(1).__eq__(object()) == NotImplemented\n"
ERROR = one("with pytest.raises(ValueError) as e:\n    total('x')\nassert str(e.value) == 'no number'")
SEEN = one("seen = total([1, 2])\nassert seen == [('sum', 3)]")
TYPED = one("with pytest.raises(ValueError) as e:\n    total('x')\nassert e.type is ValueError")
URL = one("assert total([1, 2]).url == 'http://localhost/sum'")


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param(EQUALITY, EQUALITY.replace("Sum(1) == 1", "Sum(1) == Sum(1)"), WARN, id="a thing and its like"),
        pytest.param(EQUALITY, EQUALITY.replace("Sum(1) == 1", "NONE == NONE"), WARN, id="a thing and itself"),
        pytest.param(
            EQUALITY,
            EQUALITY.replace("Sum(1).__eq__(object()) == NotImplemented", "Sum(1) != object()"),
            WARN,
            id="unequal",
        ),
        pytest.param(
            EQUALITY.replace("Sum", "total"),
            EQUALITY.replace("Sum(1) == 1", "total(1) == total(1)"),
            BLOCK,
            id="an answer",
        ),
        pytest.param(BASE, one("assert total([1, 2]) == total([1, 2])"), BLOCK, id="no test of equality"),
        pytest.param(
            TYPED, TYPED.replace("e.type is ValueError", "issubclass(e.type, ValueError)"), WARN, id="a subclass"
        ),
        pytest.param(
            TYPED, TYPED.replace("e.type is ValueError", "issubclass(e.type, Exception)"), BLOCK, id="any error"
        ),
        pytest.param(
            URL,
            one(
                "got = total([1, 2]).url\nif got.startswith('http'):\n    assert got == 'http://localhost/sum'\n"
                "assert got.rpartition('/')[2] == 'sum'"
            ),
            WARN,
            id="the rest of it always",
        ),
        pytest.param(
            URL,
            one(
                "got = total([1, 2]).url\nif got.startswith('http'):\n    assert got == 'http://localhost/sum'\n"
                "assert got"
            ),
            BLOCK,
            id="only that it is there always",
        ),
    ],
)
def test_what_is_arguable_in_a_test_alone(base: str, head: str, expected: str) -> None:
    assert [expected] == judged(head, base)


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param(
            ERROR, ERROR.replace("str(e.value) == 'no number'", "'no number' in str(e.value)"), WARN, id="words"
        ),
        pytest.param(ERROR, ERROR.replace("str(e.value) == 'no number'", "'no' in str(e.value)"), BLOCK, id="a word"),
        pytest.param(
            SEEN,
            one("seen = total([1, 2])\nassert len(seen) == 1\nassert isinstance(seen[0], tuple)"),
            WARN,
            id="how many and of what type",
        ),
        pytest.param(SEEN, one("seen = total([1, 2])\nassert isinstance(seen[0], tuple)"), BLOCK, id="of what type"),
    ],
)
def test_what_a_change_of_the_code_makes_arguable(base: str, head: str, expected: str) -> None:
    assert [expected] == judged(head, base, with_code=True)
    assert [BLOCK] == judged(head, base)


ODD = "try:\n    total('x')\nexcept ValueError as error:\n    {}"
SUM = "assert sum(abs(a - b) for a, b in total([1])) {}"


def test_what_is_raised_again_where_a_check_fails_is_that_check() -> None:
    base = one(ODD.format("assert 'odd' in str(error)"))
    assert [] == judged(one(ODD.format("if 'odd' not in str(error):\n        raise")), base)
    assert [BLOCK] == judged(one(ODD.format("if 'odd' not in str(error):\n        print(error)")), base)
    again = ODD.format("if 'odd' not in str(error):\n        raise")
    assert [] == judged(one(again + "\nelse:\n    raise AssertionError('none')"), one(again))


@pytest.mark.parametrize(
    ("before", "after", "alone", "with_code"),
    [
        pytest.param("< 1e-9", "< 1e-3", [BLOCK], [WARN], id="a higher bound"),
        pytest.param("> 100", "> 1", [BLOCK], [WARN], id="a lower bound"),
        pytest.param("< 2.5", "< 3", [WARN], [], id="a little higher"),
        pytest.param("< 1e-3", "< 1e-9", [WARN], [], id="closer"),
        pytest.param("< 0", "< 10", [WARN], [], id="from nothing"),
    ],
)
def test_a_bound_that_lets_ten_times_as_much_pass(
    before: str, after: str, alone: list[str], with_code: list[str]
) -> None:
    base, head = one(SUM.format(before)), one(SUM.format(after))
    assert alone == judged(head, base)
    assert with_code == judged(head, base, with_code=True)


def test_a_value_that_is_imported_from_elsewhere_is_the_same_value() -> None:
    base = one("from unittest import mock\nassert total([1, 2]) == mock.sentinel.got")
    assert [] == judged(one("from tests.case import sentinel\nassert total([1, 2]) == sentinel.got"), base)
    assert [WARN] == judged(one("from tests.case import sentinel\nassert total([1, 2]) == sentinel.gone"), base)
    types = one("import collections\nassert isinstance(total([1, 2]), collections.Mapping)")
    assert [] == judged(one("from collections import abc\nassert isinstance(total([1, 2]), abc.Mapping)"), types)
    assert [WARN] == judged(one("from collections import abc\nassert isinstance(total([1, 2]), abc.Sized)"), types)


def test_a_name_with_several_values_is_each_where_it_is_compared() -> None:
    body = "want = {1: 2}\n{}(total([1]), want)\nwant = {3: 4}\n{}(total([3]), want)"
    base = "from nose.tools import *\n" + one(body.replace("{}", "assert_equal"))
    told = one("want = {1: 2}\nassert total([1]) == want\nwant = {3: 4}\nassert total([3]) == want")
    assert [] == judged(told, base)


def test_the_branch_of_an_older_python_that_is_gone_says_nothing() -> None:
    old, new = "assert total([1, 2], old=True) == 3", "assert total([1, 2]) == 3"
    base = one(f"if hasattr(math, 'sumprod'):\n    {new}\nelse:\n    {old}")
    assert [] == judged(one(new), base)
    assert [] != judged(one(f"if hasattr(math, 'sumprod'):\n    {new}"), base)


TWO = one("tree = total([1, 2])\nassert tree.size == 3\nassert tree.name == 'a'")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param("# assert tree.name == 'a'", [BLOCK], id="in a comment"),
        pytest.param("#self.assertEqual(tree.name, 'a')", [BLOCK], id="in a comment, written anew"),
        pytest.param("# assert made._is_complete", [WARN], id="another of a long name"),
        pytest.param("# we assert that tree is its name elsewhere", [WARN], id="in words"),
        pytest.param("# assert tree.size == 4", [WARN], id="another"),
        pytest.param("assert tree.name == 'a'\n# assert tree.name == 'b'", [], id="another beside it"),
        pytest.param("# assert tree.name == 'a'\nassert tree.name == 'b'", [], id="beside one in its stead"),
    ],
)
def test_an_assertion_that_stands_in_a_comment(head: str, expected: list[str]) -> None:
    text = TWO.replace("assert tree.name == 'a'", head.replace("\n", "\n    "))
    assert expected == [found for found in judged(text, TWO) if found != WARN or expected]


def test_a_part_is_a_part_of_the_same_thing() -> None:
    same = "def same(a, b):\n    assert a.url == b.url\n    assert a.body == b.body\n\n"
    base = one("made = Made('u', self.x, {'k': 'v'})\nsame(made, read(made))", same, "self")
    head = one("made = Made('u', x, {'k': 'v'})\nother = Made('u', x)\nsame(made, read(other))", same, "x")
    assert BLOCK not in judged(head, base)
    whole = one("assert total([1, 2]) == {'sum': 3, 'of': 2}")
    assert [BLOCK] == judged(one("assert total([1, 2])['sum'] == 3"), whole)


def test_warnings_that_are_only_recorded_assert_nothing() -> None:
    head = one(
        "with warnings.catch_warnings():\n    warnings.filterwarnings('ignore', 'old')\n    assert total([1, 2]) == 3"
    )
    for expected, found in (("None", []), ("UserWarning", [BLOCK])):
        base = one(f"with pytest.warns({expected}):\n    assert total([1, 2]) == 3")
        assert found == judged(head, base)


def test_what_stands_around_tests_is_no_part_of_a_helper() -> None:
    base = "class Base(unittest.TestCase):\n    def tearDown(self):\n        self.assertEqual(total([]), 0)\n"
    helper = "    def assert_same(self, x, y):\n        return x, y\n"
    assert [] == severities(
        {"tests/bases.py": base + helper}, {"tests/bases.py": base.replace("tearDown", "end") + helper}
    )


@pytest.mark.parametrize(
    ("path", "name", "expected"),
    [
        ("app/calc.py", "ensure_total", []),
        ("app/calc.py", "check_total", []),
        ("app/testing.py", "check_total", [BLOCK]),
        ("app/calc.py", "assert_total", [BLOCK]),
    ],
)
def test_a_check_of_the_product_is_no_check_of_a_test(path: str, name: str, expected: list[str]) -> None:
    client = "\n\ndef test_client():\n    return Client()\n"
    base = f"def {name}(xs):\n    if total(xs) != 3:\n        raise AssertionError('no'){client}"
    assert expected == severities({path: base}, {path: f"def {name}(xs):\n    return total(xs){client}"})


def test_a_profile_of_one_example_for_everything_blocks() -> None:
    profile = "settings.register_profile('ci', max_examples={})\nsettings.load_profile('ci')\n"
    assert [BLOCK] == severities({}, {"tests/conftest.py": profile.format(1)})
    assert [] == severities({}, {"tests/conftest.py": profile.format(300)})


CLIENT = "import asyncio\n\n"
AWAITED = one("async def ask():\n    assert total([1, 2]) == 3\nawait ask()", CLIENT)
LISTED = one("assert [x for x in total([1, 2])] == [3, 2]")
CLOSE = one("assert total([1.0, 2]) == pytest.approx(1.5, abs=0.01)")
PAIR = one("assert total([1, 2]) == (3, 'sum')")
WARNED = one("with pytest.warns(UserWarning, match='old way'):\n    assert total([1, 2]) == 3")
LIMIT = "LIMIT = 3\n\n\n"
NAMED = one("assert total([1, 2]) == LIMIT", LIMIT)
STUBBED = "with mock.patch('app.calc.total', {}):\n    assert total([1, 2]) == 3"

OTHER_KINDS = [
    pytest.param(LISTED, one("assert sorted(x for x in total([1, 2])) == [2, 3]"), [WARN], id="order given up"),
    pytest.param(LISTED, one("assert {x for x in total([1, 2])} == {3, 2}"), [WARN], id="a set comprehension"),
    pytest.param(CLOSE, one("assert round(total([1.0, 2]), 2) == 1.5"), [], id="rounded as closely"),
    pytest.param(CLOSE, one("assert round(total([1.0, 2]), -2) == 0"), [BLOCK], id="rounded to hundreds"),
    pytest.param(CLOSE, one("assert round(total([1.0, 2])) == round(1.6)"), [BLOCK], id="rounded on both sides"),
    pytest.param(PAIR, one("got = total([1, 2])\nassert got[0] == 3\nassert got[1] == 'sum'"), [], id="part by part"),
    pytest.param(PAIR, one("assert total([1, 2])[0] == 3"), [BLOCK], id="one part of it"),
    pytest.param(PAIR, one("first, _ = total([1, 2])\nassert first == 3"), [BLOCK], id="one part, unpacked"),
    pytest.param(NAMED, NAMED.replace("LIMIT", "MOST"), [], id="a constant with another name"),
    pytest.param(NAMED, BASE, [], id="a constant written out"),
    pytest.param(NAMED, NAMED.replace("= 3\n", "= 4\n"), [WARN], id="a constant with another value"),
    pytest.param(BASE, one("t = asyncio.create_task(total([1]))\nawait t\nassert total([1, 2]) == 3", CLIENT), [],
                 id="a task that is waited for"),
    pytest.param(AWAITED, AWAITED.replace("await ask()", "asyncio.create_task(ask())"), [BLOCK], id="a lost task"),
    pytest.param(AWAITED, AWAITED.replace("await ask()", "t = asyncio.ensure_future(ask())"), [BLOCK],
                 id="a task in a name that nothing reads"),
    pytest.param(AWAITED, AWAITED.replace("await ask()", "async with asyncio.TaskGroup() as g:\n        "
                                          "g.create_task(ask())"), [], id="a task of a group"),
    pytest.param(BASE, one("for _ in range(3):\n    if total([]):\n        break\nassert total([1, 2]) == 3"), [],
                 id="a loop before it"),
    pytest.param(BASE, one("for _ in range(3):\n    break\nelse:\n    assert total([1, 2]) == 3"), [BLOCK],
                 id="else of a loop that breaks"),
    pytest.param(BASE, one("while True:\n    break\nelse:\n    assert total([1, 2]) == 3"), [BLOCK],
                 id="else of a while that breaks"),
    pytest.param(BASE, one("if total([1, 2]) != 3:\n    return\nassert total([1, 2]) == 3"), [BLOCK],
                 id="only when it holds"),
    pytest.param(BASE, one("if len(str(total([1, 2]))) == 1:\n    return\nassert total([1, 2]) == 3"), [BLOCK],
                 id="only for other answers"),
    pytest.param(BASE, one("assert all(x == 3 for x in [total([1, 2])])"), [], id="all of them"),
    pytest.param(BASE, one("assert all(x == 3 for x in [total([1, 2])] if x == 3)"), [BLOCK], id="all that fit"),
    pytest.param(CALLED, CALLED.replace("assert_called_once", "was_called_once"), [BLOCK], id="a made-up name"),
    pytest.param(CALLED, CALLED.replace("assert_called_once_with", "has_been_called_with"), [BLOCK], id="another one"),
    pytest.param(WARNED, one("with pytest.warns(UserWarning, match='the old way'):\n    assert total([1, 2]) == 3"), [],
                 id="a longer message"),
    pytest.param(WARNED, one("import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n"
                             "    assert total([1, 2]) == 3"), [BLOCK], id="a warning ignored"),
    pytest.param(BASE, one(STUBBED.format("wraps=total")), [], id="the subject watched"),
    pytest.param(BASE, one("with mock.patch('app.io.read', return_value=3):\n    assert total([1, 2]) == 3"), [],
                 id="a neighbour replaced"),
    pytest.param(BASE, one(STUBBED.format("return_value=3")), [BLOCK], id="the subject replaced"),
    pytest.param(BASE, one(STUBBED.format("new=lambda xs: 3")), [BLOCK], id="the subject replaced by a lambda"),
    pytest.param(BASE, one("mock.seal(total)\nassert not total([1, 2]) == 3"), [BLOCK], id="the opposite"),
]  # fmt: skip


OF_SELF = (
    "class TestTotal:\n    def setup_method(self):\n        self.xs = make()\n\n    def test_total(self):\n        {}\n"
)
OF_FIXTURE = (
    "@pytest.fixture\ndef xs():\n    return make()\n\n\nclass TestA:\n    def test_total(self, xs):\n        {}\n"
)
BOOLEAN = one("assert ('x' in total([1, 2])) == bool(scale(1, 2) and total([]))")
MATCHED = one("".join(f"with pytest.raises(TypeError, match='no {{}}'):\n    total({at})\n" for at in (1, 2)))
COUNTS = one("assert total([1]).counts() == {'passed': 1}")
THERE = one("got = total([1, 2])\nassert got\nassert got.size == 2")

REWORDED = [
    pytest.param(OF_SELF.format("assert total(self.xs) == 3"), OF_FIXTURE.format("assert total(xs) == 3"), [],
                 id="an attribute that became a fixture"),
    pytest.param(one("assert total([1]) == 'a b'.split()"), one("assert total([1]) == ['a', 'b']"), [],
                 id="a list that was split from a text"),
    pytest.param(one("assert sorted(list(total([1]).keys())) == sorted(['b', 'a'])"),
                 one("assert sorted(total([1]).keys()) == ['a', 'b']"), [], id="a list that was sorted"),
    pytest.param(THERE, THERE.replace("assert got\n", ""), [], id="there, as what is asked of it shows"),
    pytest.param(MATCHED, MATCHED.replace("TypeError", "ValueError").replace("'no {}'", "f'no {scale(1, 2)}'"), [WARN],
                 id="another error with other words"),
    pytest.param(COUNTS, one("total([1]).assert_outcomes(passed=1)"), [], id="a name as a keyword"),
    pytest.param(COUNTS, one("total([1]).assert_outcomes(failed=1)"), [BLOCK], id="another name as a keyword"),
    pytest.param(BOOLEAN, one("assert 'x' not in total([1, 2])"), [WARN], id="a truth value that is always the same"),
    pytest.param(OF_SELF.format("assert total(self.xs) == 3"), OF_FIXTURE.format("assert total(xs) == 4"), [WARN],
                 id="a fixture, and another value"),
    pytest.param(one("assert total([1]) == 'a b'.split()"), one("assert total([1]) == ['a']"), [WARN],
                 id="a list that is shorter"),
    pytest.param(THERE, THERE.replace("assert got.size == 2", "got.close()"), [BLOCK], id="there and no more"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "head", "expected"), [*OTHER_KINDS, *REWORDED])
def test_other_ways_to_ask_less(base: str, head: str, expected: list[str]) -> None:
    assert expected == judged(head, base)


SOFT = (
    "class soft:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *error):\n        return {}\n"
)
GIVES = "\n\n@pytest.fixture\ndef softly():\n    return soft\n"


@pytest.mark.parametrize(
    ("returned", "expected"), [pytest.param("False", [], id="lets out"), pytest.param("True", [BLOCK], id="keeps in")]
)
@pytest.mark.parametrize("path", ["tests/conftest.py", "tests/helpers.py"])
def test_a_context_manager_of_another_file_that_swallows(path: str, returned: str, expected: list[str]) -> None:
    head = one("with softly():\n    assert total([1, 2]) == 3", "", "softly")
    assert expected == severities(
        {"tests/test_a.py": BASE}, {"tests/test_a.py": head, path: SOFT.format(returned) + GIVES}
    )


OF_TEXTS = "from hypothesis import given, assume, strategies as st\n\n\n@given(st.text())\n"
ROUND = one("assert total(scale(text)) == text", OF_TEXTS, "text")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param(one("assume(text)\nassert total(scale(text)) == text", OF_TEXTS, "text"), [WARN], id="no empty"),
        pytest.param(one("assume(scale(text))\nassert total(scale(text)) == text", OF_TEXTS, "text"), [BLOCK],
                     id="what the code says is fine"),
        pytest.param(one("text = 'a'\nassert total(scale(text)) == text"), [BLOCK], id="one value"),
        pytest.param(one("assert total(scale(text)) == text", "@pytest.mark.parametrize('text', ['', 'a'])\n", "text"),
                     [WARN], id="rows"),
    ],
)  # fmt: skip
def test_a_property_that_is_tried_on_less(head: str, expected: list[str]) -> None:
    assert expected == judged(head, ROUND)


def test_the_finding_names_its_tests_and_many_warnings_of_a_file_are_one() -> None:
    base = "\n\n".join(f"def test_{number}():\n    assert total([{number}]) == {number}\n" for number in range(12))
    head = base.replace("]) == ", "]) == 1")
    found = assert_findings(settled(facts({"tests/test_a.py": base}), facts({"tests/test_a.py": head})))
    assert [12] == [len(one.tests) for one in found]
    assert "tests/test_a.py::test_3" in found[0].tests


CHECKS = (
    "def assert_parts(parts, *expected):\n"
    "    assert sum(parts) == sum(expected)\n"
    "    assert list(parts) == list(expected)\n"
)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param(CHECKS.replace("list(parts) == list(expected)", "[*parts] == [*expected]"), [WARN], id="reworded"),
        pytest.param(CHECKS.replace("    assert sum(parts) == sum(expected)\n", ""), [WARN], id="one of two"),
        pytest.param("def assert_parts(parts, *expected):\n    assert len(list(parts)) == len(expected)\n", [BLOCK],
                     id="nothing but the length"),
    ],
)  # fmt: skip
def test_a_helper_of_another_file_that_asserts_less(head: str, expected: list[str]) -> None:
    assert expected == severities({"tests/checks.py": CHECKS}, {"tests/checks.py": head})


JS = "test('pays', async () => {{\n  const pay = sinon.fake();\n  {}\n  expect(total([1])).toBe(1);\n}});\n"
PAYS = JS.format("sinon.assert.calledOnceWithExactly(pay, 30);")


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param(PAYS, JS.format("sinon.assert.calledOnceWithExactly(pay, 3 * 10);"), [WARN], id="another number"),
        pytest.param(PAYS, JS.format("sinon.assert.called(pay);"), [BLOCK], id="called anyhow"),
        pytest.param(PAYS, JS.format("sinon.assert.callCount(pay, 1);"), [BLOCK], id="called so often"),
        pytest.param(JS.format("expect(pay()).toEqual(30);"), JS.format("expect(pay());"), [BLOCK], id="no matcher"),
    ],
)  # fmt: skip
def test_javascript_checks_that_say_less(base: str, head: str, expected: list[str]) -> None:
    found = assert_findings(settled(*((read_facts("a.test.js", text.encode()),) for text in (base, head))))
    assert expected == [one.severity for one in found]
