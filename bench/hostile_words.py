"""Tests of other languages that are made to be slow to compare: rows of one list, stubs, tolerances, differences."""

from __future__ import annotations

from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Path, name, head, part that is repeated, tail.
    Row = tuple[str, str, str, str, str]

_MANY = 400


def word_shapes() -> Iterator[Row]:
    """Every such shape."""
    yield from _of_rows()
    yield from _of_checks()


def _of_rows() -> Iterator[Row]:
    java, csharp, go, php = "src/test/java/ATest.java", "ATests.cs", "a_test.go", "tests/ATest.php"
    arrays = "{1, 2}, " * _MANY
    yield (
        java,
        "tests of one provider",
        f"class ATest {{\n@DataProvider public Object[][] rows() {{ return new Object[][] {{ {arrays} }}; }}\n",
        '@Test(dataProvider = "rows") public void t%d(int a, int b) { assertEquals(a, b); }\n',
        "}",
    )
    yield (
        java,
        "tests of a provider each",
        "class ATest {\n",
        (
            "@DataProvider public Object[][] r%d() { return new Object[][] {{1}}; }\n"
            '@Test(dataProvider = "r%d") public void t%d(int a) { assertEquals(a, 1); }\n'
        ),
        "}",
    )
    yield (
        java,
        "lines of one block",
        'class ATest {\n@ParameterizedTest @CsvSource(textBlock = """\n',
        "%d, a\n",
        '""") void t(int a, String b) { assertEquals(a, b); }\n}',
    )
    objects = "new object[] {1, 2}, " * _MANY
    yield (
        csharp,
        "tests of one member",
        f"class ATests {{\npublic static IEnumerable<object[]> Rows => new List<object[]> {{ {objects} }};\n",
        "[Theory] [MemberData(nameof(Rows))] public void T%d(int a, int b) { Assert.Equal(a, b); }\n",
        "}",
    )
    yield (
        csharp,
        "tests of a member each",
        "class ATests {\n",
        (
            "public static object[] R%d = { new object[] {1} };\n"
            "[Theory] [MemberData(nameof(R%d))] public void T%d(int a) { Assert.Equal(a, 1); }\n"
        ),
        "}",
    )
    yield csharp, "members without an end", "class ATests {\n", "public static object R%d => (\n", "}"
    table = "{1, 2}, " * _MANY
    yield (
        go,
        "tests of one table",
        f"package a\nvar rows = []struct{{ a, b int }}{{{table}}}\n",
        "func TestA%d(t *testing.T) { for _, c := range rows { if c.a != c.b { t.Fatal() } } }\n",
        "",
    )
    yield go, "tables in one test", "package a\nfunc TestA(t *testing.T) {\n", 'f(map[string]a{"x": {1}})\n', "}"
    yield (
        php,
        "tests of one provider",
        "<?php class ATest extends TestCase {\npublic static function rows(): array { return ["
        + "[1, 2], " * _MANY
        + "]; }\n",
        "/** @dataProvider rows */\npublic function testA%d($a, $b): void { self::assertSame($a, $b); }\n",
        "}",
    )
    yield (
        "a_test.cpp",
        "suites of one name",
        "",
        "INSTANTIATE_TEST_SUITE_P(A%d, B, ::testing::Values(1));\nTEST_P(B, T%d) { EXPECT_EQ(1, GetParam()); }\n",
        "",
    )


def _of_checks() -> Iterator[Row]:
    java, go = "src/test/java/ATest.java", "a_test.go"
    yield (
        java,
        "answers in one test",
        "class ATest {\n@Test void t() {\n",
        "when(a%d.f()).thenReturn(1); assertEquals(1, a%d.f());\n",
        "}\n}",
    )
    yield (
        java,
        "answers without an end",
        "class ATest {\n@Test void t() {\n",
        "when( \n",
        "assertEquals(1, a.f()); }\n}",
    )
    yield (
        "ATests.cs",
        "calls that may return",
        "class ATests {\n[Fact] public void T() {\n",
        "a.F(b%d); ",
        "a.G().Returns(1); Assert.Equal(1, a.G()); }\n}",
    )
    yield (
        go,
        "differences",
        "package a\nfunc TestA(t *testing.T) {\n",
        'd%d := cmp.Diff(a, b)\nif d%d != "" { t.Fatal() }\n',
        "}",
    )
    yield (
        go,
        "a difference of differences",
        "package a\nfunc TestA(t *testing.T) { if math.Abs(a",
        "-b",
        ") > 1 { t.Fatal() } }",
    )
    yield (
        go,
        "conditions of and",
        "package a\nfunc TestA(t *testing.T) {\n",
        "if a%d != nil" + " && b" * 40 + " { t.Fatal() }\n",
        "}",
    )
    yield (
        "src/lib.rs",
        "patterns",
        "#[cfg(test)] mod t { #[test] fn a() {\n",
        "assert!(matches!(f(), A(b, c, d) if b == 1 && c == 2 && d == %d));\n",
        "} }",
    )
    yield (
        "ATest.kt",
        "what may not be there",
        "class A : StringSpec({\n",
        '"t%d" { a?.let { b -> b?.also { it shouldBe 1 } } }\n',
        "})",
    )
    yield "ATest.kt", "a chain of what may not be there", 'class A : StringSpec({ "a" { a', "?.b", " shouldBe 1 } })"
    yield (
        "Tests/ATests.swift",
        "symbols",
        "class A: XCTestCase {\n",
        "#if A%d\nfunc test%d() { XCTAssertEqual(1, f()) }\n#endif\n",
        "}",
    )
    yield (
        "Tests/ATests.swift",
        "expectations",
        "class A: XCTestCase { func testA() {\n",
        "e%d.isInverted = true\nf { a in XCTAssertEqual(a, 1); e%d.fulfill() }\n",
        "} }",
    )
    yield "a_test.cpp", "symbols", "", "#ifdef A%d\nTEST(A, T%d) { EXPECT_EQ(1, f()); }\n#endif\n", ""
    yield "spec/a_spec.rb", "tests that are tried again", "", "it('t%d', retry: 3) { expect(f).to eq(1) }\n", ""
