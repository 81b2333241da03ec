"""No bytes crash a reader, and what is too much is a problem that is told."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate_git.source.facts import read_facts
from agentgate_git.source.languages.read import MAX_BYTES

PATHS = [
    *(
        "a.test.js",
        "a.test.ts",
        "a.test.tsx",
        "a_test.go",
        "src/lib.rs",
        "CalcTest.java",
        "CalcTest.kt",
        "CalcTests.cs",
    ),
    *("a_spec.rb", "CalcTest.php", "a_test.cc", "CalcTests.swift", "a_test.exs", "CalcSpec.scala", "a_test.dart"),
    *("a.bats", "a_test.sh", "test_a.py", "a_test.go.disabled"),
]
WORDS = [
    *("it", "test", "describe", ".skip", "(", ")", "{", "}", "[", "]", "'a'", '"b"', "=>", "expect", ".toBe", "func "),
    *(
        "TestA",
        "#[test]",
        "@Test",
        "fn a",
        "def ",
        "end",
        "do ",
        "class A",
        "if ",
        "return",
        "try ",
        "catch",
        ";",
        "\n",
    ),
    *("TEST(A, b)", "assert", "==", "!", "&&", "//", "/*", "*/", "#", "# noqa", "@tag :skip", "@test ", "\\", "`", ":"),
    *("TEST_CASE", "rescue", "skip", "<?php ", "$this->", "é", "\u2028", "\x00", "'", "const x = ", "1", ",", "#if 0"),
]


@pytest.mark.parametrize("path", PATHS)
@given(words=st.lists(st.sampled_from(WORDS), max_size=60))
@settings(max_examples=40, deadline=None)
def test_no_words_crash_a_reader(path: str, words: list[str]) -> None:
    assert path == read_facts(path, "".join(words).encode()).path


@pytest.mark.parametrize("path", PATHS)
@given(data=st.binary(max_size=200))
@settings(max_examples=25, deadline=None)
def test_no_bytes_crash_a_reader(path: str, data: bytes) -> None:
    assert path == read_facts(path, data).path


DEEP = {
    "brackets": b"(" * 20_000,
    "blocks": b"if (a) {" * 5_000,
    "suites": b"describe('a', () => {" * 2_000,
    "members": b"a" + b".b()" * 20_000,
    "sums": b"a" + b"+a" * 20_000,
    "negations": b"if (" + b"!" * 20_000,
    "helpers": b"".join(b"function f%d() { f%d() }\n" % (at, at + 1) for at in range(3_000))
    + b"it('a', () => { f0() })",
    "tests": b"it('a', () => { expect(a).toBe(1) });\n" * 500,
}


@pytest.mark.parametrize("path", ["a.test.js", "a_test.go", "src/lib.rs", "a_test.cc"])
@pytest.mark.parametrize("data", DEEP.values(), ids=DEEP)
def test_depth_and_length_are_bounded(path: str, data: bytes) -> None:
    assert path == read_facts(path, data).path


MANY_WAYS = b"""""{""
"")(""e""

   \x8c\x9est("ignores blanks") {
        aBe "GI"
    }

    test("ignores blanks") {
    context("tables") {
        test("rows") {
            forAll(
                row("As Soon As Possible", "ASAP"),
                row("frequently Asked Questions", "FAQ"),
            ) { phrase, want ->
                acronym(phrase) shouldBe want
            }
        }
    }
})
"""


def test_a_small_file_that_a_parser_goes_back_in_is_a_problem() -> None:
    assert "goes back in it too often" in read_facts("src/test/kotlin/ATest.kt", MANY_WAYS).tests.problem
    assert "" == read_facts("src/test/kotlin/BTest.kt", b"class BTest { @Test fun b() { a() } }").tests.problem


def test_a_large_test_file_is_a_problem() -> None:
    assert "bytes; at most" in read_facts("a.test.js", b"\n" * (MAX_BYTES + 1)).tests.problem


def test_a_large_bundle_holds_no_tests() -> None:
    assert "" == read_facts("dist/app.js", b"// eslint-disable-line\n" * MAX_BYTES).tests.problem


def test_text_in_another_encoding_is_a_problem() -> None:
    assert "" != read_facts("a.test.js", "it('a', () => {})".encode("utf-16")).tests.problem


def test_errors_of_syntax_are_tolerated() -> None:
    facts = read_facts(
        "a.test.js", b"it('a', () => { expect(f()).toBe(1) });\nlet = = 1;\nit.skip('b', () => { f() });\n"
    )
    assert {"a": "runs", "b": "skipped"} == {test.name: test.state for test in facts.tests.tests}
