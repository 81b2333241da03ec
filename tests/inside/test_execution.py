"""What ran is told for each set of hits alone, in this thread and in others."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from agentgate_git.inside.execution import Execution


def inner() -> int:
    return 1


def outer() -> int:
    return inner()


def names(hits: Any) -> set[str]:
    return {name for _, name, _ in hits} & {"inner", "outer"}


@pytest.fixture
def execution() -> Iterator[Execution]:
    before = sys.getprofile()
    execution = Execution([__file__])
    execution.start()
    yield execution
    execution.stop()
    sys.setprofile(before)


def test_each_set_of_hits_has_what_ran_meanwhile(execution: Execution) -> None:
    outer()
    first, execution.hits = execution.hits, set()
    inner()
    second, execution.hits = execution.hits, set()
    assert [{"inner", "outer"}, {"inner"}, set()] == [names(first), names(second), names(execution.hits)]


def test_what_is_replaced_has_all_that_ran_before(execution: Execution) -> None:
    first: set[Any] = set()
    execution.hits = first
    outer()
    execution.hits = set()
    assert {"inner", "outer"} == names(first)


def test_nothing_is_told_of_what_runs_after_the_end(execution: Execution) -> None:
    outer()
    execution.stop()
    execution.hits = set()
    execution.resume()
    inner()
    execution.pause()
    hits = execution.hits
    execution.start()  # for the fixture to stop
    assert set() == names(hits)


def test_other_threads_are_watched(execution: Execution) -> None:
    thread = threading.Thread(target=inner)
    thread.start()
    thread.join()
    assert {"inner"} == names(execution.hits)


def test_a_profiler_of_the_tests_is_left_alone(execution: Execution) -> None:
    def other(_frame: Any, _event: str, _argument: Any) -> None:
        return None

    sys.setprofile(other)
    execution.hits = set()
    found = sys.getprofile()
    sys.setprofile(None)
    assert found is other
