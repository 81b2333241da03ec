"""Java: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "src/test/java/CalcTest.java"
STATES = {
    "runs": {
        "plain": "class CalcTest { @Test void a() { assertEquals(3, f()); } }",
        "enabled": "class CalcTest { @Test(enabled = true, timeOut = 10) void a() { assertEquals(3, f()); } }",
        "a name": 'class CalcTest { @DisplayName("disabled") @Test void a() { assertEquals(3, f()); } }',
        "what always holds": (
            'class CalcTest { @Test void a() { assumeTrue(System.getProperty("os.name") != null); assertEqual'
            "s(3, f()); } }"
        ),
        "always set": (
            'class CalcTest { @EnabledIfSystemProperty(named = "java.version", matches = ".*") @Test void a'
            "() { assertEquals(3, f()); } }"
        ),
        "what it expects to be thrown": (
            "class CalcTest { @Test(expected = IllegalArgumentException.class) public void a() { f(); } }"
        ),
        "a message before what never holds": (
            'class CalcTest { @Test public void a() { assumeFalse("no data", false); assertEquals(3, f()); } }'
        ),
        "a nested class": (
            "import org.junit.jupiter.api.*;\n"
            "class CalcTest { @Nested class B { @Test void a() { assertEquals(3, f()); } } }"
        ),
        "of JUnit 3": "class CalcTest extends TestCase { public void testA() { assertEquals(3, f()); } }",
    },
    "skipped": {
        "Disabled": "class CalcTest { @Disabled @Test void a() { assertEquals(3, f()); } }",
        "Ignore of the class": '@Ignore("x") class CalcTest { @Test public void a() { assertEquals(3, f()); } }',
        "a full name": (
            'class CalcTest { @org.junit.jupiter.api.Disabled("x") @Test void a() { assertEquals(3, f()); } }'
        ),
        "enabled = false": "class CalcTest { @Test(enabled = false) void a() { assertEquals(3, f()); } }",
        "assume false": "class CalcTest { @Test void a() { assumeTrue(false); assertEquals(3, f()); } }",
        "assume the result": (
            "class CalcTest { @Test void a() { Assume.assumeTrue(f() == 3); assertEquals(3, f()); } }"
        ),
        "thrown": (
            'class CalcTest { @Test void a() { if (true) throw new SkipException("x"); assertEquals(3, f()); } }'
        ),
        "in a set-up": (
            "class CalcTest { @BeforeEach void b() { Assumptions.assumeFalse(true); } @Test void a() { assertEq"
            "uals(3, f()); } }"
        ),
    },
    "conditional": {
        "a message before a condition": (
            'class CalcTest { @Test public void a() { assumeFalse("no data", DATA.isEmpty()); assertEquals(3, f()); } }'
        ),
        "a version, beside a result of one letter": (
            "class CalcTest { @Test void a() { assumeTrue(Runtime.version().feature() <= 17);"
            " var e = assertThrows(X.class, () -> f()); assertThat(e).isNotNull(); } }"
        ),
        "environment": (
            'class CalcTest { @EnabledIfEnvironmentVariable(named = "X", matches = "1") @Test void a() { as'
            "sertEquals(3, f()); } }"
        ),
        "an abstract class": "abstract class CalcTest { @Test void a() { assertEquals(3, f()); } }",
        "assume": "class CalcTest { @Test void a() { assumeTrue(hasDocker); assertEquals(3, f()); } }",
    },
    "not-collected": {
        "an inner class without Nested": (
            "import org.junit.jupiter.api.*;\nclass CalcTest { class B { @Test void a() { assertEquals(3, f()); } } }"
        ),
        "no annotation": "class CalcTest { void a() { assertEquals(3, f()); } }",
    },
    "expected-fail": {
        "an error of an assertion": (
            "class CalcTest { @Test(expectedExceptions = AssertionError.class) public void a() { assertEquals(3"
            ", f()); } }"
        ),
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = "class CalcTest {{ @Test void a() {{ {} }} }}"
CHECKS = {
    "assertArrayEquals(ONE, f());": ("f()", "==", "ONE", "exact"),
    "assertThat(f().contains(3)).isTrue();": ("f()", "contains", "3", "sought"),
    "assertThat(f().isThin()).isTrue();": ("f().isThin()", "==", "true", "exact"),
    "assertEquals(3, f());": ("f()", "==", "3", "exact"),
    'assertEquals("why", 3, f());': ("f()", "==", "3", "exact"),
    "assertEquals(3.0, f(), 0.1);": ("f()", "is near", "3.0", "close"),
    "assertEquals(3.0, f(), 0);": ("f()", "==", "3.0", "exact"),
    "assertTrue(f().isEmpty());": ("f()", "==", "empty", "exact"),
    "assertThat(f(), anyOf(is(3), is(4)));": ("f()", "anyOf", "is(3),is(4)", "sought"),
    'assertThat(f()).as("why").isEqualTo(3);': ("f()", "==", "3", "exact"),
    "assertThatThrownBy(() -> f()).isInstanceOf(X.class);": ("()->f()", "isInstanceOf", "X.class", "sought"),
    "try { f(); fail(); } catch (X e) { }": ("f()", "throws", "X", "present"),
    "assertNotNull(f());": ("f()", "assertNotNull", "", "present"),
    "assertTrue(f() == 3);": ("f()", "==", "3", "exact"),
    "assertThat(f()).isEqualTo(3);": ("f()", "==", "3", "exact"),
    "assertThat(f(), is(not(nullValue())));": ("f()", "not nullValue", "", "present"),
    "assertThat(f(), equalTo(3));": ("f()", "==", "3", "exact"),
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


VOID = {
    "soft assertions that nobody asks": "SoftAssertions s = new SoftAssertions(); s.assertThat(f()).isEqualTo(3);",
    "a function that nothing runs": "Executable e = () -> assertEquals(3, f()); g();",
    "no matcher": 'assertThat(f()).as("why");',
}


@pytest.mark.parametrize("text", VOID.values(), ids=VOID)
def test_what_cannot_fail(text: str) -> None:
    (check,) = assertions(PATH, SHAPE.format(text))
    assert check.void


def test_soft_assertions_that_are_asked() -> None:
    text = "SoftAssertions s = new SoftAssertions(); s.assertThat(f()).isEqualTo(3); s.assertAll();"
    assert "" == assertions(PATH, SHAPE.format(text))[0].void


def test_what_a_try_throws_reaches_its_handlers() -> None:
    text = "try { f(); throw new AssertionError(); } catch (Lost e) { assertThat(e).hasMessageThat().isEqualTo(X); }"
    found = {check.relation: check.void for check in assertions(PATH, SHAPE.format(text))}
    assert "" == found["=="]


def test_a_method_of_an_object_made_in_a_test_is_no_helper_of_others() -> None:
    text = "@Test void b() { new Maker() { T create() { assertNotNull(g()); return null; } }; }"
    tests = assertions(
        PATH, f"class CalcTest {{ {text} @Test void a() {{ assertEquals(3, x.create()); }} }}", whole=True
    )
    assert 1 == len(next(one for one in tests if one.name.endswith("::a")).assertions)
