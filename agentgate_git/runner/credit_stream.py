"""What the falsifier tells, into a Falsification."""

from __future__ import annotations

from collections.abc import Iterator

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
from agentgate_git.runner.event_lines import EventLines, text
from agentgate_git.runner.search_memory import SearchMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.runner.event_lines import Event

MAX_TOTAL = 256 << 20
_PASSED = "passed"
_HIDDEN = "hidden"
_MANY = 1e9
_OF_A_SYMBOL = ("tries", "left", "spent", "effort")


class CreditStream(EventLines):
    """One search as far as it has been told."""

    def __init__(self, symbols: tuple[SymbolChange, ...], nonce: str, memory: SearchMemory | None = None) -> None:
        self.done = 0
        self._symbols = symbols
        self._memory = memory or SearchMemory()
        self._interpreter = ""
        self._has_ended = False
        self._problems: list[str] = []
        self._verdicts: dict[str, tuple[str, str]] = {}
        self._hits: dict[str, set[int]] = {}
        self._seconds: dict[str, float] = {}
        self._rows: dict[int, _Row] = {}
        self._told: dict[int, list[Event]] = {}
        handlers = {
            "hello": self._on_hello,
            "case": self._on_case,
            "symbol": self._on_symbol,
            "finished": self._on_finished,
            "problem": self._on_problem,
            "end": self._on_end,
        }
        super().__init__(handlers, nonce, MAX_TOTAL)

    def recall(self) -> tuple[int, ...]:
        """Take up what is remembered, as if it were told now; the numbers of those symbols."""
        for number, change in enumerate(self._symbols):
            try:
                for event in self._memory.recall(change):
                    self._on_symbol({**event, "symbol": number})
            except (ValueError, TypeError, KeyError):
                self._rows.pop(number, None)
        self._told.clear()
        self.done = len(self._rows)
        return tuple(sorted(self._rows))

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
            cases=tuple(self._verdicts),
        )

    def verdict(self, case: str) -> tuple[str, str]:
        """How a case ended, and in words what ended it; empty for one that did not."""
        return self._verdicts.get(case, ("", "it did not run"))

    def _own_problems(self, exit_status: int) -> Iterator[str]:
        yield from self.faults()
        hidden = sorted(case for case, (verdict, _) in self._verdicts.items() if verdict == _HIDDEN)
        if hidden:
            yield f"{len(hidden)} report(s) say that a test passed which raised something: {', '.join(hidden[:3])}"
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

    def _on_hello(self, event: Event) -> None:
        self._interpreter = text(event["interpreter"])
        self.has_started = True

    def _on_case(self, event: Event) -> None:
        case, verdict = text(event["id"]), text(event["verdict"])
        if verdict:
            known = self._verdicts.get(case)
            if known is None or known[0] == _PASSED:  # of several attempts or copies the worst counts
                self._verdicts[case] = (verdict, text(event["detail"]))
        self._seconds[case] = self._seconds.get(case, 0.0) + _amount(event["seconds"])
        self._hits.setdefault(case, set()).update(self._number(each) for each in event["symbols"])

    def _on_symbol(self, event: Event) -> None:
        """What could be swapped in and what needed a fresh process come one after the other."""
        number = self._number(event["symbol"])
        row = self._rows.setdefault(number, _Row())
        for kind, label, verdict, case, detail in event["tries"]:
            if kind not in MUTANT_KINDS or verdict not in MUTANT_VERDICTS:
                raise ValueError("a mutant that is none")
            mutant = Mutant(kind, text(label), verdict)
            row.mutants.append(mutant)
            if verdict == STRONG and row.kill is None:
                row.kill = Kill(text(case), mutant, text(detail))
        row.untried = [text(each) for each in event["left"]]
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
        self._told.setdefault(number, []).append({name: event[name] for name in _OF_A_SYMBOL})

    def _on_finished(self, event: Event) -> None:
        """Nothing more comes of a symbol. What is told with gaps or noise in it is not to be relied on later."""
        number = self._number(event["symbol"])
        told = tuple(self._told.get(number, ()))
        if told and not any(self.faults()):
            self._memory.keep(self._symbols[number], told)

    def _on_problem(self, event: Event) -> None:
        self._problems.append(text(event["text"]))

    def _on_end(self, event: Event) -> None:
        self.check_nonce(event)
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
