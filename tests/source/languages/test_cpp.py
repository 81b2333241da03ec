"""C++: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "calc_test.cc"
STATES = {
    "runs": {
        "plain": "TEST(S, a) { EXPECT_EQ(3, f()); }",
        "a guard that never holds": "TEST(S, a) { if (sizeof(int) < 2) GTEST_SKIP(); EXPECT_EQ(3, f()); }",
        "a macro that names it": "#define CASE(name) name\nTEST(S, CASE(a)) { EXPECT_EQ(3, f()); }",
        "Catch2": 'TEST_CASE("a", "[may-be-slow]") { REQUIRE(f() == 3); }',
        "succeeds at its end": "TEST(S, a) { EXPECT_EQ(3, f()); SUCCEED(); }",
    },
    "skipped": {
        "GTEST_SKIP": 'TEST_F(S, a) { GTEST_SKIP() << "x"; EXPECT_EQ(3, f()); }',
        "return": "TEST(S, a) { return; EXPECT_EQ(3, f()); }",
        "doctest": 'TEST_CASE("a" * doctest::skip()) { CHECK(f() == 3); }',
    },
    "conditional": {
        "a guard": "TEST(S, a) { if (!has_gpu()) GTEST_SKIP(); EXPECT_EQ(3, f()); }",
    },
    "not-collected": {
        "disabled by its name": "TEST(S, DISABLED_a) { EXPECT_EQ(3, f()); }",
        "not compiled": "#if 0\nTEST(S, a) { EXPECT_EQ(3, f()); }\n#endif",
        "disabled by a macro": "#define FLAKY(name) DISABLED_##name\nTEST(S, FLAKY(a)) { EXPECT_EQ(3, f()); }",
        "hidden": 'TEST_CASE("a", "[.]") { REQUIRE(f() == 3); }',
    },
    "expected-fail": {
        "may fail": 'TEST_CASE("a", "[x][!mayfail]") { REQUIRE(f() == 3); }',
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = "TEST(S, a) {{ {} }}"
CHECKS = {
    "EXPECT_EQ(3, f());": ("f()", "==", "3", "exact"),
    "ASSERT_TRUE(f() == 3);": ("f()", "==", "3", "exact"),
    'CHECK_MESSAGE(f() == 3, "why");': ("f()", "==", "3", "exact"),
    "EXPECT_SUM(f(), 3);": ("f(),3", "passes EXPECT_SUM", "", "exact"),
    "EXPECT_NEAR(f(), 3.0, 0.1);": ("f()", "is near", "3.0", "close"),
    "EXPECT_NE(f(), nullptr);": ("f()", "EXPECT_NE", "null", "present"),
    "EXPECT_THAT(f(), Eq(3));": ("f()", "==", "3", "exact"),
    "REQUIRE(f() == 3);": ("f()", "==", "3", "exact"),
    "CHECK_NOFAIL(f() == 3);": ("f()", "==", "3", "none"),
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


def test_a_failure_that_is_expected_is_none() -> None:
    *_, check = assertions(PATH, SHAPE.format('EXPECT_NONFATAL_FAILURE(EXPECT_EQ(f(), 3), "");'))
    assert "what fails here is caught and goes nowhere" == check.void
