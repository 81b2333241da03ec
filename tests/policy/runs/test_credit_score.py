"""Credit from what breaking symbols showed: a row a situation, those that earn it first."""

from __future__ import annotations

from typing import Any

import pytest

from agentgate_git.model.falsification import (
    BOUNDARY,
    EXECUTED,
    FALSIFIED,
    NEVER_FALSIFIED,
    NO_MUTANT,
    NOT_EXECUTED,
    ONLY_WEAK,
    REVERT,
    STRONG,
    SURVIVED,
    UNIFORM,
    Falsification,
    Kill,
    Mutant,
    SymbolResult,
)
from agentgate_git.model.symbol import (
    ADDED,
    CREDIT,
    EXECUTION,
    FUNCTION,
    MODIFIED,
    MOVED,
    NOTHING,
    REMOVED,
    REVERSE,
    TYPING_ONLY,
    ChangedSymbols,
    SymbolChange,
)
from agentgate_git.policy.runs.credit_score import probes_of, score

SEAL = "f" * 64
TEST, OTHER = "tests/test_a.py::test_a", "tests/test_a.py::test_b"


def change(name: str, needs: str = CREDIT, how: str = MODIFIED) -> SymbolChange:
    return SymbolChange("a.py", name, FUNCTION, how, needs, "a.py", name)


def killed(name: str, by: str = TEST) -> SymbolResult:
    mutant = Mutant(UNIFORM, "another value", STRONG)
    return SymbolResult("a.py", name, FALSIFIED, (by,), Kill(by, mutant, "AssertionError"), (mutant,))


def alive(name: str, state: str = NEVER_FALSIFIED, *by: str) -> SymbolResult:
    return SymbolResult("a.py", name, state, by, None, (Mutant(UNIFORM, "another value", SURVIVED),))


Row = tuple[tuple[SymbolChange, ...], tuple[SymbolResult, ...], dict[str, Any]]
GOOD = {"is_pass": True, "credited": ("a.py::f",), "test_ids": (TEST,), "missing": (), "tautologies": ()}
ROWS: dict[str, Row] = {
    "killed": ((change("f"),), (killed("f"),), GOOD),
    "put back and killed": ((change("f", REVERSE, REMOVED),), (killed("f"),), GOOD),
    "moved and run": ((change("f", EXECUTION, MOVED),), (alive("f", EXECUTED, TEST),), GOOD),
    "annotations need nothing": ((change("f"), change("g", NOTHING, TYPING_ONLY)), (killed("f"),), GOOD),
    "another test that ran it is no tautology": (
        (change("f"),),
        (killed("f")._replace(executed_by=(TEST, OTHER)),),
        GOOD,
    ),
    "two symbols by one test": (
        (change("f"), change("g", CREDIT, ADDED)),
        (killed("f"), killed("g")),
        {**GOOD, "credited": ("a.py::f", "a.py::g")},
    ),
    "one of two": (
        (change("f"), change("g")),
        (killed("f"), alive("g", NEVER_FALSIFIED, OTHER)),
        {**GOOD, "is_pass": False, "missing": ("a.py::g",), "tautologies": (OTHER,)},
    ),
    "who killed elsewhere is no tautology": (
        (change("f"), change("g")),
        (killed("f"), alive("g", ONLY_WEAK, TEST)),
        {**GOOD, "is_pass": False, "missing": ("a.py::g",)},
    ),
    "never run": (
        (change("f"),),
        (alive("f", NOT_EXECUTED),),
        {"is_pass": False, "credited": (), "test_ids": (), "missing": ("a.py::f",), "tautologies": ()},
    ),
    "nothing to break": (
        (change("f"),),
        (alive("f", NO_MUTANT, TEST),),
        {"is_pass": False, "credited": (), "missing": ("a.py::f",), "tautologies": ()},
    ),
    "moved, and run by a test that cannot fail": (
        (change("f", EXECUTION, MOVED), change("g")),
        (alive("f", EXECUTED, OTHER), alive("g", NEVER_FALSIFIED, OTHER)),
        {"is_pass": False, "credited": (), "missing": ("a.py::f", "a.py::g"), "tautologies": (OTHER,)},
    ),
    "a name that is two symbols": (
        (change("f"), change("f", REVERSE, REMOVED)),
        (killed("f"), alive("f", NEVER_FALSIFIED, OTHER)),
        {"is_pass": False, "credited": (), "missing": ("a.py::f",)},
    ),
    "nothing changed that needs credit": (
        (change("f", NOTHING, TYPING_ONLY),),
        (),
        {"is_pass": False, "credited": (), "missing": ()},
    ),
    "a result for nothing that changed": (
        (change("f"),),
        (killed("g"),),
        {"is_pass": False, "credited": (), "missing": ("a.py::f",)},
    ),
}


def scored(changes: tuple[SymbolChange, ...], results: tuple[SymbolResult, ...], *problems: str) -> dict[str, Any]:
    found = Falsification(results, (TEST, OTHER), (), "CPython", problems)
    return score(ChangedSymbols(changes), found, SEAL)._asdict()


@pytest.mark.parametrize(("changes", "results", "expected"), ROWS.values(), ids=ROWS)
def test_rows(changes: tuple[SymbolChange, ...], results: tuple[SymbolResult, ...], expected: dict[str, Any]) -> None:
    found = scored(changes, results)
    assert expected == {name: found[name] for name in expected}
    assert (SEAL, "credit-ffffffffffff") == (found["digest"], found["credit_id"])


def test_a_search_without_an_end_earns_nothing() -> None:
    found = scored((change("f"),), (killed("f"),), "the process ended with status 1")
    assert ((), ("a.py::f",), False) == (found["credited"], found["missing"], found["is_pass"])


def test_a_file_that_nobody_could_read_is_missing() -> None:
    found = score(ChangedSymbols((), (("b.py", "it is no Python"),)), None, SEAL)
    assert (("b.py::<unread>",), False) == (found.missing, found.is_pass)


def test_tautologies_are_cut_before_the_line_is_too_long() -> None:
    many = tuple(f"tests/test_a.py::test_{number:05}" for number in range(9000))
    found = scored((change("f"),), (alive("f", NEVER_FALSIFIED, *many),))
    assert 1000 < len(found["tautologies"]) < 9000
    assert 1 << 16 >= sum(len(test) for test in found["tautologies"])


def test_probes_are_what_mutants_of_their_kind_showed() -> None:
    mutants = (Mutant(REVERT, "as it was", STRONG), Mutant(BOUNDARY, "< for <=", SURVIVED), Mutant(UNIFORM, "", STRONG))
    result = killed("f")._replace(mutants=mutants)
    assert [("absence", True, "as it was"), ("boundary", False, "< for <=")] == [
        (probe.name, probe.is_held, probe.detail) for probe in probes_of((result,))
    ]
