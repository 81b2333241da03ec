"""Progress on a terminal, and nowhere else; rich is loaded only when there is something to draw on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agentgate_git.cli.session import Session
from agentgate_git.model.transfer import Progress


@contextmanager
def transfer_progress(session: Session) -> Iterator[Callable[[Progress], None] | None]:
    """A bar for what is fetched, pushed and looked through; None where there is no terminal."""
    if not session.has_terminal():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - 50 ms that only a terminal is worth
    from rich.progress import Progress as Bars  # noqa: PLC0415

    with Bars(console=Console(stderr=True), transient=True) as bars:
        tasks = {}

        def show(progress: Progress) -> None:
            if progress.stage not in tasks:
                tasks[progress.stage] = bars.add_task(progress.stage)
            bars.update(tasks[progress.stage], completed=progress.done, total=progress.total or None)

        yield show
