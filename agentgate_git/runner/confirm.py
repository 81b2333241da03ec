"""Whether a kill stands where nobody can tell a broken tree from a whole one.

The search runs in the project's own process, so what it says may be made up, or rest on what the process can see of a
mutant: that code in memory is not the code in the file, that a child process gives another answer, that what was
computed at import still holds. So its word is a claim. Files are written anew by a process that runs nothing of the
project, and the case is run twice more, each time from scratch in a box of its own: with every changed symbol written
in another way that means the same it must pass, and with one of them broken it must fail by an assertion. Both are
asked for in the same words.

Cases of one test file are asked for together, each in a fork of its own, in a box for each broken symbol and in one
where nothing is broken. One that does not pass there is asked for by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from time import monotonic

from agentgate_git.model.falsification import (
    ONLY_WEAK,
    REFUSED,
    STRONG,
    SUSPECT,
    UNCONFIRMED,
    Falsification,
    Kill,
    Mutant,
    SymbolResult,
)
from agentgate_git.runner.credit_run import CreditObserver, CreditRequest, verdicts_of
from agentgate_git.runner.rewriting import Rewritten, Sources, Wanted, rewritten

_REWRITING_SECONDS = 120.0
# Cases that take no longer than this together cost less than a start of pytest.
_TOGETHER_SECONDS = 0.3
_MOST_TOGETHER = 32
# What one case more may take where several are asked for.
_CASE_SECONDS = 10.0
_PASSED = "passed"
# What a mutant may do to its own module while that is imported says nothing about a test; then others are tried.
_SAYS_NOTHING = ("weak", "crash", "unclear")
_OTHERS = ("revert", "keyed", "uniform", "stores")

# Gives what to ask with in a tree of its own, in which these files have these bytes.
Place = Callable[[Mapping[str, bytes]], AbstractContextManager[CreditRequest]]


def confirmed(
    found: Falsification,
    request: CreditRequest,
    new_sources: Mapping[str, bytes],
    place: Place,
    observer: CreditObserver | None = None,
) -> Falsification:
    """The same search with those kills alone that stand; of the others it is said why.

    It takes no longer than `confirmation_seconds`: what it has not come to by then does not stand either.
    """
    kills = [(result, result.kill) for result in found.symbols if result.kill is not None]
    if not kills or found.problems:
        return found
    confirmation = _Confirmation(found, request, new_sources, place)
    confirmation.prepare(kills)
    symbols: list[SymbolResult] = []
    observer = observer or CreditObserver()
    observer.confirmed(0, len(kills))
    done = 0
    for result in found.symbols:
        symbols.append(result if result.kill is None else confirmation.judged(result, result.kill))
        if result.kill is not None:
            done += 1
            observer.confirmed(done, len(kills))
    return found._replace(symbols=tuple(symbols))


class _TimeIsOver(Exception):
    """What is asked for now has no answer any more."""


class _Confirmation:
    def __init__(
        self, found: Falsification, request: CreditRequest, new_sources: Mapping[str, bytes], place: Place
    ) -> None:
        self._request = request
        self._place = place
        self._changes = {(change.path, change.name): change for change in request.symbols}
        killed = tuple(self._changes[each.path, each.name] for each in found.symbols if each.kill is not None)
        self._sources = Sources(new_sources, request.old_sources, killed)
        self._deadline = monotonic() + request.confirmation_seconds
        self._groups: dict[str, tuple[str, ...]] = {}
        for case in found.cases:
            self._groups[_function_of(case)] = (*self._groups.get(_function_of(case), ()), case)
        self._together: dict[str, tuple[str, ...]] = {}
        self._unbroken: dict[tuple[str, ...], dict[str, tuple[str, str]]] = {}
        self._written = Rewritten({}, ())
        self._claimed: dict[tuple[str, str], bytes | None] = {}

    def prepare(self, kills: list[tuple[SymbolResult, Kill]]) -> None:
        """Say which cases are asked for together, and write the files that hold what was claimed."""
        for cases in _asked_together(kills):
            self._together.update((case, cases) for case in cases)
        claims = [self._claim(result, kill) for result, kill in kills]
        seconds = min(_REWRITING_SECONDS, max(0.0, self._deadline - monotonic()))
        self._written = rewritten(self._sources, claims, seconds)
        for (result, _), text in zip(kills, self._written.broken, strict=True):
            self._claimed[result.path, result.name] = text

    def judged(self, result: SymbolResult, kill: Kill) -> SymbolResult:
        """What is left of a result with a kill."""
        try:
            return self._judged(result, kill)
        except _TimeIsOver:
            reason = (
                f"{REFUSED}{kill.test} was not confirmed: the {self._request.confirmation_seconds:.0f} s for all"
                " kills were over"
            )
            return _without_kill(result, UNCONFIRMED, reason)._replace(is_spent=True)

    def _judged(self, result: SymbolResult, kill: Kill) -> SymbolResult:
        self._require_time()
        why = "that mutant cannot be written down"
        if not self._written.same:
            return _refused(result, kill, why)
        cases = self._together[kill.test]
        if len(cases) > 1 and self._unbroken_verdict(kill.test, cases)[0] != _PASSED:
            cases = (kill.test,)
        verdict, words = self._unbroken_verdict(kill.test, cases)
        if verdict != _PASSED:
            problem = f"it fails where nothing is broken and the file only looks different ({words or verdict})"
            return _refused(result, kill, problem)
        for mutant, text in self._options(result, kill):
            verdict, why = self._asked({**self._written.same, result.path: text}, cases)[kill.test]
            if verdict == STRONG:
                return result._replace(kill=Kill(kill.test, mutant, why))
            if verdict not in _SAYS_NOTHING:
                why = why or "it passes where the file itself is broken"
                break
        return _refused(result, kill, why)

    def _options(self, result: SymbolResult, kill: Kill) -> Iterator[tuple[Mutant, bytes]]:
        """The mutant that was claimed, and then others, each with the file that has it."""
        claimed = self._claimed[result.path, result.name]
        if claimed is not None:
            yield kill.mutant, claimed
        change = self._changes[result.path, result.name]
        others = [Wanted(change, kind) for kind in _OTHERS if kind != kill.mutant.kind]
        made = rewritten(self._sources, others, self._left(_REWRITING_SECONDS)).broken
        for other, text in zip(others, made, strict=True):
            if text is not None:
                yield Mutant(other.kind, f"{other.kind} of {change.name}", STRONG), text

    def _claim(self, result: SymbolResult, kill: Kill) -> Wanted:
        mutant = kill.mutant
        earlier = [each for each in result.mutants if each[:2] == mutant[:2]]
        turn = next((turn for turn, each in enumerate(earlier) if each.verdict == STRONG), 0)
        return Wanted(self._changes[result.path, result.name], mutant.kind, mutant.label, turn)

    def _unbroken_verdict(self, test: str, cases: tuple[str, ...]) -> tuple[str, str]:
        """How a test ends where the symbols only look different; asked once for the same cases."""
        if cases not in self._unbroken:
            self._unbroken[cases] = self._asked(self._written.same, cases)
        return self._unbroken[cases][test]

    def _asked(self, files: Mapping[str, bytes], cases: tuple[str, ...]) -> dict[str, tuple[str, str]]:
        """How each case ends in a fresh tree with these files."""
        longest = self._request.symbol_seconds + _CASE_SECONDS * (len(cases) - 1)
        seconds = self._left(longest)
        functions = {_function_of(case) for case in cases}
        with self._place(files) as request:
            verdicts = verdicts_of(
                request._replace(
                    only=cases,
                    groups={name: group for name, group in self._groups.items() if name in functions},
                    changed=tuple(sorted(self._written.same)),
                    seconds=seconds,
                )
            )
        self._require_time()  # what was ended for it has no verdict
        return verdicts

    def _left(self, most: float) -> float:
        """So many seconds may something take; _TimeIsOver when there are none."""
        self._require_time()
        return min(most, max(0.0, self._deadline - monotonic()))

    def _require_time(self) -> None:
        if monotonic() >= self._deadline:
            raise _TimeIsOver


def _asked_together(kills: Iterable[tuple[SymbolResult, Kill]]) -> Iterator[tuple[str, ...]]:
    """The cases that kill, in groups of one test file each that are short together."""
    seconds: dict[str, float] = {}
    for result, kill in kills:
        average = result.effort.covering_seconds / max(1, len(result.executed_by))
        seconds[kill.test] = max(average, seconds.get(kill.test, 0.0))
    files: dict[str, list[str]] = {}
    for case in seconds:
        files.setdefault(case.partition("::")[0], []).append(case)
    for cases in files.values():
        group: list[str] = []
        for case in cases:
            is_long = sum(seconds[each] for each in (*group, case)) > _TOGETHER_SECONDS
            if group and (is_long or len(group) == _MOST_TOGETHER):
                yield tuple(group)
                group = []
            group.append(case)
        yield tuple(group)


def _function_of(case: str) -> str:
    """The node id without its parameters."""
    return case.partition("[")[0]


def _refused(result: SymbolResult, kill: Kill, why: str) -> SymbolResult:
    return _without_kill(result, ONLY_WEAK, f"{REFUSED}{kill.test} does not stand: {why}")


def _without_kill(result: SymbolResult, state: str, reason: str) -> SymbolResult:
    mutants = tuple(each._replace(verdict=SUSPECT) if each.verdict == STRONG else each for each in result.mutants)
    return result._replace(state=state, kill=None, mutants=mutants, untried=(*result.untried, reason))
