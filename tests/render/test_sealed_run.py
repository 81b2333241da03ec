"""How a symbol that earned nothing is told."""

from __future__ import annotations

import pytest

from agentgate_git.model.falsification import ONLY_WEAK, SUSPECT, UNCONFIRMED, Mutant, SymbolResult
from agentgate_git.model.run_record import RunDecision
from agentgate_git.model.run_result import SealedRunResult
from agentgate_git.render.sealed_run import sealed_run_text

LATE = "the kill by t.py::a was not confirmed: the 300 s for all kills were over"
FALLEN = "the kill by t.py::a does not stand: it never failed"
TOLD = {
    LATE: (UNCONFIRMED, f"earns nothing: {LATE}"),
    FALLEN: (ONLY_WEAK, f"broken 1 time(s), and no assertion of a test failed for it ({FALLEN})"),
    "revert: it has to be there at import": (
        ONLY_WEAK,
        "broken 1 time(s), and no assertion of a test failed for it",
    ),
}


@pytest.mark.parametrize(("reason", "state", "words"), [(reason, *row) for reason, row in TOLD.items()])
def test_why_a_symbol_earned_nothing(reason: str, state: str, words: str) -> None:
    symbol = SymbolResult("a.py", "f", state, mutants=(Mutant("uniform", "f", SUSPECT),), untried=(reason,))
    result = SealedRunResult("HEAD", "c" * 40, "a" * 40, "b" * 40, RunDecision("E_CREDIT_MISSING", "f"), 1)
    assert f"  a.py::f: {words}\n" in sealed_run_text(result._replace(symbols=(symbol,)))
