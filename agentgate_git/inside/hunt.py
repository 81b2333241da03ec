"""The search for a case that fails when a symbol is broken: mutant after mutant, up to the first strong kill."""

from __future__ import annotations

from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple

    # Starts a child that breaks nothing, or by one mutant, and runs the cases of these ids; it sends rows
    # [place, verdict, words], or {"error": why the mutant cannot be had here}.
    Start = Callable[[Optional[Any], List[str], float], Any]

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
        self._controls: Dict[Tuple[str, ...], bool] = {}

    def symbol(self, mutants: Iterable[Any], cases: List[Tuple[str, float]]) -> Dict[str, Any]:
        """What became of a symbol: `tries` is a row for each mutant that was had, `left` those that were not."""
        deadline = monotonic() + self._limits["symbol_seconds"]
        tries: List[List[str]] = []
        left: List[str] = []
        is_spent = False
        has_kill = False
        boundaries = 0
        remaining = list(cases[: self._limits["cases"]])
        for mutant in mutants:
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
        return {"tries": tries, "left": left, "spent": is_spent}

    def _stable(self, mutant: Any, cases: List[Tuple[str, float]]) -> Tuple[str, str, str]:
        """Try a mutant; a case that fails without it, among the same cases before it, is none of its kills."""
        while cases:
            verdict, place, detail = self._try(mutant, cases)
            if verdict != STRONG:
                return verdict, cases[place][0] if place >= 0 else "", detail
            if self._passes_unbroken(cases[: place + 1]):
                return STRONG, cases[place][0], detail
            del cases[place]
        return UNSTABLE, "", "no case passes by itself"

    def _passes_unbroken(self, cases: List[Tuple[str, float]]) -> bool:
        key = tuple(case for case, _ in cases)
        if key not in self._controls:
            child = self._start(None, list(key), self._time(cases))
            rows = [row for row in child if isinstance(row, list)]
            self._controls[key] = len(rows) == len(key) and rows[-1][1] == PASSED
        return self._controls[key]

    def _try(self, mutant: Any, cases: List[Tuple[str, float]]) -> Tuple[str, int, str]:
        """The verdict that says most, the place of its case, and in words why."""
        child = self._start(mutant, [case for case, _ in cases], self._time(cases))
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
        if child.is_late or not child.has_ended_well:
            found = (TIMEOUT if child.is_late else "crash", min(count, len(cases) - 1), "")
            if _RANKS.index(found[0]) < _RANKS.index(best[0]):
                best = found
        return best

    def _time(self, cases: List[Tuple[str, float]]) -> float:
        return _GRACE + self._overhead + _FACTOR * sum(seconds for _, seconds in cases)


def in_order(cases: Iterable[Tuple[str, float]]) -> List[Tuple[str, float]]:
    """The quickest case of each test function first, then the second of each, and so on."""
    waiting: Dict[str, int] = {}
    ranked = []
    for case, seconds in sorted(cases, key=lambda row: (row[1], row[0])):
        name = case.partition("[")[0]
        ranked.append((waiting.get(name, 0), seconds, case))
        waiting[name] = waiting.get(name, 0) + 1
    return [(case, seconds) for _, seconds, case in sorted(ranked)]
