"""Run the tests of a directory once, and say what happened."""

from __future__ import annotations

import json
import os
import select
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import gmtime, monotonic, strftime

from agentgate_git.model.failure import Undecided
from agentgate_git.model.packet import RunReport
from agentgate_git.model.record import Record
from agentgate_git.runner.process import SuiteProcess
from agentgate_git.runner.stream import RunStream

LAUNCHER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "inside", "launch.py")
_CHUNK = 1 << 16
_TICK = 0.2


class RunRequest(Record):
    """One run: `python` runs pytest with `args` in `directory`, with exactly `environment`.

    `time_limit` is in seconds, 0 for none. `now` gives seconds since the epoch. Output goes to the file `log`,
    or where ours goes when it is empty. `decide_after_collection` gets what is known by then; the tests run only
    when it says True. `precondition` is called while the interpreter starts, and raises to call the run off
    before pytest looks at the project. `recorded` names the variables that the report repeats as the tests saw
    them. `is_interactive` keeps the terminal's keys working, see SuiteProcess.
    `umask` is set in the child; -1 leaves it.
    """

    python: str
    directory: str
    args: tuple[str, ...]
    environment: Mapping[str, str]
    time_limit: float
    nonce: str
    now: Callable[[], float]
    log: str = ""
    recorded: tuple[str, ...] = ()
    decide_after_collection: Callable[[RunReport], bool] | None = None
    precondition: Callable[[], None] | None = None
    is_interactive: bool = False
    umask: int = -1


class Observer:
    """Somebody who may like to know how far it is; this one does not."""

    def collected(self, count: int) -> None:
        """So many tests will run."""

    def ran(self, done: int, count: int) -> None:
        """`done` of `count` have ended."""


def run_tests(request: RunRequest, observer: Observer | None = None) -> RunReport:
    """Start, watch and end one run; Undecided when that interpreter cannot run pytest at all."""
    return _Run(request, observer or Observer()).to_the_end()


class _Run:
    def __init__(self, request: RunRequest, observer: Observer) -> None:
        self._request = request
        self._observer = observer
        self._stream = RunStream(request.nonce)
        self._deadline = monotonic() + request.time_limit if request.time_limit else float("inf")
        self._problems: tuple[str, ...] = ()
        self._is_answered = False

    def to_the_end(self) -> RunReport:
        started_at = self._time()
        events, events_in = os.pipe()
        control_out, control = os.pipe()
        try:
            child = self._start(events_in, control_out)
            try:
                status = self._watch(child, events, control)
            except KeyboardInterrupt:
                child.interrupt()
                raise
            except BaseException:
                child.end()
                raise
        finally:
            os.close(events)
            os.close(control)
        self._require_start(status)
        return self._stream.report(status, started_at, self._time(), self._problems)

    def _start(self, events_in: int, control_out: int) -> SuiteProcess:
        """The child alone keeps its ends of the pipes; that is how we learn that it is gone."""
        request = self._request
        argv = (request.python, LAUNCHER, str(events_in), str(control_out))
        try:
            return SuiteProcess(
                argv,
                request.directory,
                request.environment,
                (events_in, control_out),
                request.log,
                is_interactive=request.is_interactive,
                umask=request.umask,
            )
        finally:
            os.close(events_in)
            os.close(control_out)

    def _watch(self, child: SuiteProcess, events: int, control: int) -> int:
        if self._request.precondition is not None:
            self._request.precondition()
        self._send(control, json.dumps(self._order()))
        self._read(child, events, control)
        status = child.wait(self._remaining())
        if status is None:
            self._problems = (f"the time limit of {self._request.time_limit:g} s was reached",)
            status = child.end()
        return status

    def _order(self) -> dict[str, object]:
        request = self._request
        return {
            "args": request.args,
            "nonce": request.nonce,
            "wait": request.decide_after_collection is not None,
            "variables": request.recorded,
        }

    def _read(self, child: SuiteProcess, events: int, control: int) -> None:
        """Read until every writer is gone. One that only inherited the pipe is not waited for."""
        poll = select.poll()
        poll.register(events, select.POLLIN)
        while (remaining := self._remaining()) is None or remaining > 0:
            has_ended = child.has_ended()
            wait = 0 if has_ended else min(_TICK, remaining or _TICK)
            if not poll.poll(wait * 1000):
                if has_ended:
                    return
                continue
            data = os.read(events, _CHUNK)
            if not data:
                return
            self._take(data, control)

    def _take(self, data: bytes, control: int) -> None:
        done = len(self._stream.ran)
        self._stream.feed(data)
        if self._stream.is_collected and not self._is_answered:
            self._is_answered = True
            self._observer.collected(len(self._stream.selected))
            decide = self._request.decide_after_collection
            if decide is not None:
                self._send(control, "go" if decide(self._stream.report(-1, "", "", ())) else "stop")
        if len(self._stream.ran) > done:
            self._observer.ran(len(self._stream.ran), len(self._stream.selected))

    def _send(self, control: int, line: str) -> None:
        with suppress(BrokenPipeError):  # it ended early; its exit status tells
            os.write(control, line.encode("ascii") + b"\n")

    def _remaining(self) -> float | None:
        return None if self._deadline == float("inf") else max(0.0, self._deadline - monotonic())

    def _require_start(self, status: int) -> None:
        if self._stream.unusable:
            raise Undecided(
                f"{self._request.python}: {self._stream.unusable}",
                "install pytest 7 or newer for it, or name another interpreter with --python",
            )
        if not self._stream.has_started and not self._problems:
            raise Undecided(
                f"{self._request.python} ended with status {status} before it could start pytest",
                "see its output, or name another interpreter with --python",
            )

    def _time(self) -> str:
        return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(self._request.now()))
