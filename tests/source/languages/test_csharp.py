"""C#: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "CalcTests.cs"
STATES = {
    "runs": {
        "plain": "public class CalcTests { [Fact] public void a() { Assert.Equal(3, F()); } }",
        "a function inside": (
            "public class CalcTests { [Fact] public void a() { int G() { return 3; } Assert.Equal(G(), F()); } }"
        ),
        "a name": (
            'public class CalcTests { [Fact(DisplayName = "Skip it")] public void a() { Assert.Equal(3, F()); } }'
        ),
        "on another system": (
            "public class CalcTests { [Fact] public void a() { if (OperatingSystem.IsWindows()) return; Assert."
            "Equal(3, F()); } }"
        ),
        "an attribute of its own": "public class CalcTests { [SlowFact] public void a() { Assert.Equal(3, F()); } }",
        "passes at its end": (
            "public class CalcTests { [Test] public void a() { Assert.AreEqual(3, F()); Assert.Pass(); } }"
        ),
    },
    "skipped": {
        "Skip": 'public class CalcTests { [Fact(Skip = "x")] public void a() { Assert.Equal(3, F()); } }',
        "Ignore beside Test": (
            'public class CalcTests { [Test, Ignore("x")] public void a() { Assert.AreEqual(3, F()); } }'
        ),
        "Ignore of the class": (
            '[Ignore("x")] public class CalcTests { [Test] public void a() { Assert.AreEqual(3, F()); } }'
        ),
        "Explicit": "public class CalcTests { [Test] [Explicit] public void a() { Assert.AreEqual(3, F()); } }",
        "in the body": (
            'public class CalcTests { [Test] public void a() { Assert.Inconclusive("x"); Assert.AreEqual(3, F()); } }'
        ),
        "passes before it checks": (
            "public class CalcTests { [Test] public void a() { Assert.Pass(); Assert.AreEqual(3, F()); } }"
        ),
        "assumes the result": (
            "public class CalcTests { [Test] public void a() { Assume.That(F(1) == 3); Assert.AreEqual(3, F(1)); } }"
        ),
    },
    "conditional": {
        "a platform": (
            'public class CalcTests { [Test, Platform("Win")] public void a() { Assert.AreEqual(3, F()); } }'
        ),
    },
    "not-collected": {
        "no attribute": "public class CalcTests { public void a() { Assert.Equal(3, F()); } }",
        "not compiled": (
            "#if false\npublic class CalcTests { [Fact] public void a() { Assert.Equal(3, F()); } }\n#endif"
        ),
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = "public class CalcTests {{ [Test] public void a() {{ {} }} }}"
CHECKS = {
    "(await F()).Should().Be(3);": ("(await F())", "==", "3", "exact"),
    "Assert.Equal(3, F());": ("F()", "==", "3", "exact"),
    "Assert.That(F(), Is.EqualTo(3));": ("F()", "==", "3", "exact"),
    "Assert.That(F(), Is.Not.Null);": ("F()", "not Null", "", "present"),
    "F().Should().Be(3);": ("F()", "==", "3", "exact"),
    "F().ShouldBe(3);": ("F()", "==", "3", "exact"),
    "Assert.Equal(3.0, F(), 1);": ("F()", "is near", "3.0", "close"),
    "Assert.InRange(F(), 2.5, 3.5);": ("F()", "is near", "3", "close"),
    "Assert.That(F(), Is.EqualTo(3).Or.Null);": ("F()", "Or", "", "sought"),
    "Assert.NotNull(F());": ("F()", "NotNull", "", "present"),
    "Warn.If(F() != 3);": ("", "Warn.If", "", "none"),
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


def test_what_is_recorded_fails_nothing() -> None:
    (kept,) = assertions(PATH, SHAPE.format("_ = Record.Exception(() => Assert.Equal(3, F()));"))
    told, _ = assertions(PATH, SHAPE.format("var e = Record.Exception(() => Assert.Equal(3, F())); Assert.Null(e);"))
    assert ("what fails here is caught and goes nowhere", "") == (kept.void, told.void)
