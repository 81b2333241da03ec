"""Tests of other languages than Python that are made to be slow to read, one reader at a time."""

from __future__ import annotations

from collections.abc import Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Path, name, head, part that is repeated, tail.
    Row = tuple[str, str, str, str, str]

_DEEP = 20


def language_shapes() -> Iterator[Row]:
    """Every such shape."""
    yield from _javascript()
    yield from _compiled()
    yield from _scripted()


def _javascript() -> Iterator[Row]:
    path = "a.test.js"
    yield path, "guards", "", "(a%d ? it : it.skip)('t%d', () => { expect(f()).toBe(1) });\n", ""
    yield path, "skips in tests", "", "it('t%d', function () { if (a%d) this.skip(); expect(f()).toBe(1) });\n", ""
    yield path, "early returns", "", "it('t%d', () => { if (a%d) return; expect(f()).toBe(1) });\n", ""
    yield path, "early returns in one test", "it('t', () => {\n", "if (a%d) return; expect(f()).toBe(1);\n", "});\n"
    yield (
        path,
        "hooks",
        "",
        "beforeEach(() => { if (a%d) pending() });\nit('t%d', () => { expect(f()).toBe(1) });\n",
        "",
    )
    yield path, "variables", "it('t', () => {\n", "const a%d = f(%d); expect(a%d).toBe(1);\n", "});\n"
    yield path, "names of one name", "const a0 = it.skip;\n", "const a%d = a0;\n", "a9('t', () => {});\n"
    yield path, "tests and calls", "", "it('t%d', () => { q.add(a%d); q.run(b); expect(f()).toBe(1) });\n", ""
    yield path, "no syntax: quotes", "", "'.' ", ""
    yield path, "no syntax: closing brackets", "", '"], ', ""
    yield path, "no syntax: items of nothing", "", "  a%d: 0,\n", ""
    yield path, "rows", "", "test.each([[1, 2], [3, 4]])('t%d', (a, b) => { expect(a).toBe(b) })\n", ""
    yield path, "matchers of one's own", "", "expect.extend({ toBe%d() { return { pass: true } } });\n", ""
    yield path, "mocks", "", "jest.mock('a%d', () => ({ f: () => 1 }));\n", ""
    yield path, "caught assertions", "", "it('t%d', () => { try { expect(f()).toBe(1) } catch (e) {} });\n", ""
    yield (
        path,
        "conditions of or",
        "",
        "it('t%d', () => { if (a" + " || a" * 60 + ") return; expect(f()).toBe(1) });\n",
        "",
    )
    yield (
        path,
        "nested conditions",
        "",
        "it('t%d', () => { " + "if (a) { " * 18 + "expect(1).toBe(1)" + " }" * 18 + " });\n",
        "",
    )
    yield path, "promises", "", "it('t%d', () => { f().then((a) => { expect(a).toBe(1) }) });\n", ""
    yield path, "loops", "", "for (const a of [1, 2]) { it(`t${a}%d`, () => { expect(a).toBe(1) }) }\n", ""


