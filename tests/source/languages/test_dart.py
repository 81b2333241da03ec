"""Dart: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "test/calc_test.dart"
STATES = {
    "runs": {
        "plain": "void main() { test('a', () { expect(f(), 3); }); }",
        "a function inside": "void main() { test('a', () { int g() { return 3; } expect(f(), g()); }); }",
        "tags": "void main() { test('a', () { expect(f(), 3); }, tags: 'skip'); }",
        "on another system": "void main() { test('a', () { expect(f(), 3); }, skip: Platform.isWindows); }",
    },
    "skipped": {
        "skip": "void main() { test('a', () { expect(f(), 3); }, skip: true); }",
        "skip with a reason": "void main() { test('a', () { expect(f(), 3); }, skip: 'x'); }",
        "a group": "void main() { group('s', () { test('a', () { expect(f(), 3); }); }, skip: 'x'); }",
        "a file": "@Skip('x')\nlibrary;\nvoid main() { test('a', () { expect(f(), 3); }); }",
        "on the platform of the gate": (
            "void main() { test('a', () { expect(f(), 3); }, onPlatform: const {'vm': Skip('x')}); }"
        ),
        "in the body": "void main() { test('a', () { markTestSkipped('x'); expect(f(), 3); }); }",
    },
    "conditional": {
        "a guard": "void main() { test('a', () { expect(f(), 3); }, skip: isCI); }",
    },
    "not-collected": {
        "solo": "void main() { test('a', () { expect(f(), 3); }); solo_test('b', () { expect(f(), 3); }); }",
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = "void main() {{ test('a', () {{ {} }}); }}"
CHECKS = {
    "expect(f(), 3);": ("f()", "==", "3", "exact"),
    "expect(f(), equals(3));": ("f()", "==", "3", "exact"),
    "expect(f(), allOf(isA<int>(), equals(3)));": ("f()", "==", "3", "exact"),
    "expect(f(), anyOf(equals(3), equals(4)));": ("f()", "anyOf", "equals(3),equals(4)", "sought"),
    "expect(one is Shape, isTrue);": ("one", "is", "Shape", "type"),
    "expect(f(), isA<Shape>());": ("f()", "is", "Shape", "type"),
    "expectAsync1((v) { g(v); }, count: 2);": ("(v){g(v)}", "count:2", "", "exact"),
    "expect(f(), isNotNull);": ("f()", "isNotNull", "", "present"),
    "expect(f(), closeTo(3, 0.1));": ("f()", "is near", "3", "close"),
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
