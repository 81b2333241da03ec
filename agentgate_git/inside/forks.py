"""Forked children that say what they did in JSON lines, and are ended when they take too long."""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import traceback
from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, List, Tuple

    Send = Callable[[Any], None]

_CHUNK = 1 << 16
_MAX_LINE = 8 << 20
# What this process writes to its own parent by; its children must not reach past it.
_upwards: List[int] = []


class Child:
    """A fork of this process that runs `work(send)` and ends; iterate over it for what it sends.

    `has_ended_well` is True when it came to its end by itself, `is_late` when it was ended at `seconds`. What it sends
    within `pause` seconds is read together: of one that sends much, each single thing would wake us.
    """

    def __init__(self, work: Callable[[Send], None], seconds: float, pause: float = 0.0) -> None:
        self.has_ended_well = False
        self.is_late = False
        self._deadline = monotonic() + seconds
        self._pause = pause
        self._out, into = os.pipe()
        _flush()
        self.pid = os.fork()
        if self.pid == 0:
            _run(work, into, (self._out, *_upwards))
        os.close(into)

    def __iter__(self) -> Iterator[Any]:
        """Each thing that it sends, until it is done, gone or late."""
        rest = b""
        try:
            while True:
                data = self._read()
                if not data:
                    return
                *lines, rest = (rest + data).split(b"\n")
                if len(rest) > _MAX_LINE:
                    return
                for line in lines:
                    try:
                        message = json.loads(line)
                    except ValueError:
                        continue
                    if message == "done":
                        self.has_ended_well = True
                        return
                    yield message
        finally:
            self.end()

    def _read(self) -> bytes:
        while True:
            left = self._deadline - monotonic()
            if left <= 0:
                self.is_late = True
                return b""
            if select.select([self._out], [], [], min(left, 0.5))[0]:
                sleep(min(left, self._pause))
                return os.read(self._out, _CHUNK)
            if self._is_gone():
                return b""

    def _is_gone(self) -> bool:
        """True when it ended and only what it started holds the pipe."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self) -> None:
        """End it with all that it started."""
        if not self.pid:
            return
        for pid in [*_descendants(self.pid), self.pid]:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        os.waitpid(self.pid, 0)
        os.close(self._out)
        self.pid = 0


def _run(work: Callable[[Send], None], into: int, others: Tuple[int, ...]) -> None:
    """The child's whole life. It never returns into what its parent was doing."""

    def send(message: Any) -> None:
        data = memoryview(json.dumps(message).encode("ascii") + b"\n")
        while data:
            data = data[os.write(into, data) :]

    try:
        for descriptor in others:
            os.close(descriptor)
        _upwards[:] = [into]
        work(send)
        send("done")
    except BaseException:  # nothing may get past: above us stands the parent's own stack
        traceback.print_exc()
    finally:
        _flush()
        os._exit(0)


def _flush() -> None:
    """A fork must not write again what its parent has written."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            continue  # a test closed or replaced it


def _descendants(pid: int) -> List[int]:
    """The processes that a process started, where the system tells."""
    found: List[int] = []
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        try:
            with open("/proc/{0}/task/{0}/children".format(parent)) as file:
                children = [int(each) for each in file.read().split()]
        except OSError:
            continue
        found.extend(children)
        waiting.extend(children)
    return found
