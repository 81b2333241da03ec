"""Without a grammar: tests by line patterns, and a finding that says so."""

from __future__ import annotations

import pytest

from agentgate_git.model.facts import FileFacts, Trait
from agentgate_git.model.finding import ADVICE
from agentgate_git.model.inventory import Inventory
from agentgate_git.policy.weakening.read_by_lines import line_findings
from agentgate_git.source.languages.grammars import grammar
from agentgate_git.source.languages.lines import read_lines
from agentgate_git.source.languages.silences import silences_by_line

TEXTS = {
    "javascript": ("it('a', () => {\n  f(1)\n})\nit.skip('b', () => {\n  f(2)\n})\n", {"a": "runs", "b": "skipped"}),
    "a comment": ("// it.skip('a')\nit('b', () => {\n  f(2)\n})\n", {"b": "runs"}),
    "rust": (
        "#[test]\nfn test_a() {\n  f(1)\n}\n#[ignore]\n#[test]\nfn test_b() {\n  f(2)\n}\n",
        {"test_a": "runs", "test_b": "skipped"},
    ),
    "go": ("func TestA(t *testing.T) {\n\tt.Skip()\n}\n", {"TestA": "skipped"}),
    "java": ("@Disabled\n@Test\nvoid testA() {\n  f();\n}\n", {"testA": "skipped"}),
    "bats": ('@test "a" {\n  skip\n}\n@test "b" {\n  run f\n}\n', {"a": "skipped", "b": "runs"}),
    "a long line": ("it('a', () => { f('" + "1" * 3_000 + "') })\n", {"a": "runs"}),
    "far on in a long line": ("it('a', () => { f('" + "1" * 3_000 + "'); it.skip('b') })\n", {"a": "skipped"}),
    "a long signature": ("func " + "a" * 2_000 + "Test(t *testing.T) {\n\tf()\n}\n", {"a" * 2_000 + "Test": "runs"}),
    "cpp": ("TEST(S, DISABLED_A) {\n  f();\n}\n", {"S, DISABLED_A": "not-collected"}),
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.values(), ids=TEXTS)
def test_states_by_line(text: str, expected: dict[str, str]) -> None:
    assert expected == {test.name: test.state for test in read_lines(text.encode())}


@pytest.mark.parametrize(
    "line",
    ["describe" + " " * 20_000, "def " + "test" * 5_000, "it" + ".a" * 10_000, "func ()" + " " * 20_000],
    ids=["spaces", "words", "chain", "brackets"],
)
def test_a_line_that_hardly_fits_is_read_to_its_end(line: str) -> None:
    assert {"b": "runs"} == {test.name: test.state for test in read_lines(f"{line}\nit('b')\n".encode())}


@pytest.mark.parametrize(
    ("line", "expected"),
    [("f() // the lint is right", []), ("f('" + "1" * 3_000 + "') // nolint:errcheck", ["nolint:errcheck"])],
    ids=["no directive", "a directive far on"],
)
def test_silences_without_a_grammar(line: str, expected: list[str]) -> None:
    assert expected == [one.what for one in silences_by_line("go", line.encode())]


def test_a_grammar_that_is_not_there_is_none() -> None:
    assert None is grammar("of_no_language", "go")


def test_one_piece_of_advice_for_each_missing_grammar() -> None:
    tests = read_lines(b"func TestA(t *testing.T) {\n\tf()\n}\n")
    facts = [
        FileFacts(path, "test", "go", Inventory(path, tests), traits=(Trait("read.lines", "tree_sitter_go", 1),))
        for path in ("a_test.go", "b_test.go")
    ]
    (finding,) = line_findings(facts, facts)
    assert ("E_NOT_JUDGED", ADVICE, "a_test.go") == (finding.code, finding.severity, finding.path)
    assert "2 files" in finding.message
