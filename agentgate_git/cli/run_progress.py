"""Progress of a sealed run, on a terminal and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agentgate_git.cli.progress import transfer_progress
from agentgate_git.cli.session import Session
from agentgate_git.flows.run import Watcher
from agentgate_git.model.transfer import Progress


@contextmanager
def run_progress(session: Session) -> Iterator[Watcher | None]:
    """Bars for the tests of a sealed run, for its symbols and for kills; None where there is no terminal."""
    with transfer_progress(session) as show:
        yield BarsOfRun(show) if show else None


class BarsOfRun(Watcher):
    """One bar for each part of a run; `show` draws it."""

    def __init__(self, show: Callable[[Progress], None]) -> None:
        self._show = show

    def ran(self, done: int, count: int) -> None:
        """Tests."""
        self._show(Progress("tests", done, count))

    def examined(self, done: int, count: int) -> None:
        """Symbols that were broken."""
        self._show(Progress("changed symbols", done, count))

    def confirmed(self, done: int, count: int) -> None:
        """Kills of which it is known whether they stand."""
        self._show(Progress("kills confirmed", done, count))
