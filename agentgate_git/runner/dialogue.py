"""A child that is told things over one pipe and tells things over another: start it, follow it, end it."""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic

from agentgate_git.model.failure import Undecided
from agentgate_git.model.record import Record
from agentgate_git.runner.box import Box
from agentgate_git.runner.boxed_process import BoxedProcess
from agentgate_git.runner.event_lines import EventLines
from agentgate_git.runner.process import SuiteProcess

_CHUNK = 1 << 16
_SHORT_TICK = 0.02  # where nothing tells that a process has ended


class Script(Record):
    """What to start: `python` runs the file `path` in `directory` with exactly `environment`, in the `box` if any.

    The numbers of descriptors follow the path: where it writes its events, where it reads what it is told, and those
    that are `shared` with it. Output goes to the file `log`, or where ours goes when it is empty. For `is_interactive`
    and `umask` see SuiteProcess.
    """

    python: str
    path: str
    directory: str
    environment: Mapping[str, str]
    log: str
    box: Box | None
    is_interactive: bool = False
    umask: int = -1
    shared: tuple[int, ...] = ()


class Dialogue:
    """One child; `lines` takes what it tells. `deadline` is of the monotonic clock, infinite for none.

    `problems` says what went wrong with it, each a clause.
    """

    def __init__(self, script: Script, lines: EventLines, deadline: float, too_late: str) -> None:
        self.problems: tuple[str, ...] = ()
        self._script = script
        self._lines = lines
        self._deadline = deadline
        self._too_late = too_late
        self._waiting = bytearray()
        self._events = self._control = -1
        self._poll = select.poll()

    def to_the_end(self, begin: Callable[[], None], heard: Callable[[], None]) -> int:
        """Start it, call `begin`, call `heard` each time that it told something; its exit status when all is over.

        Either may `say` something, or raise to call it off. Undecided when the script could not even begin.
        """
        self._events, events_in = os.pipe()
        control_out, self._control = os.pipe()
        os.set_blocking(self._control, False)
        try:
            child = self._start(events_in, control_out)
            try:
                begin()
                status = self._follow(child, heard)
            except KeyboardInterrupt:
                child.interrupt()
                raise
            except BaseException:
                child.end()
                raise
            finally:
                child.close()
        finally:
            os.close(self._events)
            os.close(self._control)
        self._require_start(status)
        return status

    def say(self, line: str) -> None:
        """Tell it one line of ASCII, sent as it takes it."""
        self._waiting += line.encode("ascii") + b"\n"
        self._send()

    def _start(self, events_in: int, control_out: int) -> SuiteProcess:
        """The child alone keeps its ends of the pipes; that is how we learn that it is gone."""
        script = self._script
        descriptors = (events_in, control_out, *script.shared)
        argv = (script.python, script.path, *map(str, descriptors))
        started = (argv, script.directory, script.environment, descriptors, script.log)
        try:
            if script.box is not None:
                return BoxedProcess(script.box, *started, umask=script.umask)
            return SuiteProcess(*started, is_interactive=script.is_interactive, umask=script.umask)
        finally:
            os.close(events_in)
            os.close(control_out)

    def _follow(self, child: SuiteProcess, heard: Callable[[], None]) -> int:
        """Read until it has ended and nothing is left. One that only inherited the pipe is not waited for."""
        for descriptor in (self._events, child.output, child.ending):
            if descriptor >= 0:
                self._poll.register(descriptor, select.POLLIN)
        tick = child.pause if child.ending >= 0 else _SHORT_TICK
        looked = 0.0
        while (now := monotonic()) < self._deadline:
            status = child.status()
            wait = 0.0 if status is not None else min(tick, self._deadline - now)
            ready = {descriptor for descriptor, _ in self._poll.poll(wait * 1000)}
            if self._control in ready:
                self._send()
            if child.output in ready and not child.take_output():
                self._poll.unregister(child.output)
            if self._events in ready:
                self._read(heard)
            elif status is not None:
                return status
            if now - looked > child.pause:
                looked = now
                if problem := child.excess():
                    self.problems += (problem,)
                    return child.end()
        self.problems += (self._too_late,)
        return child.end()

    def _read(self, heard: Callable[[], None]) -> None:
        data = os.read(self._events, _CHUNK)
        if not data:
            self._poll.unregister(self._events)
            return
        self._lines.feed(data)
        heard()

    def _send(self) -> None:
        """Write what the pipe takes, and ask to be told when it takes more."""
        try:
            del self._waiting[: os.write(self._control, self._waiting)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._waiting.clear()  # it ended early; its exit status tells
        if self._waiting:
            self._poll.register(self._control, select.POLLOUT)
            return
        with suppress(KeyError):
            self._poll.unregister(self._control)

    def _require_start(self, status: int) -> None:
        if self._lines.unusable:
            raise Undecided(
                f"{self._script.python}: {self._lines.unusable}",
                "install pytest 7 or newer for it, or name another interpreter with --python",
            )
        if not self._lines.has_started and not self.problems:
            raise Undecided(
                f"{self._script.python} ended with status {status} before it could start pytest",
                "see its output, or name another interpreter with --python",
            )
