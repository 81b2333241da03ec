"""Elixir: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "test/calc_test.exs"
STATES = {
    "runs": {
        "plain": 'defmodule T do\n test "a" do\n assert f() == 3\n end\nend',
        "another tag": 'defmodule T do\n @tag :slow\n test "a" do\n assert f() == 3\n end\nend',
        "a tag of the test before": (
            'defmodule T do\n @tag :skip\n test "b" do\n assert g()\n end\n test "a" do\n assert f() == 3\n end\nend'
        ),
    },
    "skipped": {
        "tag": 'defmodule T do\n @tag :skip\n test "a" do\n assert f() == 3\n end\nend',
        "tag with a reason": 'defmodule T do\n @tag skip: "x"\n test "a" do\n assert f() == 3\n end\nend',
        "moduletag": 'defmodule T do\n @moduletag :skip\n test "a" do\n assert f() == 3\n end\nend',
        "describetag": (
            'defmodule T do\n describe "s" do\n @describetag :skip\n test "a" do\n assert f() == 3\n end\n end\nend'
        ),
        "excluded": (
            'ExUnit.start(exclude: [:slow])\ndefmodule T do\n @tag :slow\n test "a" do\n assert f() == 3\n end\nend'
        ),
    },
    "not-collected": {
        "no block": 'defmodule T do\n test "a"\nend',
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = 'defmodule T do\n test "a" do\n {}\n end\nend'
CHECKS = {
    "assert f() == 3": ("f()", "==", "3", "exact"),
    "assert {:ok, x} = f()": ("f()", "matches", "{:ok,x}", "present"),
    "assert f()": ("f()", "assert", "", "present"),
    "assert_in_delta f(), 3, 0.1": ("f()", "is near", "3", "close"),
}


@pytest.mark.parametrize(("state", "name", "text"), TABLE, ids=[f"{row[0]}: {row[1]}" for row in TABLE])
def test_states(state: str, name: str, text: str) -> None:
    found = {test.rpartition("::")[2].lower(): now for test, now in states(PATH, text).items()}
    assert state == next(
        now for test, now in found.items() if test.removeprefix("test").lstrip("_").startswith(("a", "checka"))
    )


@pytest.mark.parametrize(("text", "expected"), CHECKS.items(), ids=CHECKS)
def test_what_a_check_says(text: str, expected: tuple[str, str, str, str]) -> None:
    (check,) = assertions(PATH, SHAPE.format(text))
    assert expected == (check.subject, check.relation, check.expected, check.strength)
    assert "" == check.void
