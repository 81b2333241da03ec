"""Swift: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "Tests/CalcTests.swift"
STATES = {
    "runs": {
        "XCTest": "final class CalcTests: XCTestCase { func testA() { XCTAssertEqual(f(), 3) } }",
        "a base of the project's own": "class CalcTests: BaseTestCase { func testA() { XCTAssertEqual(f(), 3) } }",
        "an extension of a class of tests": "extension CalcTests { func testA() { XCTAssertEqual(f(), 3) } }",
        "Testing": 'import Testing\n@Test("a", .timeLimit(.minutes(1))) func a() { #expect(f() == 3) }',
    },
    "skipped": {
        "thrown": (
            'final class CalcTests: XCTestCase { func testA() throws { throw XCTSkip("x")\n XCTAssertEqual(f(), 3) } }'
        ),
        "if true": (
            "final class CalcTests: XCTestCase { func testA() throws { try XCTSkipIf(true)\n XCTAssertEqual(f(), 3) } }"
        ),
        "disabled": 'import Testing\n@Test("a", .disabled("x")) func a() { #expect(f() == 3) }',
        "disabled suite": "import Testing\n@Suite(.disabled()) struct S { @Test func a() { #expect(f() == 3) } }",
    },
    "conditional": {
        "unless": (
            "final class CalcTests: XCTestCase { func testA() throws { try XCTSkipUnless(hasNet)\n XCTAssertEqu"
            "al(f(), 3) } }"
        ),
        "enabled if": "import Testing\n@Test(.enabled(if: hasNet)) func a() { #expect(f() == 3) }",
    },
    "expected-fail": {
        "expected": (
            'final class CalcTests: XCTestCase { func testA() { XCTExpectFailure("x")\n XCTAssertEqual(f(), 3) } }'
        ),
    },
    "not-collected": {
        "a name": "final class CalcTests: XCTestCase { func a() { XCTAssertEqual(f(), 3) } }",
        "a name, with a base of the project's own": (
            "final class CalcTests: BaseTestCase { func disabled_testA() { XCTAssertEqual(f(), 3) } }"
        ),
        "not compiled": (
            "#if false\nfinal class CalcTests: XCTestCase { func testA() { XCTAssertEqual(f(), 3) } }\n#endif"
        ),
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = "final class CalcTests: XCTestCase {{ func testA() {{ {} }} }}"
CHECKS = {
    "XCTAssertEqual(f(), 3)": ("f()", "==", "3", "exact"),
    "XCTAssertEqual(f(), 3.0, accuracy: 0.1)": ("f()", "is near", "3.0", "close"),
    "XCTAssertNotNil(f())": ("f()", "XCTAssertNotNil", "", "present"),
    "XCTAssertTrue(f() == 3)": ("f()", "==", "3", "exact"),
    "#expect(f() == 3)": ("f()", "==", "3", "exact"),
}


@pytest.mark.parametrize(("state", "name", "text"), TABLE, ids=[f"{row[0]}: {row[1]}" for row in TABLE])
def test_states(state: str, name: str, text: str) -> None:
    found = {test.rpartition("::")[2].lower(): now for test, now in states(PATH, text).items()}
    assert state == next(
        now
        for test, now in found.items()
        if test.removeprefix("disabled_").removeprefix("test").lstrip("_").startswith(("a", "checka"))
    )


@pytest.mark.parametrize(("text", "expected"), CHECKS.items(), ids=CHECKS)
def test_what_a_check_says(text: str, expected: tuple[str, str, str, str]) -> None:
    (check,) = assertions(PATH, SHAPE.format(text))
    assert expected == (check.subject, check.relation, check.expected, check.strength)
    assert "" == check.void


def test_a_class_that_inherits_no_test_case_has_none() -> None:
    found = states(PATH, "final class Latest: Base { func testDrive() { drive() } }")
    assert "runs" not in found.values()
