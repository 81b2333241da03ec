"""Production of which no check can tell two versions apart, and what of the others is read."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.source.python.quiet import Apart, told_apart

PATH = "shop/prices.py"
BASE = """import os
import random

SHOP = "shop"
OPEN = True
DEFAULT = "EUR"
CLOSED = False
DAYS = 7
HOURS = 9
WATCHED = "PYTEST_CURRENT_TEST"


class Price:
    \"\"\"What a thing costs.\"\"\"

    rounding = 2

    def total(self, things):
        return sum(things)

    def first(self, things):
        return things[0]

    def lucky(self):
        return random.random()


def named(price):
    return str(price)


def shown(price):
    return f"{price} {DEFAULT}"


def last(things):
    return things[-1]


def picked(things):
    return random.choice(things)


def untouched(things):
    return sorted(things)
"""


def changed(old: str, new: str) -> Apart | None:
    assert old in BASE
    return told_apart(PATH, BASE.encode(), BASE.replace(old, new).encode())


QUIET = {
    "nothing": ("", ""),
    "another value": ("sum(things)", "sum(things, 1)"),
    "a docstring": ("What a thing costs.", "What it costs, and why."),
    "a new function": ("def shown(", "def added(price):\n    return price\n\n\ndef shown("),
    "a renamed argument": ("def shown(price)", "def shown(amount)"),
    "a constant that no word is about": ('"EUR"', '"USD"'),
    "a class attribute": ("rounding = 2", "rounding = 4"),
}
LOUD = {
    "chance itself": ("random.choice(things)", "things[0]"),
    "a name with a word in it, used": ("return sum(things)", "return 0 if os.environ.get(WATCHED) else sum(things)"),
    "a comment that silences": ("return sum(things)", "return sum(things)  # noqa"),
    "an answer written down": ("return sum(things)", "return 7 if things == [3, 4] else sum(things)"),
    "doctests": ("What a thing costs.", ">>> 1\n    1\n"),
    "a test where none is expected": ("def shown(", "def test_shown(): pass\n\n\ndef shown("),
    "an import of what a word is about": ("import os", "import os, datetime"),
}


@pytest.mark.parametrize(("old", "new"), QUIET.values(), ids=QUIET)
def test_no_check_could_tell_them_apart(old: str, new: str) -> None:
    assert changed(old, new) is None


@pytest.mark.parametrize(("old", "new"), LOUD.values(), ids=LOUD)
def test_what_a_check_looks_for_is_read(old: str, new: str) -> None:
    parts = changed(old, new)
    assert parts is not None
    assert parts.old != parts.new or parts.has_comments


def test_of_a_comment_that_silences_the_code_is_not_read() -> None:
    assert changed("return sum(things)", "return sum(things)  # noqa") == Apart(b"", b"", has_comments=True)


def test_a_word_of_such_comments_outside_of_any_is_nothing() -> None:
    assert changed("return sum(things)", "return sum(ignore(things))") is None


def test_functions_that_say_nothing_go_and_lines_stay_where_they_are() -> None:
    parts = changed("random.choice(things)", "things[0]")
    assert parts is not None
    for part in (parts.old, parts.new):
        assert BASE.count("\n") == part.count(b"\n")
        assert b"def untouched" not in part
        assert b"def shown" not in part
        assert b"import random" in part
        ast.parse(part)
    assert b"random.choice" in parts.old
    assert b"def picked" not in parts.new, "it has no word any more"


def test_a_changed_constant_keeps_what_uses_it() -> None:
    parts = changed("PYTEST_CURRENT_TEST", "PYTEST_VERSION")
    assert parts is not None
    base = BASE.replace("return sorted(things)", "return os.environ.get(WATCHED)").encode()
    kept = told_apart(PATH, base, base.replace(b"PYTEST_CURRENT_TEST", b"PYTEST_VERSION"))
    assert kept is not None
    assert all(b"def untouched" in part for part in (kept.old, kept.new))


def test_a_helper_that_looks_up_variables_stays_beside_a_call_that_names_one() -> None:
    base = BASE.replace("return sorted(things)", "return os.environ.get(things)").encode()
    kept = told_apart(PATH, base, base.replace(b"return sum(things)", b'return untouched("PYTEST_VERSION")'))
    assert kept is not None
    assert all(b"def untouched" in part for part in (kept.old, kept.new))


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_any_bytes(old: bytes, new: bytes) -> None:
    parts = told_apart(PATH, old, new)
    if parts is not None and (parts.old or parts.new):
        assert [old.count(b"\n"), new.count(b"\n")] == [parts.old.count(b"\n"), parts.new.count(b"\n")]