def _compiled() -> Iterator[Row]:
    path = "a_test.cpp"
    yield path, "skips", "", "TEST(A, T%d) { GTEST_SKIP(); EXPECT_EQ(1, f()); }\n", ""
    yield path, "disabled tests", "", "TEST(A, DISABLED_T%d) { EXPECT_EQ(1, f()); }\n", ""
    yield path, "conditions", "", "TEST(A, T%d) { if (a%d) GTEST_SKIP(); EXPECT_EQ(1, f()); }\n", ""
    yield path, "conditions of the preprocessor", "", "#if A%d\nTEST(A, T%d) { EXPECT_EQ(1, f()); }\n#endif\n", ""
    yield path, "nested conditions of the preprocessor", "", "#if A%d\n", "TEST(A, T) { EXPECT_EQ(1, f()); }\n"
    yield (
        path,
        "definitions that tests are made with",
        "",
        "#define T%d(x) TEST(A, x)\nT%d(a) { EXPECT_EQ(1, f()); }\n",
        "",
    )
    yield (
        path,
        "fixtures",
        "",
        "struct F%d : testing::Test { void SetUp() { GTEST_SKIP(); } };\nTEST_F(F%d, A) { EXPECT_EQ(1, f()); }\n",
        "",
    )
    yield path, "helpers", "", "void h%d() { EXPECT_EQ(1, f()); }\nTEST(A, T%d) { h%d(); }\n", ""
    yield path, "instances", "", "INSTANTIATE_TEST_SUITE_P(A%d, B, ::testing::Values(1, 2));\n", ""
    yield path, "sections", 'TEST_CASE("a") {\n', 'SECTION("s%d") { REQUIRE(f() == %d); }\n', "}\n"
    yield path, "test cases", "", 'TEST_CASE("t%d", "[.]") { CHECK(f() == %d); }\n', ""
    yield path, "a long sum", "TEST(A, T) { EXPECT_EQ(1, 0", " + x", "); }\n"
    yield path, "comments", "", "// NOLINTNEXTLINE\n", ""
    yield path, "raw strings", "", 'R"(', ""
    path = "Tests/ATests.swift"
    yield path, "skips", "class A: XCTestCase {\n", "func test%d() throws { throw XCTSkip() }\n", "}"
    yield (
        path,
        "conditions",
        "class A: XCTestCase {\n",
        "func test%d() throws { try XCTSkipIf(a%d); XCTAssertEqual(1, f()) }\n",
        "}",
    )
    yield (
        path,
        "guards",
        "class A: XCTestCase {\n",
        "func test%d() { guard a%d else { return }; XCTAssertEqual(1, f()) }\n",
        "}",
    )
    yield path, "traits", "", "@Test(.disabled()) func t%d() { #expect(f() == 1) }\n", ""
    yield path, "arguments", "", "@Test(arguments: [1, 2]) func t%d(a: Int) { #expect(a == 1) }\n", ""
    yield (
        path,
        "suites in suites",
        "",
        "@Suite struct S%d { " * _DEEP + "@Test func t() { #expect(f() == 1) } " + "} " * _DEEP + "\n",
        "",
    )
    yield path, "closures", "class A: XCTestCase {\n", "func test%d() { f { a in XCTAssertEqual(1, a) } }\n", "}"
    path = "src/lib.rs"
    yield path, "examples", "", "/// ```\n/// assert_eq!(f(), %d);\n/// ```\npub fn f%d() {}\n", ""
    yield path, "conditions", "", "#[cfg_attr(a%d, ignore)]\n#[test]\nfn t%d() { assert!(f()); }\n", ""
    yield (
        path,
        "nested modules",
        "",
        "#[cfg(test)] mod m%d { " * _DEEP + "#[test] fn t() { assert!(f()); } " + "} " * _DEEP + "\n",
        "",
    )
    yield path, "early returns", "", "#[test]\nfn t%d() { if a%d { return; } assert!(f()); }\n", ""
    yield (
        path,
        "macros that make tests",
        "macro_rules! m { ($n:ident) => { #[test] fn $n() { assert!(f()); } } }\n",
        "m!(t%d);\n",
        "",
    )
    path = "src/test/java/ATest.java"
    yield path, "assumptions", "class ATest {\n", "@Test void t%d() { assumeTrue(a%d); assertEquals(1, f()); }\n", "}"
    yield (
        path,
        "conditions",
        "class ATest {\n",
        '@EnabledIfEnvironmentVariable(named = "A%d", matches = "b") @Test void t%d() { assertEquals(1, f()); }\n',
        "}",
    )
    yield (
        path,
        "rows",
        "class ATest {\n@ParameterizedTest @ValueSource(ints = {",
        "%d, ",
        "}) void t(int a) { assertEquals(1, a); }\n}",
    )
    yield (
        path,
        "lines of rows",
        "class ATest {\n@ParameterizedTest @CsvSource({",
        '"a%d, b", ',
        "}) void t(String a) { assertEquals(1, a); }\n}",
    )
    yield (
        path,
        "nested groups",
        "",
        "class A%d { "
        + "@Nested class B { " * _DEEP
        + "@Test void t() { assertEquals(1, f()); } "
        + "} " * _DEEP
        + "}\n",
        "",
    )
    yield (
        path,
        "caught assertions",
        "class ATest {\n",
        "@Test void t%d() { try { assertEquals(1, f()); } catch (Error e) { } }\n",
        "}",
    )
    yield path, "helpers", "class ATest {\n", "void h%d() { assertEquals(1, f()); }\n@Test void t%d() { h%d(); }\n", "}"
    path = "ATest.kt"
    yield path, "imports between classes", "", "import a.b\nclass A%d { @Test fun b() { assertEquals(1, f()) } }\n", ""
    yield path, "names in backticks", "class ATest {\n", "@Test fun `a b %d`() { assertEquals(1, f()) }\n", "}"
    yield path, "specs", "class A : StringSpec({\n", '"t%d" { f() shouldBe %d }\n', "})"
    yield path, "specs that are off", "class A : FunSpec({\n", 'xtest("t%d") { f() shouldBe %d }\n', "})"
    yield (
        path,
        "nested specs",
        "class A : DescribeSpec({\n",
        'describe("a%d") { ' * _DEEP + 'it("b") { f() shouldBe 1 } ' + "} " * _DEEP + "\n",
        "})",
    )
    path = "ATests.cs"
    yield path, "skips", "class ATests {\n", '[Fact(Skip = "a%d")] public void T%d() { Assert.Equal(1, f()); }\n', "}"
    yield (
        path,
        "rows",
        "class ATests {\n[Theory]\n",
        "[InlineData(%d)]\n",
        "public void T(int a) { Assert.Equal(1, a); } }",
    )
    yield (
        path,
        "conditions of the preprocessor",
        "class ATests {\n",
        "#if A%d\n[Fact] public void T%d() { Assert.Equal(1, f()); }\n#endif\n",
        "}",
    )
    path = "ASpec.scala"
    yield path, "classes", "", 'class A%d extends FunSuite { test("t") { assert(f() == 1) } }\n', ""
    yield path, "ignored tests", "class A extends FunSuite {\n", 'ignore("t%d") { assert(f() == %d) }\n', "}"
    yield path, "words", "class A extends WordSpec {\n", '"a%d" should { "b" in { assert(f() == 1) } }\n', "}"
    yield (
        path,
        "nested words",
        "class A extends WordSpec {\n",
        '"a%d" when { ' * _DEEP + '"b" in { assert(f() == 1) } ' + "} " * _DEEP + "\n",
        "}",
    )
    yield path, "assumptions", "class A extends FunSuite {\n", 'test("t%d") { assume(a%d); assert(f() == 1) }\n', "}"
    yield (
        path,
        "interpolated strings",
        "class A extends FunSuite {\n",
        'test(s"t${a%d}") { assert(s"${f()}" == "1") }\n',
        "}",
    )
    path = "a_test.go"
    yield (
        path,
        "conditions",
        "package a\n",
        "func Test%d(t *testing.T) { if a%d { t.Skip() }; if f() != 1 { t.Fatal() } }\n",
        "",
    )
    yield path, "examples", "package a\n", "func Example%d() { fmt.Println(f())\n// Output: %d\n}\n", ""
    yield path, "build constraints", "//go:build a", " && b%d", "\npackage a\n"


