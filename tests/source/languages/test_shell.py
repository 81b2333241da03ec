"""Shell: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "test/calc.bats"
STATES = {
    "runs": {
        "plain": '@test "a" {\n run f\n [ "$output" = 3 ]\n}',
        "a title": '@test "a (skip header)" {\n run f\n [ "$output" = 3 ]\n}',
    },
    "skipped": {
        "skip": '@test "a" {\n skip later\n run f\n [ "$output" = 3 ]\n}',
        "set-up": 'setup() {\n skip\n}\n@test "a" {\n run f\n [ "$output" = 3 ]\n}',
        "return": '@test "a" {\n return 0\n run f\n [ "$output" = 3 ]\n}',
    },
    "conditional": {
        "a guard": '@test "a" {\n if [ -z "$DB" ]; then skip; fi\n run f\n [ "$output" = 3 ]\n}',
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = '@test "a" {{\n {}\n}}'
CHECKS = {
    '[ "$output" = 3 ]': ('"$output"', "==", "3", "exact"),
    '[ "$status" -eq 0 ]': ('"$status"', "==", "0", "exact"),
    "run -2 f": ('"$status"', "==", "2", "exact"),
    "run --separate-stderr -2 f": ('"$status"', "==", "2", "exact"),
    "run ! f": ('"$status"', "-ne", "0", "bound"),
    '[[ "$output" == *3* ]]': ('"$output"', "==", "*3*", "sought"),
    'assert_output "3"': ('"3"', "assert_output", "", "exact"),
    'assert_output --partial "3"': ('--partial "3"', "assert_output", "", "sought"),
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
