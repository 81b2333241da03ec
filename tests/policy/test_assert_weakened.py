"""E_ASSERT_WEAKENED: one test of the base against many heads, honest ones first."""

from __future__ import annotations

from textwrap import indent

import pytest

from agentgate_git.model.code import ASSERT_WEAKENED
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.policy.assert_weakened import assert_findings
from agentgate_git.source.facts import read_facts

HEAD = "import math, re, sys, unittest\nfrom unittest import mock\nimport pytest\nfrom app.calc import total, scale\n\n"
SCALE = "\n\ndef test_scale():\n    assert scale(2, 3) == 6\n"
CODE = {"app/calc.py": "def total(xs):\n    return sum(xs)\n"}

Files = dict[str, str]


def one(body: str, before: str = "", arguments: str = "") -> str:
    """A file with `test_total` of this body, and another test that stays as it is."""
    return f"{before}def test_total({arguments}):\n{indent(body, '    ')}\n{SCALE}"


BASE = one("assert total([1, 2]) == 3")
SWALLOWS = "try:\n    assert total([1, 2]) == 3\nexcept {}:\n    {}"


def facts(files: Files) -> tuple[FileFacts, ...]:
    return tuple(
        read_facts(path, ((HEAD if path.startswith("tests") else "") + text).encode()) for path, text in files.items()
    )


def severities(base: Files, head: Files) -> list[str]:
    changed = [path for path in base.keys() | head.keys() if base.get(path) != head.get(path)]
    old, new = ({path: files[path] for path in changed if path in files} for files in (base, head))
    found = assert_findings(facts(old), facts(new))
    assert {ASSERT_WEAKENED} >= {finding.code for finding in found}
    return sorted({finding.severity for finding in found})


def judged(text: str, base: str = BASE, *, with_code: bool = False) -> list[str]:
    code = CODE if with_code else {}
    return severities({"tests/test_a.py": base}, {"tests/test_a.py": text, **code})


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
    assert [WARN] == judged(text, with_code=True)


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
        pytest.param(RAISES, RAISES.replace(", match='no number'", ""), [WARN], id="no pattern"),
        pytest.param(RAISES, one("assert callable(total)"), [BLOCK], id="no error"),
        pytest.param(CALLED, CALLED.replace("once_with('a', retries=1)", "once()"), [BLOCK], id="called with anything"),
        pytest.param(NEAR, one("assert total([1.0, 2]) == pytest.approx(1.5, 0.5)"), [BLOCK], id="a wide tolerance"),
        pytest.param(NEAR, NEAR.replace("(1.5)", "(1.5, rel=1e-5)"), [WARN], id="a wider tolerance"),
        pytest.param(NEAR, NEAR.replace("(1.5)", "(1.5, abs=float('inf'))"), [BLOCK], id="infinity"),
        pytest.param(PLACES, PLACES.replace("6)", "0)"), [BLOCK], id="no places"),
    ],
)  # fmt: skip
def test_errors_calls_and_tolerances(base: str, head: str, expected: list[str]) -> None:
    assert expected == [found for found in judged(head, base) if found != WARN or expected]


def test_a_value_that_is_edited_warns_without_code_and_is_advice_with_it() -> None:
    text = one("assert total([1, 2]) == 4")
    assert [WARN] == judged(text)
    assert [ADVICE] == judged(text, with_code=True)


def test_an_assertion_less_in_a_test_that_keeps_others_warns() -> None:
    both = one("assert total([1, 2]) == 3\nassert total([]) == 0")
    assert [WARN] == judged(BASE, both, with_code=True)


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
    assert 1 == len(assert_findings(facts(old), facts(new)))


PROPERTY = (
    "from hypothesis import *\n@given(st.lists(st.integers()))\ndef test_x(xs):\n    assert total(xs) == sum(xs)\n"
)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param(PROPERTY.replace("@given", "@settings(max_examples=500)\n@given"), [], id="more examples"),
        pytest.param(PROPERTY.replace("integers()", "integers(max_value=10**9)"), [], id="a far bound"),
        pytest.param(PROPERTY.replace("@given", "@example(xs=[-1])\n@given"), [], id="an example"),
        pytest.param(PROPERTY.replace("@given", "@settings(max_examples=1)\n@given"), [BLOCK], id="one example"),
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


def test_a_profile_of_one_example_for_everything_blocks() -> None:
    profile = "settings.register_profile('ci', max_examples={})\nsettings.load_profile('ci')\n"
    assert [BLOCK] == severities({}, {"tests/conftest.py": profile.format(1)})
    assert [] == severities({}, {"tests/conftest.py": profile.format(300)})