def _scripted() -> Iterator[Row]:
    path = "a_spec.rb"
    yield path, "pending examples", "", "xit('t%d') { expect(f).to eq(%d) }\n", ""
    yield path, "skips", "", "it('t%d') { skip if a%d; expect(f).to eq(1) }\n", ""
    yield path, "metadata", "", "it('t%d', skip: a%d) { expect(f).to eq(1) }\n", ""
    yield (
        path,
        "shared examples",
        "",
        "shared_examples('s%d') { it('a') { expect(f).to eq(1) } }\ninclude_examples 's%d'\n",
        "",
    )
    yield path, "values", "", "let(:a%d) { f(%d) }\n", "it('t') { expect(a9).to eq(1) }\n"
    yield path, "hooks", "", "before { skip if a%d }\nit('t%d') { expect(f).to eq(1) }\n", ""
    yield path, "frozen time", "", "it('t%d') { Timecop.freeze(Time.now) { expect(f).to eq(%d) } }\n", ""
    yield path, "rescued assertions", "", "it('t%d') { begin; expect(f).to eq(1); rescue; end }\n", ""
    yield path, "here-documents", "", "a%d = <<~E\n  b\nE\n", ""
    path = "tests/ATest.php"
    head = "<?php class ATest extends TestCase {\n"
    yield path, "skips", head, "function testA%d() { $this->markTestSkipped(); $this->assertSame(1, f()); }\n", "}"
    yield (
        path,
        "conditions",
        head,
        "function testA%d() { if ($a%d) { $this->markTestSkipped(); } $this->assertSame(1, f()); }\n",
        "}",
    )
    yield (
        path,
        "rows",
        f"{head}function rows() {{ return [\n",
        "[%d, 2],\n",
        "]; }\n#[DataProvider('rows')] function testA($a, $b) { $this->assertSame($a, $b); } }",
    )
    yield path, "annotations", head, "/** @test @group a%d */ function a%d() { $this->assertSame(1, f()); }\n", "}"
    yield (
        path,
        "one long annotation",
        f"{head}/** ",
        "@group a ",
        "*/ function testA() { $this->assertSame(1, f()); } }",
    )
    yield path, "functions of Pest", "<?php\n", "it('t%d', function () { expect(f())->toBe(%d); })->skip();\n", ""
    shared = "  it_behaves_like 'a%d'\n"
    yield "spec/a_spec.rb", "shared examples", "RSpec.describe A do\n", shared, "end\n"
    path = "test/a_test.exs"
    head = "defmodule ATest do\n"
    yield path, "tags", head, '@tag :skip\ntest "t%d" do assert f() == %d end\n', "end"
    yield path, "many tags", head, "@tag a%d: 1\n", 'test "t" do assert f() == 1 end\nend'
    yield path, "groups", head, 'describe "a%d" do\ntest "b" do assert f() == 1 end\nend\n', "end"
    yield path, "tests in a loop", head, 'for a <- [1] do test "t%d #{a}" do assert f() == 1 end end\n', "end"
    yield path, "examples", head, "doctest A%d\n", "end"
    yield path, "pipes", f'{head}test "t" do assert 1', " |> f()", " == 1 end end"
    path = "a_test.dart"
    yield path, "skips", "void main() {\n", "test('t%d', () { expect(f(), 1); }, skip: a%d);\n", "}"
    yield (
        path,
        "groups in groups",
        "void main() {\n",
        "group('g%d', () { " * _DEEP + "test('a', () { expect(f(), 1); }); " + "}); " * _DEEP + "\n",
        "}",
    )
    yield path, "tags", "", "@Tags(['a%d'])\n", "void main() { test('t', () { expect(f(), 1); }); }"
    yield path, "interpolated strings", "void main() {\n", "test('t$a${b}%d', () { expect('${f()}', '1'); });\n", "}"
    path = "test/a.bats"
    yield path, "skips", "", '@test "t%d" { skip; [ $(f) = %d ]; }\n', ""
    yield path, "conditions", "", '@test "t%d" { [ -n "$A%d" ] || skip; [ $(f) = 1 ]; }\n', ""
    yield path, "helpers", "", 'h%d() { [ $(f) = 1 ]; }\n@test "t%d" { h%d; }\n', ""
    yield path, "tests without end", "", '@test "t%d" {\n', ""
    yield path, "quotes in names", "", '@test "', ""
