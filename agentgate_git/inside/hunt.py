"""The search for a case that fails when a symbol is broken: mutant after mutant, up to the first strong kill."""

from __future__ import annotations

import os
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, FrozenSet, Iterable, List, Tuple

    # Starts a child that is broken by one mutant and runs the cases of these ids; it sends rows
    # [place, verdict, words], or {"error": why the mutant cannot be had here}.
    Start = Callable[[Any, List[str], float], Any]

_GRACE = 3.0
_FACTOR = 5.0
STRONG = "strong"
PASSED = "passed"
TIMEOUT = "timeout"
UNUSABLE = "unusable"
SURVIVED = "survived"
UNSTABLE = "unstable"
# From what says most to what says least.
_RANKS = (STRONG, "suspect", "weak", TIMEOUT, "crash", "unclear", SURVIVED)


class Hunt:
    """One symbol after another, within limits; `overhead` are the seconds that a child needs before its cases.

    After the first strong kill only boundaries are looked at, as many as are asked for.
    """

    def __init__(self, start: Start, limits: Dict[str, Any], overhead: float) -> None:
        self._start = start
        self._limits = limits
        self._overhead = overhead
        self._control: Any = None
        self._controls: Dict[Tuple[str, ...], bool] = {}
        self._runs = 0
        self._case_runs = 0

    def symbol(self, mutants: Iterable[Any], cases: List[Tuple[str, float]], control: Any) -> Dict[str, Any]:
        """What became of a symbol: `tries` is a row for each mutant that was had, `left` those that were not.

        `control` is a mutant of it that breaks nothing. `effort` is how many children ran cases for it, how many
        cases they ran, and what that took in seconds by the clock and by the processor.
        """
        started, processor = monotonic(), _processor_seconds()
        self._control, self._controls = control, {}
        self._runs = self._case_runs = 0
        tries, left, is_spent = self._until_falsified(mutants, cases)
        effort = [self._runs, self._case_runs, monotonic() - started, _processor_seconds() - processor]
        return {"tries": tries, "left": left, "spent": is_spent, "effort": effort}

    def _until_falsified(
        self, mutants: Iterable[Any], cases: List[Tuple[str, float]]
    ) -> Tuple[List[List[str]], List[str], bool]:
        deadline = monotonic() + self._limits["symbol_seconds"]
        tries: List[List[str]] = []
        left: List[str] = []
        is_spent = False
        has_kill = False
        boundaries = 0
        remaining = list(cases[: self._limits["cases"]])
        for mutant in mutants:
            if has_kill and mutant.kind == "operator":
                break  # boundaries stand before them
            if has_kill and mutant.kind != "boundary":
                continue
            if len(tries) >= self._limits["mutants"] or monotonic() > deadline:
                is_spent = True
                break
            verdict, case, detail = self._stable(mutant, remaining)
            if verdict == UNUSABLE:
                left.append("{}: {}".format(mutant.kind, detail))
                continue
            tries.append([mutant.kind, mutant.label, verdict, case, detail])
            has_kill = has_kill or verdict == STRONG
            boundaries += mutant.kind == "boundary"
            if verdict == UNSTABLE or (has_kill and boundaries >= self._limits["boundaries"]):
                break
        return tries, left, is_spent

    def _stable(self, mutant: Any, cases: List[Tuple[str, float]]) -> Tuple[str, str, str]:
        """Try a mutant; what a case makes of it counts when it does so twice, and passes without it in between.

        The same cases run before it each time. One that does not keep to that is asked no more: it fails by chance, as
        tests of elapsed time do on a busy machine.
        """
        while cases:
            verdict, place, detail = self._try(mutant, cases)
            if verdict != STRONG:
                return verdict, cases[place][0] if place >= 0 else "", detail
            before = cases[: place + 1]
            if self._passes_unbroken(before):
                again, other, _ = self._try(mutant, before)
                if (again, other) == (STRONG, place):
                    return STRONG, cases[place][0], detail
                place = other if again == STRONG else place
            del cases[place]
        return UNSTABLE, "", "no case passes by itself"

    def _passes_unbroken(self, cases: List[Tuple[str, float]]) -> bool:
        key = tuple(case for case, _ in cases)
        if key not in self._controls:
            child = self._run(self._control, cases)
            rows = [row for row in child if isinstance(row, list)]
            self._case_runs += len(rows)
            self._controls[key] = len(rows) == len(key) and rows[-1][1] == PASSED
        return self._controls[key]

    def _try(self, mutant: Any, cases: List[Tuple[str, float]]) -> Tuple[str, int, str]:
        """The verdict that says most, the place of its case, and in words why."""
        child = self._run(mutant, cases)
        best = (SURVIVED, -1, "")
        count = 0
        for row in child:
            if isinstance(row, dict):
                return UNUSABLE, -1, row["error"]
            place, verdict, detail = row
            count += 1
            found = (SURVIVED if verdict == PASSED else verdict, place, detail)
            if _RANKS.index(found[0]) < _RANKS.index(best[0]):
                best = found
        self._case_runs += count
        if child.is_late or not child.has_ended_well:
            found = (TIMEOUT if child.is_late else "crash", min(count, len(cases) - 1), "")
            if _RANKS.index(found[0]) < _RANKS.index(best[0]):
                best = found
        return best

    def _run(self, mutant: Any, cases: List[Tuple[str, float]]) -> Any:
        self._runs += 1
        seconds = _GRACE + self._overhead + _FACTOR * sum(seconds for _, seconds in cases)
        return self._start(mutant, [case for case, _ in cases], seconds)


def _processor_seconds() -> float:
    """Of this process and of the children that it has seen to their end."""
    return sum(os.times()[:4])


def function_of(case: str) -> str:
    """The node id without its parameters."""
    return case.partition("[")[0]


def in_order(cases: Iterable[Tuple[str, float]], favoured: FrozenSet[str]) -> List[Tuple[str, float]]:
    """The quickest case of each test function first, then the second of each, and so on.

    Favoured functions lead, and functions of favoured files follow: what comes with a change is likely to be about it.
    """
    waiting: Dict[str, int] = {}
    ranked = []
    for case, seconds in sorted(cases, key=lambda row: (row[1], row[0])):
        name = function_of(case)
        place = 0 if name in favoured else 1 if name.partition("::")[0] in favoured else 2
        ranked.append((place, waiting.get(name, 0), seconds, case))
        waiting[name] = waiting.get(name, 0) + 1
    return [(case, seconds) for *_, seconds, case in sorted(ranked)]
