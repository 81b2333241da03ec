"""The parent's side of the falsifier's pipe: JSON lines of a process that nobody vouches for, into a Falsification."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from agentgate_git.model.falsification import (
    EXECUTED,
    FALSIFIED,
    MUTANT_KINDS,
    MUTANT_VERDICTS,
    NEVER_FALSIFIED,
    NO_MUTANT,
    NOT_EXECUTED,
    NOT_REACHED,
    ONLY_WEAK,
    STRONG,
    SURVIVED,
    UNSTABLE,
    Effort,
    Falsification,
    Kill,
    Mutant,
    SymbolResult,
)
from agentgate_git.model.symbol import CREDIT, EXECUTION, FUNCTIONS, SymbolChange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Event = dict[str, Any]

MAX_TOTAL = 256 << 20
_PASSED = "passed"
_MANY = 1e9


class CreditStream:
    """Takes bytes as they come. What cannot be read is a problem, and a search with problems proves nothing."""

    def __init__(self, symbols: tuple[SymbolChange, ...], nonce: str) -> None:
        self.unusable = ""
        self.has_started = False
        self.done = 0
        self._symbols = symbols
        self._nonce = nonce
        self._rest = b""
        self._total = 0
        self._expected = 0
        self._interpreter = ""
        self._has_ended = False
        self._problems: list[str] = []
        self._verdicts: dict[str, tuple[str, str]] = {}
        self._hits: dict[str, set[int]] = {}
        self._seconds: dict[str, float] = {}
        self._rows: dict[int, _Row] = {}
        self._handlers: dict[str, Callable[[Event], None]] = {
            "unusable": self._on_unusable,
            "hello": self._on_hello,
            "collected": lambda _event: None,
            "case": self._on_case,
            "symbol": self._on_symbol,
            "problem": self._on_problem,
            "end": self._on_end,
        }

    def feed(self, data: bytes) -> None:
        """Add what was read from the pipe, cut anywhere."""
        self._total += len(data)
        if self._total > MAX_TOTAL:
            self._rest = b""
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._take(line)

    def result(self, exit_status: int, problems: tuple[str, ...]) -> Falsification:
        """All that is known when the process is gone."""
        passed = tuple(sorted(case for case, (verdict, _) in self._verdicts.items() if verdict == _PASSED))
        return Falsification(
            symbols=tuple(self._symbol(number, passed) for number in range(len(self._symbols))),
            passed=passed,
            not_passed=tuple(
                sorted((case, why or verdict) for case, (verdict, why) in self._verdicts.items() if verdict != _PASSED)
            ),
            interpreter=self._interpreter,
            problems=(*problems, *dict.fromkeys(self._problems), *self._own_problems(exit_status)),
        )

    def _own_problems(self, exit_status: int) -> Iterator[str]:
        if self._total > MAX_TOTAL:
            yield f"its report is larger than {MAX_TOTAL >> 20} MiB"
        if self._rest:
            yield "its report ends within a line"
        if not self._has_ended or exit_status:
            yield f"the process ended with status {exit_status} before the search was over"

    def _symbol(self, number: int, passed: tuple[str, ...]) -> SymbolResult:
        change = self._symbols[number]
        row = self._rows.get(number, _Row())
        kill = row.kill if row.kill is not None and row.kill.test in passed else None
        killing = kill.test if kill is not None else ""
        executed_by = tuple(case for case in passed if case == killing or number in self._hits.get(case, ()))
        return SymbolResult(
            path=change.path,
            name=change.name,
            state=FALSIFIED if kill else self._state(number, row, is_executed=bool(executed_by)),
            executed_by=executed_by,
            kill=kill,
            mutants=tuple(row.mutants),
            untried=tuple(dict.fromkeys(row.untried)),
            is_spent=row.is_spent,
            effort=row.effort._replace(covering_seconds=sum(self._seconds.get(case, 0.0) for case in executed_by)),
        )

    def _state(self, number: int, row: _Row, *, is_executed: bool) -> str:
        change = self._symbols[number]
        if change.needs == EXECUTION:
            return EXECUTED if is_executed else NOT_EXECUTED
        is_known = number in self._rows
        if change.kind in FUNCTIONS and change.needs == CREDIT and not is_executed and not is_known:
            return NOT_EXECUTED
        if not any(verdict == _PASSED for verdict, _ in self._verdicts.values()):
            return NOT_EXECUTED
        verdicts = {mutant.verdict for mutant in row.mutants}
        if not verdicts:
            return NO_MUTANT if is_known else NOT_REACHED
        return NEVER_FALSIFIED if verdicts <= {SURVIVED, UNSTABLE} else ONLY_WEAK

    def _take(self, line: bytes) -> None:
        try:
            event = json.loads(line)
            if event["number"] != self._expected:
                self._problems.append("a part of its report is missing")
            self._expected = event["number"] + 1
            self._handlers[event["event"]](event)
        except (ValueError, TypeError, KeyError, RecursionError):
            self._problems.append("its report holds lines that cannot be read")

    def _on_unusable(self, event: Event) -> None:
        self.unusable = _text(event["reason"])

    def _on_hello(self, event: Event) -> None:
        self._interpreter = _text(event["interpreter"])
        self.has_started = True

    def _on_case(self, event: Event) -> None:
        case, verdict = _text(event["id"]), _text(event["verdict"])
        if verdict:
            known = self._verdicts.get(case)
            if known is None or known[0] == _PASSED:  # of several attempts or copies the worst counts
                self._verdicts[case] = (verdict, _text(event["detail"]))
        self._seconds[case] = self._seconds.get(case, 0.0) + _amount(event["seconds"])
        self._hits.setdefault(case, set()).update(self._number(each) for each in event["symbols"])

    def _on_symbol(self, event: Event) -> None:
        """What could be swapped in and what needed a fresh process come one after the other."""
        row = self._rows.setdefault(self._number(event["symbol"]), _Row())
        for kind, label, verdict, case, detail in event["tries"]:
            if kind not in MUTANT_KINDS or verdict not in MUTANT_VERDICTS:
                raise ValueError("a mutant that is none")
            mutant = Mutant(kind, _text(label), verdict)
            row.mutants.append(mutant)
            if verdict == STRONG and row.kill is None:
                row.kill = Kill(_text(case), mutant, _text(detail))
        row.untried = [_text(each) for each in event["left"]]
        row.is_spent = event["spent"] is True
        runs, case_runs, seconds, processor = event["effort"]
        known = row.effort
        row.effort = known._replace(
            runs=known.runs + int(_amount(runs)),
            case_runs=known.case_runs + int(_amount(case_runs)),
            seconds=known.seconds + _amount(seconds),
            processor_seconds=known.processor_seconds + _amount(processor),
        )
        self.done = len(self._rows)

    def _on_problem(self, event: Event) -> None:
        self._problems.append(_text(event["text"]))

    def _on_end(self, event: Event) -> None:
        if event["nonce"] != self._nonce:
            raise ValueError("a nonce that is not this run's")
        self._has_ended = True

    def _number(self, value: object) -> int:
        if type(value) is not int or not 0 <= value < len(self._symbols):
            raise ValueError("no number of a symbol")
        return value


class _Row:
    def __init__(self) -> None:
        self.mutants: list[Mutant] = []
        self.kill: Kill | None = None
        self.untried: list[str] = []
        self.is_spent = False
        self.effort = Effort()


def _amount(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MANY:
        raise ValueError("no amount")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value
