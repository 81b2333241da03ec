"""PHP: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "tests/CalcTest.php"
STATES = {
    "runs": {
        "plain": (
            "<?php class CalcTest extends TestCase { public function testA(): void { $this->assertSame(3, f()); } }"
        ),
        "by a comment": (
            "<?php class CalcTest extends TestCase { /** @test */ public function a(): void { $this->assertSame"
            "(3, f()); } }"
        ),
        "by an attribute": (
            "<?php class CalcTest extends TestCase { #[Test] public function a(): void { $this->assertSame(3, f()); } }"
        ),
        "pest": "<?php it('a', function () { expect(f())->toBe(3); })->group('x');",
    },
    "skipped": {
        "in the body": (
            "<?php class CalcTest extends TestCase { public function testA(): void { $this->markTestSkipped('x'"
            "); $this->assertSame(3, f()); } }"
        ),
        "incomplete": (
            "<?php class CalcTest extends TestCase { public function testA(): void { self::markTestIncomplete()"
            "; $this->assertSame(3, f()); } }"
        ),
        "in a set-up": (
            "<?php class CalcTest extends TestCase { function setUp(): void { $this->markTestSkipped('x'); } pu"
            "blic function testA(): void { $this->assertSame(3, f()); } }"
        ),
        "pest": "<?php it('a', function () { expect(f())->toBe(3); })->skip('x');",
        "todo": "<?php it('a', function () { expect(f())->toBe(3); })->todo();",
    },
    "conditional": {
        "requires": (
            "<?php class CalcTest extends TestCase { #[RequiresPhpExtension('x')] public function testA(): void"
            " { $this->assertSame(3, f()); } }"
        ),
    },
    "not-collected": {
        "a name": (
            "<?php class CalcTest extends TestCase { public function checkA(): void { $this->assertSame(3, f()); } }"
        ),
        "private": (
            "<?php class CalcTest extends TestCase { private function testA(): void { $this->assertSame(3, f()); } }"
        ),
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = "<?php class CalcTest extends TestCase {{ public function testA(): void {{ {} }} }}"
CHECKS = {
    "$this->assertSame(3, f());": ("f()", "==", "3", "exact"),
    "$this->assertIsInt(f());": ("f()", "assertIsInt", "", "type"),
    "self::assertNotNull(f());": ("f()", "assertNotNull", "", "present"),
    "$this->assertTrue(f() === 3);": ("f()", "==", "3", "exact"),
    "expect(f())->toBe(3);": ("f()", "==", "3", "exact"),
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
