"""E_ASSERT_WEAKENED: assertions behind branches that are never taken, and of what mocks and iterators keep."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import BLOCK, WARN
from testing.weaker_tests import BASE, judged, one, severities

SAY = "    assert total([1, 2]) == 3"
TRIED = "try:\n    n = int(total([1, 2]))\nexcept ValueError:\n    {}\nelse:\n" + SAY
LEFT = "try:\n    n = int(total([1, 2]))\nexcept ValueError:\n    {}\nassert total([1, 2]) == 3"
MATCH = "match total([1, 2]):\n    case 3:\n        assert scale(3, 2) == 6\n"
BOTH = one("assert total([1, 2]) == 3\nassert scale(3, 2) == 6")
CALLS = one("send = mock.Mock()\ntotal(send)\nassert send.call_args_list == [mock.call(1), mock.call(2)]")
COUNTED = CALLS.replace("call_args_list == [mock.call(1), mock.call(2)]", "call_count == 2")
ONCE = one("send = mock.Mock()\ntotal(send)\nassert send.call_count == 1")
KEPT = "def check():\n    assert total([1, 2]) == 3\n"
PAIRED = one("assert total([1, 2]) == 3\nassert scale(2, 2) == 4\nassert scale(2, 4) == 8")

BRANCHES = [
    pytest.param(BASE, one(TRIED.format("pytest.fail('no number')")), [], id="else of a try that fails otherwise"),
    pytest.param(BASE, one("pending = [1]\nwhile pending:\n" + SAY + "\n    pending.pop()"), [], id="while it holds"),
    pytest.param(BASE, one("for _ in range(3):\n" + SAY), [], id="three times"),
    pytest.param(BASE, one("for xs in make():\n    assert total([1, 2]) == 3 and xs"), [], id="with each of them"),
    pytest.param(BOTH, one(MATCH + "    case other:\n        pytest.fail(str(other))"), [],
                 id="the only case that passes"),
    pytest.param(BOTH, one("assert (total([1, 2]), scale(3, 2)) == (3, 6)"), [], id="two values as a pair"),
    pytest.param(BASE, one(KEPT + "app = make()\napp.check = check\napp.check()"), [], id="kept and called"),
    pytest.param(BASE, one("zipped = zip([total([1, 2])], [3])\nassert all(a == b for a, b in zipped)\n"
                           "assert total([1, 2]) == 3"), [], id="an iterator gone through once"),
    pytest.param(BASE, one("odd = []\nwhile odd:\n" + SAY), [BLOCK], id="while nothing is there"),
    pytest.param(BASE, one("odd = []\nodd.extend(make())\nwhile odd:\n" + SAY + "\n    odd.pop()"), [WARN],
                 id="while something may be there"),
    pytest.param(BASE, one("for _ in make():\n" + SAY), [WARN], id="as often as something is there"),
    pytest.param(BASE, one(TRIED.format("n = None")), [WARN], id="else of a try that goes on otherwise"),
    pytest.param(BASE, one(LEFT.format("return")), [WARN], id="behind a try that leaves"),
    pytest.param(BOTH, one(MATCH), [BLOCK], id="the only case, and nothing for others"),
    pytest.param(BOTH, one("if total([1, 2]) == 3:\n    assert scale(3, 2) == 6"), [BLOCK], id="asked, not asserted"),
    pytest.param(BASE, one(KEPT + "app = make()\napp.on_end = check"), [BLOCK], id="kept where nothing calls it"),
    pytest.param(BASE, one("zipped = zip([total([1, 2])], [3])\nfound = list(zipped)\n"
                           "assert all(a == b for a, b in zipped)"), [BLOCK], id="an iterator gone through twice"),
    pytest.param(BASE, one("got = map(total, [[1, 2]])\nprint(\n    *sorted(got)\n)\nfor one in got:\n"
                           "    assert total([1, 2]) == 3"), [BLOCK], id="a loop over an iterator that is used up"),
    pytest.param(BASE, one("assert all(x == 3 for x in [])"), [BLOCK], id="all of nothing"),
    pytest.param(BASE, one("assert not any(total([1, 2]) != 3 for x in ())"), [BLOCK], id="none of nothing"),
    pytest.param(BASE, one("assert LENIENT or total([1, 2]) == 3", "LENIENT = True\n\n\n"), [BLOCK], id="or a name"),
    pytest.param(BASE, one("assert total([1, 2]) == 3 or LENIENT", "LENIENT = 1\n\n\n"), [BLOCK], id="or a number"),
]  # fmt: skip

RECORDS = [
    pytest.param(CALLS, CALLS.replace("assert send.call_args_list ==", "assert send.mock_calls =="), [],
                 id="the calls under another name"),
    pytest.param(CALLS, COUNTED.replace("== 2", "== 2\n    send.assert_has_calls([mock.call(1), mock.call(2)])"), [],
                 id="how many, and which"),
    pytest.param(ONCE, ONCE.replace("assert send.call_count == 1", "send.assert_called_once()"), [], id="once"),
    pytest.param(ONCE, ONCE.replace("call_count == 1", "call_args_list == [mock.call(1)]"), [], id="once, and how"),
    pytest.param(CALLS, COUNTED, [BLOCK], id="how many"),
    pytest.param(CALLS, COUNTED.replace("call_count == 2", "called"), [BLOCK], id="whether"),
    pytest.param(CALLS, CALLS.replace("send.call_args_list == [mock.call(1), mock.call(2)]",
                                      "len(send.call_args_list) == 2"), [BLOCK], id="the length of the list"),
    pytest.param(CALLS, CALLS.replace("assert send.call_args_list == [mock.call(1), mock.call(2)]",
                                      "send.assert_any_call(2)"), [BLOCK], id="one of them"),
    pytest.param(ONCE, ONCE.replace("call_count == 1", "called"), [BLOCK], id="whether, and not how often"),
    pytest.param(ONCE, ONCE.replace("call_count == 1", "call_count >= 0"), [BLOCK], id="any number"),
]  # fmt: skip

OF_CASE = "class T(unittest.TestCase):\n    def test_x(self):\n        {}\n"
SLUG = OF_CASE.format("got = total('a')\n        self.assertSlug(got, 'a')")
PRECISE = "assert_almost_equal(total(1), 1.5, decimal={})"
PATTERN = OF_CASE.format("self.assertRegex(total('a'), r'{}')")
OPERANDS = [
    pytest.param(OF_CASE.format("self.assertEqual(total('a'), 'b-c')"), PATTERN.format("\\Ab-c\\Z"), [], id="anchored"),
    pytest.param(one(PRECISE.format(6)), one(PRECISE.format(7)), [], id="more decimals"),
    pytest.param(SLUG, SLUG.replace("got, 'a')", "got, 'b')"), [WARN], id="another value for a helper"),
    pytest.param(one(PRECISE.format(7)), one(PRECISE.format(0)), [BLOCK], id="no decimals"),
    pytest.param(OF_CASE.format("self.assertEqual(total('a'), 'b-c')"), PATTERN.format("b-c"), [BLOCK],
                 id="not anchored"),
    pytest.param(BASE, one("assert total([1, 2]).strip('-') == '3'"), [BLOCK], id="what is left of it"),
    pytest.param(BASE, one("assert total([1, 2]).removeprefix('x') == '3'"), [BLOCK], id="without its beginning"),
    pytest.param(SLUG, SLUG.replace("got, 'a')", "got, got)"), [BLOCK], id="itself, for a helper"),
    pytest.param(SLUG, SLUG.replace("got, 'a')", "got, ''.join(got))"), [BLOCK], id="itself, joined"),
    pytest.param(SLUG, SLUG.replace("got, 'a')", "got, f'{got}')"), [BLOCK], id="itself, formatted"),
    pytest.param(BASE, one("got = total([1, 2])\nassert got == [*got]"), [BLOCK], id="itself, unpacked"),
    pytest.param(BASE, one("got = total([1, 2])\nassert got == [x for x in got]"), [BLOCK], id="itself, item by item"),
    pytest.param(BASE, one("got = total([1, 2])\nassert got == got + ''"), [BLOCK], id="itself and nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "head", "expected"), [*BRANCHES, *RECORDS, *OPERANDS])
def test_branches_records_and_operands(base: str, head: str, expected: list[str]) -> None:
    assert expected == judged(head, base)


ADDED = {
    "nothing": "",
    "a function": "def scale(a, b):\n    return a * b\n",
    "an import and a constant": "import math\n\nLIMIT = 3\n",
    "a method": "class Mean:\n    def add(self, x):\n        self.x += x\n\n    def take(self):\n        return 1\n",
    "a comment": "# later\n",
}
ALTERED = {
    "another body": ("return sum(xs)", "return sum(list(xs))"),
    "a line more": ("    return sum(xs)", "    xs = list(xs)\n    return sum(xs)"),
    "a decorator": ("def total", "@cached\ndef total"),
    "a constant": ("BASE = 0", "BASE = 1"),
    "an attribute": ("x = 0", "x = 1"),
    "a registered function": ("BASE = 0", "BASE = 0\n\n\n@app.command()\ndef other():\n    return 1"),
    "a special method": ("    x = 0\n", "    x = 0\n\n    def __eq__(self, other):\n        return True\n"),
    "a method of a name that is there": ("    x = 0\n", "    x = 0\n\n    def total(self):\n        return 1\n"),
    "a function gone": ("def total(xs):\n    return sum(xs)\n", ""),
}
BEFORE = "BASE = 0\n\n\ndef total(xs):\n    return sum(xs)\n\n\nclass Sum:\n    x = 0\n"
EDITED = one("assert total([1, 2]) == 4")


@pytest.mark.parametrize(("old", "new"), ALTERED.values(), ids=ALTERED)
def test_code_that_is_altered_explains_another_expected_value(old: str, new: str) -> None:
    base = {"tests/test_a.py": BASE, "app/calc.py": BEFORE}
    assert [] == severities(base, {"tests/test_a.py": EDITED, "app/calc.py": BEFORE.replace(old, new)})


@pytest.mark.parametrize("more", ADDED.values(), ids=ADDED)
def test_code_that_is_only_added_explains_nothing(more: str) -> None:
    base = {"tests/test_a.py": BASE, "app/calc.py": BEFORE}
    assert [WARN] == severities(base, {"tests/test_a.py": EDITED, "app/calc.py": f"{BEFORE}\n\n{more}"})
    assert [WARN] == severities(base, {"tests/test_a.py": EDITED, "app/calc.py": BEFORE, "app/more.py": more})


SEPARATED = one("assert total('a', sep=';').out == 'a;b'")
ROWED = one("assert total('a', sep=sep).out == {}", "@pytest.mark.parametrize({})\n", "sep")
SLUGS = OF_CASE.format("self.assertSlug(total('a b'), 'a-b')")
FILLED = [
    pytest.param(SEPARATED, ROWED.format("'sep', [';', '|']", "f'a{sep}b'"), [], id="a row in a text"),
    pytest.param(SLUGS, OF_CASE.format("self.assertEqual(total('a b'), 'a-b')"), [], id="a helper's words"),
    pytest.param(SLUGS, "def test_x():\n    assert total('a b') == 'a-b'\n", [], id="a helper's words in a function"),
    pytest.param(SEPARATED, ROWED.format("'sep', ['|', '/']", "f'a{sep}b'"), [WARN], id="other rows in a text"),
    pytest.param(SLUGS, OF_CASE.format("self.assertEqual(total('a b'), 'a_b')"), [WARN], id="another value, plainly"),
]


@pytest.mark.parametrize(("base", "head", "expected"), FILLED)
def test_what_is_said_in_other_words(base: str, head: str, expected: list[str]) -> None:
    assert expected == judged(head, base)


DOCTESTED = '''def total(xs):
    """The sum.

    >>> total([1, 2])
    3
    """
    return sum(xs)
'''


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param(">>> total([1, 2])\n    3\n", ">>> got = total([1, 2])\n    >>> got\n    3\n", [], id="a name"),
        pytest.param("3\n", "3\n    >>> total([1, 2]) > 0\n    True\n", [], id="an example more"),
        pytest.param("3\n", "4\n", [WARN], id="another value"),
        pytest.param("total([1, 2])\n    3", "total([1, 2]) > 0\n    True", [BLOCK], id="a bound"),
        pytest.param("total([1, 2])\n    3", "bool(total([1, 2]))\n    True", [BLOCK], id="whether"),
        pytest.param("total([1, 2])\n    3", "type(total([1, 2]))\n    <class 'int'>", [BLOCK], id="the type"),
        pytest.param("total([1, 2])\n    3", "isinstance(total([1, 2]), int)\n    True", [BLOCK], id="an instance"),
        pytest.param("total([1, 2])\n    3", "total([1, 2]) is not None\n    True", [BLOCK], id="something"),
        pytest.param("total([1, 2])\n    3", "len(str(total([1, 2])))\n    1", [BLOCK], id="how many"),
    ],
)
def test_examples_in_docstrings(old: str, new: str, expected: list[str]) -> None:
    head = DOCTESTED.replace(old, new)
    assert expected == severities({"app/calc.py": DOCTESTED}, {"app/calc.py": head})


DELAYS = one("total(Client())\nassert sleep.calls == [0.5, 1.0]")
STUB = "with mock.patch.object(Client, 'delay', {}):\n    total(Client())\nassert sleep.calls == [0.5, 1.0]"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param(one(STUB.format("wraps=Client.delay")), [], id="watched"),
        pytest.param(one(STUB.format("side_effect=[2.0, 4.0]")), [], id="with other values"),
        pytest.param(one(STUB.format("side_effect=OSError")), [], id="an error"),
        pytest.param(one(STUB.format("side_effect=[0.5, 1.0]").replace("Client, 'delay'", "'app.time.sleep'")
                         .replace("patch.object", "patch")), [], id="of a module of Python"),
        pytest.param(one(STUB.format("side_effect=[0.5, 1.0]")), [WARN], id="with what is expected"),
        pytest.param(one("patcher = mock.patch('app.Client.delay', side_effect=[0.5, 1.0])\npatcher.start()\n"
                         "total(Client())\nassert sleep.calls == [0.5, 1.0]"), [WARN], id="by its name"),
        pytest.param(one(STUB.format("new=mock.Mock(side_effect=[0.5, 1.0])")), [WARN], id="as a mock"),
        pytest.param(one("Client.delay = mock.Mock(side_effect=[0.5, 1.0])\n" + DELAYS.partition("\n    ")[2]
                         .partition("\n\n")[0].replace("\n    ", "\n")), [WARN], id="assigned"),
    ],
)  # fmt: skip
def test_what_a_stand_in_hands_over(head: str, expected: list[str]) -> None:
    assert expected == judged(head, DELAYS)
