"""Scala: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "CalcSpec.scala"
STATES = {
    "runs": {
        "FunSuite": 'class S extends AnyFunSuite { test("a; ignore order") { assert(f() == 3) } }',
        "specs2": 'class S extends Specification { "s" should { "a" in real { f() mustEqual 3 } } }',
        "specs2, with a parameter": (
            'class S extends Specification { "s" should { "a" in ticked { implicit t => f() mustEqual 3 } } }'
        ),
        "FlatSpec": 'class S extends AnyFlatSpec { "a" should "do" in { f() shouldBe 3 } }',
    },
    "skipped": {
        "ignore": 'class S extends AnyFunSuite { ignore("a") { assert(f() == 3) } }',
        "ignored spec": 'class S extends AnyFlatSpec { "a" should "do" ignore { f() shouldBe 3 } }',
        "Ignore": '@Ignore class S extends AnyFunSuite { test("a") { assert(f() == 3) } }',
        "munit": 'class S extends FunSuite { test("a".ignore) { assert(f() == 3) } }',
        "specs2, in place of a body": 'class S extends Specification { "s" should { "a" in skipped("x") } }',
        "specs2, nothing to do yet": 'class S extends Specification { "s" should { "a" in pending } }',
        "cancel": 'class S extends AnyFunSuite { test("a") { cancel("x"); assert(f() == 3) } }',
    },
    "conditional": {
        "assume": 'class S extends AnyFunSuite { test("a") { assume(hasDb); assert(f() == 3) } }',
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = 'class S extends AnyFunSuite {{ test("a") {{ {} }} }}'
CHECKS = {
    "assert(f() == 3)": ("f()", "==", "3", "exact"),
    "f() shouldBe 3": ("f()", "==", "3", "exact"),
    "f() must_=== 3": ("f()", "==", "3", "exact"),
    "f() shouldBe (3.0 +- 0.5)": ("f()", "is near", "3.0", "close"),
    "f() should be (3)": ("f()", "==", "3", "exact"),
    "f() should not be null": ("f()", "not equals", "null", "present"),
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
