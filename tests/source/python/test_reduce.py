"""Two versions of a file without what stands in both: what is left tells whether anything was lost."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.finding import Finding
from agentgate_git.policy.weakening.checks import weakening_findings
from agentgate_git.source.facts import read_facts
from agentgate_git.source.python.chunks import split_module
from agentgate_git.source.python.reduce import reduce_pair

PATH = "tests/test_shop.py"
HEAD = "import pytest\nfrom shop import total\n\n\ndef helper(n):\n    return n + 1\n\n\n"
ONE = "def test_one():\n    assert 3 == total([1, 2])\n\n\n"
TWO = 'def test_two():\n    text = """\ndef test_inside():\n"""\n    assert total([text]) == 5\n\n\n'
THREE = "@pytest.mark.parametrize('n', [\n1,\n2,\n])\ndef test_three(n):\n    assert helper(n) == n + 1\n\n\n"
CLASS = (
    "class TestCart:\n    def setup_method(self):\n        self.cart = []\n\n"
    "    def test_empty(self):\n        assert not self.cart\n\n"
    "    def test_add(self):\n        assert [1] == [*self.cart, 1]\n\n\n"
)
MANY_PRICED = "".join(f"def test_priced_{at}():\n    assert price({at}) == {at}\n\n\n" for at in range(9))
ALL = HEAD + ONE + TWO + THREE + CLASS
SKIP = "@pytest.mark.skip\n"


def findings(old: str | bytes, new: str | bytes) -> tuple[Finding, ...]:
    sides = (one.encode() if isinstance(one, str) else one for one in (old, new))
    before, after = (read_facts(PATH, one) for one in sides)
    return weakening_findings([before], [after])


def reduced(old: str, new: str) -> tuple[str, str]:
    """Both sides reduced; that there is nothing to find on them must mean that there is nothing to find."""
    left = reduce_pair(old.encode(), new.encode())
    if not findings(*left):
        assert () == findings(old, new)
    for part, whole in zip(left, (old, new), strict=True):
        ast.parse(part)
        assert whole.count("\n") == part.count(b"\n")
    return left[0].decode(), left[1].decode()


def test_a_new_test_leaves_the_others_out_but_one() -> None:
    old, new = reduced(ALL, ALL + "def test_four():\n    assert total([]) == 0\n")
    assert "test_two" not in new
    assert "test_add" not in new
    assert "def test_one" in old, "one test stays, on which shows what is done to all"
    assert "def test_four" in new
    assert "def helper" not in new, "only what is left out uses it"
    assert ALL.split("\n").index("def test_one():") == new.split("\n").index("def test_one():")


def test_one_method_of_a_class_leaves_the_others_out() -> None:
    many = "".join(f"    def test_n{n}(self):\n        assert self.cart == {n}\n\n" for n in range(5))
    old, new = reduced(ALL + many, ALL.replace("not self.cart", "self.cart == []") + many)
    assert 1 == sum(f"def test_n{n}" in new or "def test_add" in new for n in range(5))
    assert "def setup_method" in new
    assert "assert not self.cart" in old


def test_a_method_that_is_no_test_leaves_out_those_that_do_not_use_it() -> None:
    many = "".join(f"    def test_n{n}(self):\n        assert self.cart == {n}\n\n" for n in range(5))
    helper = "    def full(self):\n        return [1]\n\n    def test_full(self):\n        assert self.full()\n\n"
    old = ALL + many + helper
    left = reduced(old, old.replace("return [1]", "return [2]"))[1]
    assert "def test_full" in left
    assert 1 == sum(f"def test_n{n}" in left or "def test_add" in left for n in range(5))


def test_a_class_that_is_only_mentioned_keeps_one_test() -> None:
    suite = "def suite():\n    return [TestCart, TestOther]\n\n\n"
    other = "class TestOther:\n    def test_a(self):\n        assert total([1]) == 1\n\n"
    other += "    def test_long(self):\n        assert total([1, 2]) == 3\n\n\n"
    left = reduced(ALL + other + suite, ALL.replace("not self.cart", "self.cart == []") + other + suite)[1]
    assert "def test_a" in left
    assert "def test_long" not in left


HARMFUL = {
    "skip": ALL.replace(ONE, SKIP + ONE),
    "skip in a class": ALL.replace("    def test_add", "    @pytest.mark.skip\n    def test_add"),
    "module mark": ALL.replace(HEAD, HEAD + "pytestmark = pytest.mark.skip\n"),
    "module mark behind a semicolon": ALL.replace(HEAD, HEAD + "LIMIT = 3; pytestmark = pytest.mark.skip\n"),
    "module mark as one of two targets": ALL.replace(HEAD, HEAD + "LIMIT = pytestmark = pytest.mark.skip\n"),
    "skip at module level": ALL.replace(HEAD, HEAD + "pytest.skip('x', allow_module_level=True)\n"),
    "skip while a name is bound": ALL.replace(HEAD, HEAD + "x = pytest.skip('x', allow_module_level=True)\n"),
    "skip in a branch": ALL.replace(HEAD, HEAD + "if True:\n    pytest.skip('x', allow_module_level=True)\n"),
    "helper that skips": ALL.replace("return n + 1", "pytest.skip('x')"),
    "fixture for all": ALL.replace(HEAD, HEAD + "@pytest.fixture(autouse=True)\ndef no():\n    pytest.skip('x')\n\n\n"),
    "set-up of the module": ALL.replace(HEAD, HEAD + "def setup_module():\n    pytest.skip('x')\n\n\n"),
    "set-up of the class": ALL.replace("self.cart = []", "pytest.skip('x')"),
    "flag on one test": ALL + "test_two.__test__ = False\n",
    "another definition of the name": ALL + "def test_two():\n    pass\n",
    "name taken away": ALL + "test_two = None\n",
    "class renamed": ALL.replace("class TestCart", "class Cart"),
    "class with a constructor": ALL.replace(
        "    def setup_method", "    def __init__(self):\n        pass\n\n    def setup_method"
    ),
    "test put into a string": ALL.replace(ONE, f'"""\n{ONE}"""\n'),
    "end of a string moved": ALL.replace('"""\n    assert total([text])', '"\n    assert total([text])', 1),
    "broken syntax": ALL + "def (:\n",
    "renamed name": ALL.replace("def test_three", "def check_three"),
    "assertion gone": ALL.replace("assert 3 == total([1, 2])", "total([1, 2])"),
}


