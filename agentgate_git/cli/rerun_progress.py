"""Progress of tests that are run again, on a terminal and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agentgate_git.cli.progress import transfer_progress
from agentgate_git.cli.session import Session
from agentgate_git.flows.packets.runs import RunWatcher
from agentgate_git.model.transfer import Progress

_STAGE = "tests"


@contextmanager
def run_again_progress(session: Session) -> Iterator[RunWatcher | None]:
    """A bar from the start on, before it is known how many tests there are; None where there is no terminal."""
    with transfer_progress(session) as show:
        if show:
            show(Progress(_STAGE, 0, 0))
        yield BarOfTests(show) if show else None


class BarOfTests(RunWatcher):
    """One bar for the tests of every run; `show` draws it."""

    def __init__(self, show: Callable[[Progress], None]) -> None:
        self._show = show

    def collected(self, count: int) -> None:
        """A run begins."""
        self._show(Progress(_STAGE, 0, count))

    def ran(self, done: int, count: int) -> None:
        """Tests ended."""
        self._show(Progress(_STAGE, done, count))
