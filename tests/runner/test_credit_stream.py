"""What a process that nobody vouches for can say about a search, byte by byte."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentgate_git.model.falsification import (
    FALSIFIED,
    NOT_EXECUTED,
    NOT_REACHED,
    STRONG,
    Effort,
    Falsification,
    Kill,
    Mutant,
)
from agentgate_git.model.symbol import CREDIT, FUNCTION, MODIFIED, VALUE, SymbolChange
from agentgate_git.runner.credit_stream import CreditStream
from agentgate_git.runner.search_memory import SearchMemory

NONCE = "n"
SYMBOLS = (
    SymbolChange("a.py", "f", FUNCTION, MODIFIED, CREDIT, "a.py", "f"),
    SymbolChange("a.py", "module:A", VALUE, MODIFIED, CREDIT, "a.py", "module:A"),
)
TRIES = [["revert", "f as it was", "survived", "", ""], ["uniform", "uniform of f", STRONG, "t.py::a", "assert 2 == 1"]]
HELLO = {"event": "hello", "interpreter": "CPython 3.12.1"}
CASE = {"event": "case", "id": "t.py::a", "verdict": "passed", "seconds": 0.1, "symbols": [0], "detail": ""}
KILL = {
    "event": "symbol",
    "symbol": 0,
    "is_fresh": False,
    "tries": TRIES,
    "left": [],
    "spent": False,
    "effort": [3, 7, 0.5, 0.25],
}
END = {"event": "end", "nonce": NONCE, "status": 0}


def numbered(*events: dict[str, Any]) -> bytes:
    return b"".join(json.dumps({"number": place, **event}).encode() + b"\n" for place, event in enumerate(events))


def read(data: bytes, step: int = 1 << 20, status: int = 0) -> Falsification:
    stream = CreditStream(SYMBOLS, NONCE)
    for start in range(0, len(data), step):
        stream.feed(data[start : start + step])
    return stream.result(status, ())


@pytest.mark.parametrize("step", [1, 7, 1 << 20])
def test_a_whole_search_cut_anywhere(step: int) -> None:
    found = read(numbered(HELLO, CASE, KILL, END), step)
    mutant = Mutant("uniform", "uniform of f", STRONG)
    assert ((), "CPython 3.12.1", ("t.py::a",)) == (found.problems, found.interpreter, found.passed)
    assert (FALSIFIED, Kill("t.py::a", mutant, "assert 2 == 1")) == (found.symbols[0].state, found.symbols[0].kill)
    assert (
        Effort(runs=3, case_runs=7, seconds=0.5, processor_seconds=0.25, covering_seconds=0.1)
        == found.symbols[0].effort
    )
    assert (NOT_REACHED, ()) == (found.symbols[1].state, found.symbols[1].mutants)


def test_a_kill_by_a_case_that_did_not_pass_unbroken_is_none() -> None:
    found = read(numbered(HELLO, {**CASE, "verdict": "strong"}, KILL, END))
    assert (None, ()) == (found.symbols[0].kill, found.passed)


def test_of_several_outcomes_of_a_case_the_worst_counts() -> None:
    failed = {**CASE, "verdict": "weak", "detail": "KeyError"}
    for events in ((CASE, failed), (failed, CASE)):
        found = read(numbered(HELLO, *events, END))
        assert ((), (("t.py::a", "KeyError"),)) == (found.passed, found.not_passed)
        assert NOT_EXECUTED == found.symbols[0].state


MISSING = "the process ended with status 0 before the search was over"
UNREADABLE = "its report holds lines that cannot be read"
PROBLEMS: dict[str, tuple[bytes, int, tuple[str, ...]]] = {
    "no_end": (numbered(HELLO, CASE, KILL), 0, (MISSING,)),
    "another_nonce": (numbered(HELLO, {**END, "nonce": "x"}), 0, (UNREADABLE, MISSING)),
    "status": (numbered(HELLO, END), 9, ("the process ended with status 9 before the search was over",)),
    "cut_off": (numbered(HELLO, END) + b"{", 0, ("its report ends within a line",)),
    "noise": (b"noise\n" + numbered(HELLO, END), 0, (UNREADABLE,)),
    "depth": (b"[" * 100_000 + b"\n" + numbered(HELLO, END), 0, (UNREADABLE,)),
    "a_line_lost": (numbered(HELLO, CASE, END).replace(b'"number": 1', b'"number": 7'), 0,
                    ("a part of its report is missing",)),
    "no_such_symbol": (numbered(HELLO, {**KILL, "symbol": 2}, END), 0, (UNREADABLE,)),
    "no_number": (numbered(HELLO, {**KILL, "symbol": True}, END), 0, (UNREADABLE,)),
    "no_such_verdict": (numbered(HELLO, {**KILL, "tries": [["revert", "", "good", "", ""]]}, END), 0, (UNREADABLE,)),
    "no_such_mutant": (numbered(HELLO, {**KILL, "tries": [["magic", "", STRONG, "", ""]]}, END), 0, (UNREADABLE,)),
    "no_effort": (numbered(HELLO, {**KILL, "effort": [1, 1, float("nan"), 0.0]}, END), 0, (UNREADABLE,)),
    "its_own_problem": (numbered(HELLO, {"event": "problem", "text": "so"}, END), 0, ("so",)),
}  # fmt: skip


@pytest.mark.parametrize(("data", "status", "problems"), PROBLEMS.values(), ids=PROBLEMS)
def test_what_cannot_be_relied_on(data: bytes, status: int, problems: tuple[str, ...]) -> None:
    assert problems == read(data, status=status).problems


FINISHED = {"event": "finished", "symbol": 0}
LATER = {**KILL, "is_fresh": True, "tries": [["boundary", "<= for < in f", STRONG, "t.py::a", "no"]]}


def test_what_is_recalled_is_what_was_told() -> None:
    memory = SearchMemory()
    told = CreditStream(SYMBOLS, NONCE, memory)
    told.feed(numbered(HELLO, CASE, KILL, LATER, FINISHED, END))
    again = CreditStream(SYMBOLS, NONCE, memory)
    assert ((0,), 1) == (again.recall(), again.done)
    again.feed(numbered(HELLO, CASE, END))
    assert told.result(0, ()) == again.result(0, ())


def test_what_is_told_with_noise_or_is_not_finished_is_not_kept() -> None:
    memory = SearchMemory()
    for events in (numbered(HELLO, KILL), numbered(HELLO) + b"noise\n" + numbered(KILL, FINISHED)):
        CreditStream(SYMBOLS, NONCE, memory).feed(events)
    assert {} == memory.events


def test_what_is_remembered_and_cannot_be_read_is_searched_again() -> None:
    memory = SearchMemory()
    whole = {name: KILL[name] for name in ("tries", "left", "spent", "effort")}
    unreadable: tuple[dict[str, Any], ...] = (
        {"tries": []},
        {**whole, "effort": ["3", 7, 0.5, 0.25]},
        {**whole, "tries": [["a"]]},
    )
    for wrong in unreadable:
        memory.events[SYMBOLS[0]] = (whole, wrong)
        stream = CreditStream(SYMBOLS, NONCE, memory)
        assert ((), 0) == (stream.recall(), stream.done)
