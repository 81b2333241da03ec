"""Look for cases that fail when a changed symbol is broken: start the search, follow it, end it."""

from __future__ import annotations

import json
import os
import select
from collections.abc import Mapping
from time import monotonic

from agentgate_git.model.failure import Undecided
from agentgate_git.model.falsification import Falsification
from agentgate_git.model.record import Record
from agentgate_git.model.symbol import CREDIT, EXECUTION, REVERSE, SymbolChange
from agentgate_git.runner.credit_stream import CreditStream
from agentgate_git.runner.process import SuiteProcess

FALSIFIER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "inside", "falsify.py")
_CHUNK = 1 << 16
_TICK = 0.2
_NEEDS = (CREDIT, REVERSE, EXECUTION)


class CreditRequest(Record):
    """One search: `python` runs pytest with `args` in `directory`, with exactly `environment`.

    `symbols` are the changes to look at; `old_sources` the files as they were before, by the path they had then, for
    all that changed or went; `production` the paths of all production files of the tree; `favoured` begin the node
    ids of the cases that are asked first, such as those that the change set brings: `path::test`, or a path. A symbol
    may take
    `symbol_seconds` and `mutants` mutants of at most `cases` cases each; the search may take `seconds` and the
    unbroken run before it `unbroken_seconds`. `boundaries` mutants that move a bound of a changed line by one are tried
    for each function even where another mutant was killed. Output goes to the file `log`.
    """

    python: str
    directory: str
    args: tuple[str, ...]
    environment: Mapping[str, str]
    nonce: str
    symbols: tuple[SymbolChange, ...]
    old_sources: Mapping[str, bytes]
    production: tuple[str, ...]
    favoured: tuple[str, ...] = ()
    log: str = ""
    seconds: float = 300.0
    unbroken_seconds: float = 600.0
    symbol_seconds: float = 30.0
    mutants: int = 40
    cases: int = 200
    boundaries: int = 0


class CreditObserver:
    """Somebody who may like to know how far it is; this one does not."""

    def examined(self, done: int, count: int) -> None:
        """`done` of `count` symbols have been looked at."""


def find_kills(request: CreditRequest, observer: CreditObserver | None = None) -> Falsification:
    """Run one search; Undecided when that interpreter cannot run pytest at all."""
    return _Search(request, observer or CreditObserver()).to_the_end()


class _Search:
    def __init__(self, request: CreditRequest, observer: CreditObserver) -> None:
        self._request = request._replace(symbols=tuple(each for each in request.symbols if each.needs in _NEEDS))
        self._observer = observer
        self._stream = CreditStream(self._request.symbols, request.nonce)
        self._deadline = monotonic() + 2 * request.seconds + request.unbroken_seconds + request.symbol_seconds
        self._waiting = memoryview(json.dumps(self._order()).encode("ascii") + b"\n")

    def to_the_end(self) -> Falsification:
        events, events_in = os.pipe()
        control_out, control = os.pipe()
        os.set_blocking(control, False)
        problems: tuple[str, ...] = ()
        try:
            child = self._start(events_in, control_out)
            try:
                self._follow(child, events, control)
                status = child.wait(max(0.0, self._deadline - monotonic()))
                if status is None:
                    problems = ("it took longer than all its time limits together",)
                    status = child.end()
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
        return self._stream.result(status, problems)

    def _start(self, events_in: int, control_out: int) -> SuiteProcess:
        request = self._request
        argv = (request.python, FALSIFIER, str(events_in), str(control_out))
        descriptors = (events_in, control_out)
        try:
            return SuiteProcess(argv, request.directory, request.environment, descriptors, request.log)
        finally:
            os.close(events_in)
            os.close(control_out)

    def _order(self) -> dict[str, object]:
        request = self._request
        wanted = {change.old_path for change in request.symbols if change.old_path}
        return {
            "args": request.args,
            "nonce": request.nonce,
            "symbols": [change._asdict() for change in request.symbols],
            "old": {
                path: data.decode("utf-8", "surrogateescape")
                for path, data in request.old_sources.items()
                if path in wanted
            },
            "production": request.production,
            "favoured": request.favoured,
            "limits": {
                "seconds": request.seconds,
                "unbroken_seconds": request.unbroken_seconds,
                "symbol_seconds": request.symbol_seconds,
                "mutants": request.mutants,
                "cases": request.cases,
                "boundaries": request.boundaries,
            },
        }

    def _follow(self, child: SuiteProcess, events: int, control: int) -> None:
        """Send the order as the child takes it, and read until every writer is gone."""
        poll = select.poll()
        poll.register(events, select.POLLIN)
        poll.register(control, select.POLLOUT)
        while monotonic() < self._deadline:
            has_ended = child.has_ended()
            ready = dict(poll.poll(0 if has_ended else _TICK * 1000))
            if control in ready and not self._send(control):
                poll.unregister(control)
            if events in ready:
                data = os.read(events, _CHUNK)
                if not data:
                    return
                self._take(data)
            elif has_ended:
                return

    def _send(self, control: int) -> bool:
        """True while there is more to send."""
        try:
            self._waiting = self._waiting[os.write(control, self._waiting) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:
            return False  # it ended early; its exit status tells
        return bool(self._waiting)

    def _take(self, data: bytes) -> None:
        done = self._stream.done
        self._stream.feed(data)
        if self._stream.done > done:
            self._observer.examined(self._stream.done, len(self._request.symbols))

    def _require_start(self, status: int) -> None:
        if self._stream.unusable:
            raise Undecided(
                f"{self._request.python}: {self._stream.unusable}",
                "install pytest 7 or newer for it, or name another interpreter with --python",
            )
        if not self._stream.has_started:
            raise Undecided(
                f"{self._request.python} ended with status {status} before it could start pytest",
                "see its output, or name another interpreter with --python",
            )
