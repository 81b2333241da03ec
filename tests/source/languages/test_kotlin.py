"""Kotlin: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "CalcTest.kt"
STATES = {
    "runs": {
        "JUnit": "class CalcTest { @Test fun `a`() { assertEquals(3, f()) } }",
        "kotest": 'class CalcTest : FunSpec({ test("a xtest") { f() shouldBe 3 } })',
        "a title alone": 'class CalcTest : StringSpec({ "a" { f() shouldBe 3 } })',
        "enabled": 'class CalcTest : FunSpec({ test("a").config(enabled = true) { f() shouldBe 3 } })',
    },
    "skipped": {
        "Ignore": "class CalcTest { @Ignore @Test fun a() { assertEquals(3, f()) } }",
        "xtest": 'class CalcTest : FunSpec({ xtest("a") { f() shouldBe 3 } })',
        "a group": 'class CalcTest : FunSpec({ xcontext("s") { test("a") { f() shouldBe 3 } } })',
        "config": 'class CalcTest : FunSpec({ test("a").config(enabled = false) { f() shouldBe 3 } })',
    },
    "conditional": {
        "a variable": (
            'class CalcTest : FunSpec({ test("a").config('
            'enabledIf = { System.getenv("DB") != null }) { f() shouldBe 3 } })'
        ),
        "assume": "class CalcTest { @Test fun a() { assumeTrue(hasDocker); assertEquals(3, f()) } }",
    },
    "not-collected": {
        "no annotation": "class CalcTest { fun a() { assertEquals(3, f()) } }",
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = 'class CalcTest : FunSpec({{ test("a") {{ {} }} }})'
CHECKS = {
    "f() shouldBe 3": ("f()", "==", "3", "exact"),
    "f() shouldNotBe null": ("f()", "not equals", "null", "present"),
    "f() shouldBe (3.0 plusOrMinus 0.5)": ("f()", "is near", "3.0", "close"),
    "assertIs<Shape<Int>>(f())": ("f()", "assertIs", "Shape<Int>", "type"),
    "assertFailsWith<Lost> { f() }": ("{f()}", "assertFailsWith", "Lost", "sought"),
    "f().shouldBeTrue()": ("f()", "==", "true", "exact"),
    "assertEquals(3, f())": ("f()", "==", "3", "exact"),
    "assertThat(f()).isEqualTo(3)": ("f()", "==", "3", "exact"),
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


def test_what_is_caught_fails_nothing() -> None:
    (kept,) = assertions(PATH, SHAPE.format("runCatching { f() shouldBe 3 }.onFailure { println(it) }"))
    (told,) = assertions(PATH, SHAPE.format("runCatching { f() shouldBe 3 }.getOrThrow()"))
    assert ("what fails here is caught and goes nowhere", "") == (kept.void, told.void)