@pytest.mark.parametrize("new", HARMFUL.values(), ids=HARMFUL)
def test_what_does_harm_is_found_on_what_is_left(new: str) -> None:
    left = reduce_pair(ALL.encode(), new.encode())
    assert findings(ALL, new)
    assert findings(*left)


def test_a_fixture_that_other_tests_ask_for() -> None:
    fixture = "@pytest.fixture\ndef shop():\n    return 1\n\n\n"
    asking = "def test_asks(shop):\n    assert shop\n\n\n"
    asking += "@pytest.mark.usefixtures('shop')\ndef test_uses():\n    assert total([])\n"
    old = HEAD + fixture + ONE + asking
    new = old.replace("return 1", "pytest.skip('x')")
    assert "def test_asks" in reduced(old, new)[1]
    assert "def test_uses" in reduced(old, new)[1]


DOUBTFUL = {
    "old line ends": (b"x = 1\r", b"y = 1\r"),
    "form feed": (b"def test_a():\n    pass\n\x0cx = 1\n", b"def test_a():\n    pass\n\x0cx = 2\n"),
    "codec that reuses ASCII": (b"# coding: shift_jis\nx = 1\n", b"# coding: shift_jis\nx = 2\n"),
    "bracket that does not close": (b"x = (\n", b"x = ((\n"),
    "string that does not close": (b'x = """\n', b'y = """\n'),
    "code in an f-string": (b'x = f"{y["a"]}"\n', b'x = f"{y["b"]}"\n'),
    "star": (ALL.encode(), b"from evil import *\n" + ALL.encode()),
}


@pytest.mark.parametrize(("old", "new"), DOUBTFUL.values(), ids=DOUBTFUL)
def test_in_doubt_both_stay_as_they_are(old: bytes, new: bytes) -> None:
    assert (old, new) == reduce_pair(old, new)


PIECES = st.sampled_from(
    (ONE, TWO, THREE, CLASS, "LIMIT = 3\n", "# note\n", "import os\n", SKIP + ONE, TWO.replace("5", "6"))
)
WILD = st.sampled_from(
    (
        '"""',
        "'''",
        '"',
        "'",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\\\n",
        "\\",
        "#",
        "\n",
        "f",
        "    ",
        "@x\n",
        "def test_w():\n",
        " pass\n",
        "class T:\n",
        "x",
        " = ",
        "else:\n",
    )
)


@given(st.lists(PIECES, max_size=6), st.lists(PIECES, max_size=6))
def test_nothing_that_is_found_on_whole_files_is_hidden(old: list[str], new: list[str]) -> None:
    reduced(HEAD + "".join(old), HEAD + "".join(new))


@given(st.lists(WILD, max_size=24).map("".join))
def test_statements_start_where_python_says(text: str) -> None:
    chunks = split_module(text.encode())
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    if chunks is None:
        return
    assert text.encode() == b"".join(chunk.text + chunk.gap for chunk in chunks)
    lines = {node.lineno for node in tree.body}
    at = 1
    for chunk in chunks:
        if chunk.text and not chunk.text.lstrip(b"\n").startswith((b"\\", b" ", b"#")):
            assert at + chunk.text[: chunk.head].count(b"\n") in lines
        at += (chunk.text + chunk.gap).count(b"\n")


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_any_bytes(old: bytes, new: bytes) -> None:
    left = reduce_pair(old, new)
    assert [old.count(b"\n"), new.count(b"\n")] == [part.count(b"\n") for part in left]


def test_an_import_that_stood_there_twice_and_is_gone_reaches_who_uses_it() -> None:
    old, new = reduced("from shop import price\n" * 2 + MANY_PRICED, MANY_PRICED)
    assert "def test_priced_3" in old
    assert "def test_priced_3" in new


def test_very_many_names_that_changed_and_are_used_nowhere_hold_nothing() -> None:
    names = "".join(f"value_{at} = 1\n" for at in range(300))
    tests = "".join(f"def test_far_{at}():\n    assert total([{at}]) == {at} + offset\n\n\n" for at in range(300))
    _, new = reduced(HEAD + names + tests, HEAD + names.replace("1\n", "2\n") + tests)
    assert 1 == new.count("def test_far_")


def test_what_changed_nearly_everywhere_is_left_as_it_is() -> None:
    names = "".join(f"value_{at} = 1\n" for at in range(300))
    assert (names, names.replace(" 1", " 2")) == reduced(names, names.replace(" 1", " 2"))
