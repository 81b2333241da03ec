"""The parent's side of an event pipe: JSON lines of a process that nobody vouches for, each given to its handler."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

MAX_LINE = 16 << 20

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Event = dict[str, Any]
    Handlers = Mapping[str, Callable[[Event], None]]


class EventLines:
    """Takes bytes as they come. What cannot be read is a problem, and a report with problems proves nothing.

    A handler raises ValueError, TypeError or KeyError for an event that is not as it must be. `unusable` says why the
    interpreter cannot be used, `has_started` that it can.
    """

    def __init__(self, handlers: Handlers, nonce: str, most: int) -> None:
        self.unusable = ""
        self.has_started = False
        self._handlers: Handlers = {"unusable": self._on_unusable, **handlers}
        self._nonce = nonce
        self._most = most
        self._rest = b""
        self._total = 0
        self._expected = 0
        self._has_gap = False
        self._has_noise = False

    def feed(self, data: bytes) -> None:
        """Add what was read from the pipe, cut anywhere."""
        self._total += len(data)
        if self._total > self._most:
            self._rest = b""
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > MAX_LINE:
            self._rest = b""
            self._has_noise = True
        for line in lines:
            self._take(line)

    def faults(self) -> Iterator[str]:
        """What is wrong with the lines themselves, each a clause."""
        if self._has_gap:
            yield "a part of its report is missing"
        if self._has_noise:
            yield "its report holds lines that cannot be read"
        if self._rest:
            yield "its report ends within a line"
        if self._total > self._most:
            yield f"its report is larger than {self._most >> 20} MiB"

    def check_nonce(self, event: Event) -> None:
        """Refuse an event of another run."""
        if event["nonce"] != self._nonce:
            raise ValueError("a nonce that is not this run's")

    def _take(self, line: bytes) -> None:
        try:
            event = json.loads(line)
            self._has_gap = self._has_gap or event["number"] != self._expected
            self._expected = event["number"] + 1
            handler = self._handlers.get(event["event"])
            if handler is not None:
                handler(event)
        except (ValueError, TypeError, KeyError, RecursionError):
            self._has_noise = True

    def _on_unusable(self, event: Event) -> None:
        self.unusable = text(event["reason"])


def text(value: object) -> str:
    """A string; TypeError for anything else."""
    if not isinstance(value, str):
        raise TypeError("no text")
    return value
