"""A signal that ends us (a CI job that is called off, `timeout`, a closed terminal) unwinds like any exception.

What was laid out for a run, and the processes of its tests, go with it, and nothing half done is recorded.
"""

from __future__ import annotations

# The part of `signal` that is compiled in: `signal` makes enums of its numbers, which takes a hook longer than git.
import _signal  # type: ignore[import-not-found]

from agentgate_git.model.exit_status import EXIT_HUNG_UP, EXIT_TERMINATED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

_NAMES = {_signal.SIGTERM: "SIGTERM", _signal.SIGHUP: "SIGHUP"}
_STATUSES = {_signal.SIGTERM: EXIT_TERMINATED, _signal.SIGHUP: EXIT_HUNG_UP}


class Ended(BaseException):
    """Somebody wants this to be over: the name of the signal, and the exit status that says so."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.name = _NAMES[number]
        self.exit_status = _STATUSES[number]


def hear_endings() -> None:
    """From now on such a signal raises Ended; one that is ignored (`nohup`) stays so."""
    for number in _NAMES:
        if _signal.getsignal(number) == _signal.SIG_DFL:
            _signal.signal(number, _end)


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    """A terminal that closes tells more than once; what is being taken away must not be cut short."""
    for one in _NAMES:
        _signal.signal(one, _signal.SIG_IGN)
    raise Ended(number)
