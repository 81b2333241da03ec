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
    'assert_output "3"': ('"$output"', "==", '"3"', "exact"),
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


SCRIPT = "tests/t_slug.sh"
HEARD = {
    "under -e": ('set -eu\n[ "$out" = x ]\necho done\n', ""),
    "with -e in the first line": ('#!/bin/sh -e\n[ "$out" = x ]\necho done\n', ""),
    "last": ('[ "$out" = x ]\n', ""),
    "with an alternative": ('[ "$out" = x ] || { echo no; exit 1; }\necho done\n', ""),
    "followed": ('set -u\n[ "$out" = x ]\necho done\n', "nothing looks at its status"),
    "followed by what tells": ('[ "$out" = x ] && echo good\necho done\n', "nothing looks at its status"),
}


@pytest.mark.parametrize(("text", "void"), HEARD.values(), ids=HEARD)
def test_a_script_among_tests_is_one_test(text: str, void: str) -> None:
    assert {"t_slug.sh": "runs"} == states(SCRIPT, text)
    (check,) = assertions(SCRIPT, text)
    assert ('"$out"', "==", "x", void) == (check.subject, check.relation, check.expected, check.void)


@pytest.mark.parametrize("path", ["tests/helpers.sh", "tests/run-tests.sh", "bin/t_slug.sh", "tests/setup_db.sh"])
def test_no_test_is_seen_in_other_scripts(path: str) -> None:
    assert {} == states(path, 'set -e\n[ "$out" = x ]\n')


def test_what_run_is_given_to_compare_fails_nothing() -> None:
    (check,) = assertions(PATH, SHAPE.format("run [ -f x ]"))
    assert "nothing looks at its status" == check.void


def test_a_function_that_was_a_test_is_not_collected() -> None:
    text = '@test "a" {\n run f\n [ $status = 0 ]\n}\nb() {\n run g\n [ $status = 0 ]\n}\n'
    assert {"a": "runs", "b": "not-collected"} == states(PATH, text)
    assert {"a": "runs"} == states(PATH, text.replace("run f", "b"))
