"""Run the tests of a directory once, and say what happened."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from math import inf
from time import gmtime, monotonic, strftime

from agentgate_git.model.packet import RunReport
from agentgate_git.model.record import Record
from agentgate_git.runner.box import Box
from agentgate_git.runner.dialogue import Dialogue, Script
from agentgate_git.runner.running_test import RunningTest
from agentgate_git.runner.stream import RunStream

LAUNCHER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "inside", "launch.py")


class RunRequest(Record):
    """One run: `python` runs pytest with `args` in `directory`, with exactly `environment`.

    `time_limit` is in seconds, 0 for none. `now` gives seconds since the epoch. Output goes to the file `log`,
    or where ours goes when it is empty. `decide_after_collection` gets what is known by then; the tests run only
    when it says True. `precondition` is called while the interpreter starts, and raises to call the run off
    before pytest looks at the project. `recorded` names the variables that the report repeats as the tests saw
    them. `is_interactive` keeps the terminal's keys working, see SuiteProcess. With a `box` it runs in that. `umask`
    is set in the child; -1 leaves it.
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
    box: Box | None = None
    umask: int = -1


class Observer:
    """Somebody who may like to know how far it is; this one does not."""

    def collected(self, count: int) -> None:
        """So many tests will run."""

    def ran(self, done: int, count: int) -> None:
        """`done` of `count` have ended."""


def run_tests(request: RunRequest, observer: Observer | None = None) -> RunReport:
    """Start, watch and end one run; Undecided when that interpreter cannot run pytest at all."""
    with RunningTest() as running:
        return _Run(request, observer or Observer(), running).to_the_end()


class _Run:
    def __init__(self, request: RunRequest, observer: Observer, running: RunningTest) -> None:
        self._request = request
        self._running = running
        self._observer = observer
        self._stream = RunStream(request.nonce)
        self._dialogue = Dialogue(
            Script(
                request.python,
                LAUNCHER,
                request.directory,
                request.environment,
                request.log,
                request.box,
                request.is_interactive,
                request.umask,
                running.descriptors,
            ),
            self._stream,
            monotonic() + (request.time_limit or inf),
            f"the time limit of {request.time_limit:g} s was reached",
        )
        self._done = 0
        self._is_answered = False

    def to_the_end(self) -> RunReport:
        started_at = self._time()
        status = self._dialogue.to_the_end(self._begin, self._heard)
        report = self._stream.report(status, started_at, self._time(), self._dialogue.problems)
        return report._replace(running="" if report.is_finished else self._running.name())

    def _begin(self) -> None:
        if self._request.precondition is not None:
            self._request.precondition()
        self._dialogue.say(json.dumps(self._order()))

    def _order(self) -> dict[str, object]:
        request = self._request
        return {
            "args": request.args,
            "nonce": request.nonce,
            "wait": request.decide_after_collection is not None,
            "variables": request.recorded,
        }

    def _heard(self) -> None:
        if self._stream.is_collected and not self._is_answered:
            self._is_answered = True
            self._observer.collected(len(self._stream.selected))
            decide = self._request.decide_after_collection
            if decide is not None:
                self._dialogue.say("go" if decide(self._stream.report(-1, "", "", ())) else "stop")
        if len(self._stream.ran) > self._done:
            self._done = len(self._stream.ran)
            self._observer.ran(self._done, len(self._stream.selected))

    def _time(self) -> str:
        return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(self._request.now()))
