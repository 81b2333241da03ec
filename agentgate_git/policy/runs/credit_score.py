"""From what breaking the changed symbols showed to the credit of a run: who earned it, who did not, and by which tests.

Nothing is earned by a search that did not come to its end, and a test that never failed earns nothing, whatever it is
called.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.falsification import (
    BOUNDARY,
    EXECUTED,
    FALSIFIED,
    NEVER_FALSIFIED,
    ONLY_WEAK,
    REVERT,
    STRONG,
    Falsification,
    SymbolResult,
)
from agentgate_git.model.run_evidence import ABSENCE, Probe
from agentgate_git.model.run_evidence import BOUNDARY as BOUNDARY_PROBE
from agentgate_git.model.run_record import Credit
from agentgate_git.model.symbol import EXECUTION, NOTHING, ChangedSymbols, SymbolChange

# What a credit may spend on naming tests that cannot fail, in bytes: its line has to stay within MAX_LINE.
_MAX_TAUTOLOGIES = 64 << 10
_UNREAD = "<unread>"


def score(changed: ChangedSymbols, found: Falsification | None, seal_sha256: str) -> Credit:
    """The credit of a run under a seal's line; `found` is None where there was nothing to break.

    `tautologies` are cut where they become too long; who killed a mutant is never among them.
    """
    results = found.symbols if found is not None and not found.problems else ()
    tautologies = _tautologies(results)
    wanted = {_shown(change) for change in changed.changes if change.needs != NOTHING}
    earned = {name: test for name, test in _earned(changed, results, tautologies) if name in wanted}
    unread = {f"{path}::{_UNREAD}" for path, _ in changed.problems}
    missing = (wanted - earned.keys()) | unread
    return Credit(
        credit_id=f"credit-{seal_sha256[:12]}",
        digest=seal_sha256,
        credited=tuple(sorted(earned)),
        test_ids=tuple(sorted(set(earned.values()))),
        missing=tuple(sorted(missing)),
        tautologies=_as_fit(tautologies),
        is_pass=bool(earned) and not missing,
    )


def probes_of(results: Iterable[SymbolResult]) -> tuple[Probe, ...]:
    """What the mutants say beside credit: is the old behaviour refused, and is each bound that was moved?"""
    return tuple(probe for result in results for probe in _probes(result))


def _probes(result: SymbolResult) -> Iterator[Probe]:
    for mutant in result.mutants:
        name = {REVERT: ABSENCE, BOUNDARY: BOUNDARY_PROBE}.get(mutant.kind)
        if name is not None:
            yield Probe(name, f"{result.path}::{result.name}", mutant.verdict == STRONG, mutant.label)


def _earned(
    changed: ChangedSymbols, results: Iterable[SymbolResult], tautologies: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Pairs of a symbol and the test that speaks for it. Of what only moved, a passing test that runs it is enough."""
    needs: dict[str, set[str]] = {}
    for change in changed.changes:
        needs.setdefault(_shown(change), set()).add(change.needs)
    answers: dict[str, list[str]] = {}
    for result in results:
        name = f"{result.path}::{result.name}"
        answers.setdefault(name, []).append(_speaker(result, needs.get(name, set()), tautologies))
    for name, tests in answers.items():
        if all(tests):
            yield name, tests[0]


def _speaker(result: SymbolResult, needs: set[str], tautologies: frozenset[str]) -> str:
    if result.state == FALSIFIED and result.kill is not None:
        return result.kill.test
    if result.state == EXECUTED and needs <= {EXECUTION, NOTHING}:
        return next((test for test in result.executed_by if test not in tautologies), "")
    return ""


def _tautologies(results: Iterable[SymbolResult]) -> frozenset[str]:
    """Tests that ran a symbol which was broken again and again, and that never failed as they should."""
    results = tuple(results)
    killers = {result.kill.test for result in results if result.kill is not None}
    idle = (result.executed_by for result in results if result.state in (NEVER_FALSIFIED, ONLY_WEAK))
    return frozenset(test for tests in idle for test in tests) - killers


def _as_fit(tests: Iterable[str]) -> tuple[str, ...]:
    kept, left = [], _MAX_TAUTOLOGIES
    for test in sorted(tests):
        left -= len(test.encode("ascii", "backslashreplace")) + 3
        if left < 0:
            break
        kept.append(test)
    return tuple(kept)


def _shown(change: SymbolChange) -> str:
    return f"{change.path}::{change.name}"
