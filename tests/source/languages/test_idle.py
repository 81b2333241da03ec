"""Loops that never come round, in the words of several languages."""

from __future__ import annotations

import pytest

from testing.facts import assertions

GO = "package app\nfunc TestA(t *testing.T) {{ {} if f(x) != 3 {{ t.Fatal() }} }} }}"
ROUNDS = {
    "filled later": ("a_test.go", GO.format("xs := []int{}\nfill(&xs)\nfor _, x := range xs {")),
    "one row": ("a_test.go", GO.format("for _, x := range []struct{ a int }{{1}} {")),
    "bytes": ("a_test.go", GO.format('xs := []byte("a")\nfor _, x := range xs {')),
    "counted": ("a_test.go", GO.format("for x := 0; x < 3; x++ {")),
    "Rust": ("tests/a.rs", "#[test]\nfn a() { for x in [1, 2] { assert_eq!(f(x), 3); } }"),
    "Ruby": (
        "test/a_test.rb",
        "class ATest < Minitest::Test\n  def test_a\n    [1].each { |x| assert_equal 3, f(x) }\n  end\nend",
    ),
}
NOTHING = {
    "a table": ("a_test.go", GO.format("xs := []struct{ a int }{}\nfor _, x := range xs {")),
    "a map": ("a_test.go", GO.format("xs := map[string]int{}\nfor x := range xs {")),
    "no value": ("a_test.go", GO.format("var xs []int\nfor _, x := range xs {")),
    "a cut": ("a_test.go", GO.format("xs := []int{1}\nfor _, x := range xs[:0] {")),
    "counted": ("a_test.go", GO.format("for x := 0; x < 0; x++ {")),
    "Rust": ("tests/a.rs", "#[test]\nfn a() { let xs: [i32; 0] = []; for x in xs { assert_eq!(f(x), 3); } }"),
    "Ruby": (
        "test/a_test.rb",
        "class ATest < Minitest::Test\n  def test_a\n    xs = []\n    xs.each { |x| assert_equal 3, f(x) }\n  end\nend",
    ),
    "C++": ("tests/a_test.cpp", "TEST(A, B) { std::vector<int> xs; for (int x : xs) { EXPECT_EQ(f(x), 3); } }"),
    "C#": (
        "tests/A.cs",
        "class A { [Fact] public void B() { foreach (var x in Array.Empty<int>()) { Assert.Equal(3, F(x)); } } }",
    ),
    "Kotlin": (
        "src/test/kotlin/ATest.kt",
        "class ATest { @Test fun a() { emptyList<Int>().forEach { assertEquals(3, f(it)) } } }",
    ),
    "Scala": (
        "src/test/scala/ATest.scala",
        'class ATest extends AnyFunSuite { test("a") { for (x <- Seq()) { assert(f(x) == 3) } } }',
    ),
    "Dart": (
        "test/a_test.dart",
        "void main() { test('a', () { final xs = <int>[]; for (final x in xs) { expect(f(x), 3); } }); }",
    ),
    "Swift": (
        "Tests/ATests.swift",
        "class ATests: XCTestCase { func testA() { let xs: [Int] = []\nfor x in xs { XCTAssertEqual(f(x), 3) } } }",
    ),
}


@pytest.mark.parametrize(("path", "text"), ROUNDS.values(), ids=ROUNDS)
def test_a_loop_that_comes_round(path: str, text: str) -> None:
    assert [""] == [one.void for one in assertions(path, text)]


@pytest.mark.parametrize(("path", "text"), NOTHING.values(), ids=NOTHING)
def test_a_loop_over_nothing(path: str, text: str) -> None:
    assert ["nothing reaches it"] == [one.void for one in assertions(path, text)]
