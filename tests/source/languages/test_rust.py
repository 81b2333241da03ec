"""Rust: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from agentgate_git.source.facts import read_facts
from testing.facts import assertions, states, traits

PATH = "src/lib.rs"
STATES = {
    "runs": {
        "plain": "#[cfg(test)] mod tests { #[test] fn a() { assert_eq!(f(), 3); } }",
        "a comment": "#[cfg(test)] mod tests { // was #[ignore]\n #[test] fn a() { assert_eq!(f(), 3); } }",
        "under miri": "#[cfg(test)] mod tests { #[cfg_attr(miri, ignore)] #[test] fn a() { assert_eq!(f(), 3); } }",
        "on what the gate is": (
            '#[cfg(test)] mod tests { #[cfg(all(unix, target_pointer_width = "64"))] #[test] fn a() { assert_'
            "eq!(f(), 3); } }"
        ),
        "of tokio": "#[cfg(test)] mod tests { #[tokio::test] async fn a() { assert_eq!(f(), 3); } }",
    },
    "skipped": {
        "ignore": "#[cfg(test)] mod tests { #[test] #[ignore] fn a() { assert_eq!(f(), 3); } }",
        "ignore with a reason, before": (
            '#[cfg(test)] mod tests { #[ignore = "x"] #[test] fn a() { assert_eq!(f(), 3); } }'
        ),
        "always": "#[cfg(test)] mod tests { #[cfg_attr(not(any()), ignore)] #[test] fn a() { assert_eq!(f(), 3); } }",
        "return": "#[cfg(test)] mod tests { #[test] fn a() { return; assert_eq!(f(), 3); } }",
    },
    "conditional": {
        "a feature": '#[cfg(test)] mod tests { #[cfg(feature = "slow")] #[test] fn a() { assert_eq!(f(), 3); } }',
        "a feature of the module": (
            '#[cfg(all(test, feature = "slow"))] mod tests { #[test] fn a() { assert_eq!(f(), 3); } }'
        ),
    },
    "not-collected": {
        "no attribute": "#[cfg(test)] mod tests { fn a() { assert_eq!(f(), 3); } }",
        "never": "#[cfg(test)] mod tests { #[cfg(any())] #[test] fn a() { assert_eq!(f(), 3); } }",
    },
    "expected-fail": {
        "should_panic": "#[cfg(test)] mod tests { #[test] #[should_panic] fn a() { assert_eq!(f(), 3); } }",
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = "#[cfg(test)] mod tests {{ #[test] fn a() {{ {} }} }}"
CHECKS = {
    "assert_eq!(f(), 3);": ("f()", "==", "3", "exact"),
    "assert_ne!(f(), 3);": ("f()", "assert_ne", "3", "bound"),
    "assert!(f() > 3);": ("f()", ">", "3", "bound"),
    "assert!(f().is_ok());": ("f().is_ok()", "assert", "", "present"),
    "assert!(matches!(f(), Ok(_)));": ("f()", "matches", "Ok(_)", "sought"),
    "check_sum!(f(), 3);": ("f(),3", "passes check_sum", "", "exact"),
    'if f() != 3 { panic!("no"); }': ("f()", "==", "3", "exact"),
    "assert!((f() - 3.0).abs() < 0.5);": ("f()", "is near", "3.0", "close"),
    "debug_assert_eq!(f(), 3);": ("f()", "debug_assert_eq", "3", "present"),
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


def test_what_is_caught_fails_nothing() -> None:
    (kept,) = assertions(PATH, SHAPE.format("let r = std::panic::catch_unwind(|| assert_eq!(f(), 3)); show(r);"))
    told, *_ = assertions(PATH, SHAPE.format("std::panic::catch_unwind(|| assert_eq!(f(), 3)).unwrap();"))
    assert ("what fails here is caught and goes nowhere", "") == (kept.void, told.void)


def test_the_end_of_a_program_is_none_of_its_tests() -> None:
    program = "fn main() { run() } fn run() { std::process::exit(0) } "
    inside = "#[cfg(test)] mod tests { #[test] fn a() { std::process::exit(0); } }"
    assert [] == traits("src/main.rs", program)
    assert ["tests::a"] == [one.owner for one in traits("src/main.rs", program + inside)]
    (product,) = traits("src/lib.rs", program.replace("fn main", "fn go") + "// test")
    assert ("run", "exit.process.maybe") == (product.owner, product.kind)


def test_a_name_that_the_parser_finds_within_a_longer_word_is_read() -> None:
    facts = read_facts(PATH, b"#[test fn s(){fn\x93l(){assert_e(t}}")
    assert ["s"] == [one.name for one in facts.tests.tests]


def test_examples_in_documentation_by_their_fences() -> None:
    fences = ("", "rust,edition2021", "should_panic", "compile_fail", "ignore", "text", "no_run", "toml")
    told = "".join(f"/// ```{fence}\n/// assert!(f({number}));\n/// ```\n" for number, fence in enumerate(fences))
    found = states("src/lib.rs", f"{told}#[must_use]\npub fn f() {{}}\n")
    assert {f"doctest of f: assert!(f({number}));" for number in range(len(fences))} == set(found)
    expected = ["runs", "runs", "expected-fail", "runs", *["not-collected"] * 4]
    assert expected == list(found.values())


def test_an_example_that_only_compiles_and_checks_nothing_is_one_that_runs() -> None:
    text = "/// ```no_run\n/// let a = connect();\n/// ```\npub fn connect() {}\n"
    assert ["runs"] == list(states("src/lib.rs", text).values())
