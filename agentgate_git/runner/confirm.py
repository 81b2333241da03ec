"""Whether a kill stands where nobody can tell a broken tree from a whole one.

The search runs in the project's own process, so what it says may be made up, or rest on what the process can see of a
mutant: that code in memory is not the code in the file, that a child process gives another answer, that what was
computed at import still holds. So its word is a claim. Files are written anew by a process that runs nothing of the
project, and the case is run twice more, each time from scratch in a box of its own: with the symbol broken it must
fail by an assertion, and with the symbol written in another way that means the same it must pass. Both are asked for
in the same words.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager

from agentgate_git.model.falsification import (
    ONLY_WEAK,
    STRONG,
    SUSPECT,
    Falsification,
    Kill,
    Mutant,
    SymbolResult,
)
from agentgate_git.model.record import Record
from agentgate_git.model.symbol import SymbolChange
from agentgate_git.runner.credit_run import CreditRequest, verdict_of

REWRITER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "inside", "rewritten.py")
_SECONDS = 120
_PASSED = "passed"
# What a mutant may do to its own module while that is imported says nothing about a test; then others are tried.
_SAYS_NOTHING = ("weak", "crash", "unclear")
_OTHERS = ("revert", "keyed", "uniform", "stores")

# Gives what to ask with in a tree of its own, in which these files have these bytes.
Place = Callable[[Mapping[str, bytes]], AbstractContextManager[CreditRequest]]


class Rewritten(Record):
    """Files written anew: `same` by path; `broken` one text for each row, None where there is no such mutant."""

    same: Mapping[str, bytes]
    broken: tuple[bytes | None, ...]


def confirmed(
    found: Falsification, request: CreditRequest, new_sources: Mapping[str, bytes], place: Place
) -> Falsification:
    """The same search with those kills alone that stand; of the others it is said why."""
    return _Confirmation(request, new_sources, place).of(found)


class _Claim(Record):
    """One mutant of one symbol: the `turn`th of its kind and label, counted from 0; of its kind alone when nobody
    claimed it.
    """

    change: SymbolChange
    mutant: Mutant
    turn: int
    is_claimed: bool = True


class _Confirmation:
    def __init__(self, request: CreditRequest, new_sources: Mapping[str, bytes], place: Place) -> None:
        self._request = request
        self._sources = new_sources
        self._place = place
        self._cases: tuple[str, ...] = ()
        self._passes: dict[str, str] = {}
        self._written = Rewritten({}, ())

    def of(self, found: Falsification) -> Falsification:
        claims = tuple(self._claims(found))
        if not claims or found.problems:
            return found
        self._cases = found.cases
        self._written = self._rewritten(claim for options in claims for claim in options)
        texts = iter(self._written.broken)
        prepared = iter([tuple((claim, next(texts, None)) for claim in options) for options in claims])
        symbols = tuple(self._judged(result, next(prepared)) if result.kill else result for result in found.symbols)
        return found._replace(symbols=symbols)

    def _claims(self, found: Falsification) -> Iterable[tuple[_Claim, ...]]:
        """For each kill its mutant, and what else may be tried."""
        changes = {(change.path, change.name): change for change in self._request.symbols}
        for result in found.symbols:
            if result.kill is None:
                continue
            change, mutant = changes[result.path, result.name], result.kill.mutant
            earlier = [each for each in result.mutants if each[:2] == mutant[:2]]
            turn = next((turn for turn, each in enumerate(earlier) if each.verdict == STRONG), 0)
            others = tuple(
                _Claim(change, Mutant(kind, f"{kind} of {change.name}", STRONG), 0, False)
                for kind in _OTHERS
                if kind != mutant.kind
            )
            yield (_Claim(change, mutant, turn), *others)

    def _judged(self, result: SymbolResult, options: tuple[tuple[_Claim, bytes | None], ...]) -> SymbolResult:
        assert result.kill is not None
        test = result.kill.test
        why = "that mutant cannot be written down"
        for claim, text in options:
            if text is None:
                continue
            verdict, why = self._verdict(test, {claim.change.path: text})
            if verdict == STRONG:
                if problem := self._fails_unbroken(test):
                    return _refused(result, problem)
                return result._replace(kill=Kill(test, claim.mutant, why))
            if verdict not in _SAYS_NOTHING:
                why = why or "it passes where the file itself is broken"
                break
        return _refused(result, why)

    def _fails_unbroken(self, test: str) -> str:
        """Why a test that is to earn credit does not pass where the symbols only look different; empty when it does."""
        if test not in self._passes:
            verdict, why = self._verdict(test, self._written.same)
            failed = f"it fails where nothing is broken and the file only looks different ({why or verdict})"
            self._passes[test] = "" if verdict == _PASSED else failed
        return self._passes[test]

    def _verdict(self, test: str, files: Mapping[str, bytes]) -> tuple[str, str]:
        with self._place(files) as request:
            group = tuple(case for case in self._cases if _function_of(case) == _function_of(test))
            return verdict_of(request._replace(only=test, group=group, changed=tuple(sorted(self._written.same))))

    def _rewritten(self, claims: Iterable[_Claim]) -> Rewritten:
        rows = [
            {
                **claim.change._asdict(),
                "mutant": claim.mutant.kind,
                "label": claim.mutant.label if claim.is_claimed else "",
                "place": claim.turn,
            }
            for claim in claims
        ]
        return rewritten(rows, self._sources, self._request.old_sources)


def rewritten(
    rows: list[dict[str, object]], new_sources: Mapping[str, bytes], old_sources: Mapping[str, bytes]
) -> Rewritten:
    """Write files anew; nothing when that fails. A row is a SymbolChange with the `mutant`, its `label` and `place`."""
    paths = {row["path"] for row in rows}
    old_paths = {row["old_path"] for row in rows}
    order = {
        "rows": rows,
        "new": {path: _text(data) for path, data in new_sources.items() if path in paths},
        "old": {path: _text(data) for path, data in old_sources.items() if path in old_paths},
    }
    try:
        done = subprocess.run(
            (sys.executable, "-I", "-B", REWRITER),
            input=json.dumps(order).encode("ascii"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=True,
        )
        answer = json.loads(done.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return Rewritten({}, ())
    return Rewritten(
        {path: _bytes(text) for path, text in answer["same"].items()},
        tuple(None if text is None else _bytes(text) for text in answer["broken"]),
    )


def _function_of(case: str) -> str:
    """The node id without its parameters."""
    return case.partition("[")[0]


def _refused(result: SymbolResult, why: str) -> SymbolResult:
    assert result.kill is not None
    mutants = tuple(each._replace(verdict=SUSPECT) if each.verdict == STRONG else each for each in result.mutants)
    reason = f"the kill by {result.kill.test} does not stand: {why}"
    return result._replace(state=ONLY_WEAK, kill=None, mutants=mutants, untried=(*result.untried, reason))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
