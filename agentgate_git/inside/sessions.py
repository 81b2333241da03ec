"""The two kinds of pytest session that take part: one that forks for every mutant, and one for a single run."""

from __future__ import annotations

import gc
import os
import socket
import sys
from importlib import import_module
from time import monotonic

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Set

    Send = Callable[[Any], None]

_cases = import_module("{}.cases".format(__package__))
_judge = import_module("{}.judge".format(__package__))
_execution = import_module("{}.execution".format(__package__))
_forks = import_module("{}.forks".format(__package__))
_hunt = import_module("{}.hunt".format(__package__))
_compiled = import_module("{}.compiled".format(__package__))

_RESTARTS = 20
_ALONE_SECONDS = 10.0
_PAUSE = 0.02


class Collected:
    """The session that collects, runs the cases unbroken in a fork, and forks for each mutant that can be swapped in.

    What runs while modules are imported is noted too. Of symbols that are `known` there are no mutants. With threads
    about it cannot fork: then the unbroken run happens right here, and nothing else.
    """

    def __init__(self, targets: Any, places: Any, limits: Dict[str, Any], known: Set[int], send: Send) -> None:
        self._targets = targets
        self._known = known
        self._limits = limits
        self._send = send
        self.judge = _judge.Judge(places)
        self._execution = _execution.Execution(targets.paths)
        has_to_pause = self._execution.has_to_pause
        self.fixtures = (_cases.PausingAttribution if has_to_pause else _cases.Attribution)(self._execution)
        self._started = monotonic()
        self._passed: Dict[str, List[Any]] = {}
        self._items: Dict[str, Any] = {}
        self._session: Any = None
        self._functions: Dict[str, Any] = {}
        self._rows: List[List[Any]] = []
        self._told = 0.0
        self._execution.start()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of pytest's own loop."""
        self._session = session
        self._execution.stop()
        hits, self._execution.hits = self._execution.hits, set()
        self._send({"imported": self._targets.note_imported(hits)})
        items = list(session.items)
        self._items = {item.nodeid: item for item in items}
        has_threads = _thread_count() > 1
        self._send({"collected": len(items), "seconds": monotonic() - self._started, "threads": has_threads})
        spent = 0.0
        if has_threads:
            self._run_unbroken(items, self._take_at_once)
        else:
            self._run_unbroken_in_forks(items)
            self._tell()
            started = monotonic()
            self._hunt()
            spent = monotonic() - started
        self._send({"finished": spent})
        return True

    def _run_unbroken(self, items: List[Any], send: Send) -> None:
        self._execution.start(only_between=True)

        def ended(place: int, verdict: str, detail: str, seconds: float) -> bool:
            hits, self._execution.hits = self._execution.hits, set()
            verdict = _judge.HIDDEN if self.judge.is_hidden() else verdict
            send([items[place].nodeid, verdict, seconds, self._targets.hit_by(hits), detail])
            return False

        _cases.Cases(self._session, self.judge).run(items, ended)
        self._execution.stop()
        for item in items:
            found = self._targets.hit_by(self.fixtures.of(item))
            if found:
                send([item.nodeid, "", 0.0, found, ""])

    def _run_unbroken_in_forks(self, items: List[Any]) -> None:
        """A case that takes the process with it costs the run only itself."""
        gc.freeze()  # children need not look at, and so copy, what was there before them
        deadline = monotonic() + self._limits["unbroken_seconds"]
        for _ in range(_RESTARTS):
            rest = list(items)
            left = deadline - monotonic()
            child = _forks.Child(lambda send, rest=rest: self._run_unbroken(rest, send), left, _PAUSE)
            done = 0
            for row in child:
                done += bool(row[1])
                self._take(row)
            if child.has_ended_well or done >= len(items):
                return
            self._take([items[done].nodeid, "crash", 0.0, [], "the process ended with it"])
            items = items[done + 1 :]
            if not items or child.is_late:
                return

    def _take(self, row: List[Any]) -> None:
        case, verdict, seconds, hits, _ = row
        if verdict == _judge.PASSED:
            self._passed[case] = [seconds, set(hits)]
        elif not verdict and case in self._passed:
            self._passed[case][1].update(hits)
        self._rows.append(row)
        if monotonic() - self._told > _PAUSE:
            self._tell()

    def _take_at_once(self, row: List[Any]) -> None:
        """The next case may take this process with it."""
        self._take(row)
        self._tell()

    def _tell(self) -> None:
        """Many at once: a message for each case would wake the parent for each."""
        if self._rows:
            self._send({"cases": self._rows})
            self._rows = []
        self._told = monotonic()

    def _hunt(self) -> None:
        self._functions = _compiled.live_functions(self._targets.paths)
        gc.freeze()
        hunt = _hunt.Hunt(self._start, self._limits, 0.0)
        deadline = monotonic() + self._limits["seconds"]
        for number, target in enumerate(self._targets.all):
            if number in self._known:
                continue
            cases = [(case, seconds) for case, (seconds, hits) in self._passed.items() if number in hits]
            if not target.is_function or target.needs != "credit" or not cases or monotonic() > deadline:
                continue
            order = _hunt.in_order(cases, self._targets.favoured)
            self._send({"symbol": number, "row": hunt.symbol(target.attempts(), order, target.control())})

    def _start(self, attempt: Any, cases: List[str], seconds: float) -> Any:
        items = [self._items[case] for case in cases]
        return _forks.Child(lambda send: self._run_broken(attempt, items, send), seconds)

    def _run_broken(self, attempt: Any, items: List[Any], send: Send) -> None:
        try:
            attempt.target.swap(attempt.mutant, self._functions[attempt.target.path])
        except (_compiled.CannotSwap, SyntaxError, ValueError) as error:
            send({"error": str(error)})
            return
        self.judge.watch()
        _run_until_strong(self._session, self.judge, items, send)


class Single:
    """A session that runs some cases once, up to the first strong kill, or each of them alone.

    Alone is a case in a fork of its own, which knows nothing of those before it.

    `groups` are all cases of each test function, in order. A mutant can change the ids of cases that are made from
    what it breaks; they are told by their place, as long as the function has as many as before.
    """

    def __init__(self, cases: List[str], groups: Dict[str, List[str]], places: Any, send: Send) -> None:
        self._cases = cases
        self._groups = groups
        self._send = send
        self.has_run = False
        self.runs_each_alone = False
        self.judge = _judge.Judge(places)
        self._files = {os.path.realpath(case.partition("::")[0]) for case in cases}

    def pytest_ignore_collect(self, collection_path: Any) -> Optional[bool]:
        """Collect only from the files of the cases."""
        path = os.path.realpath(str(collection_path))
        if os.path.isdir(path):
            inside = os.path.join(path, "")
            return None if any(file.startswith(inside) for file in self._files) else True
        return None if path in self._files else True

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of pytest's own loop."""
        groups: Dict[str, List[Any]] = {}
        for item in session.items:
            groups.setdefault(_hunt.function_of(item.nodeid), []).append(item)
        found = [self._find(case, groups) for case in self._cases]
        self.has_run = True
        for place, item in enumerate(found):
            if item is None:
                self._send([place, "crash", "it could not be collected"])
        places = [place for place, item in enumerate(found) if item is not None]
        items = [found[place] for place in places]
        if self.runs_each_alone and len(self._cases) > 1:
            gc.freeze()
            for place in places:
                self._send([place, *self._run_alone(session, found[place])])
        else:
            _run_until_strong(session, self.judge, items, lambda row: self._send([places[row[0]], *row[1:]]))
        return True

    def _run_alone(self, session: Any, item: Any) -> List[str]:
        """With threads about, a fork may lose what they hold; then it has to be asked by itself."""
        if _thread_count() > 1:
            return ["unclear", "it cannot be run beside others: there are threads"]
        child = _forks.Child(lambda send: _run_until_strong(session, self.judge, [item], send), _ALONE_SECONDS)
        rows = list(child)
        if rows and child.has_ended_well:
            return [str(each) for each in rows[-1][1:]]
        return ["timeout", "it took too long"] if child.is_late else ["crash", "the process ended with it"]

    def _find(self, case: str, groups: Dict[str, List[Any]]) -> Any:
        name = _hunt.function_of(case)
        items, known = groups.get(name, []), self._groups.get(name, [])
        same = [item for item in items if item.nodeid == case]
        if same or len(items) != len(known):
            return same[-1] if same else None
        return items[known.index(case)]


def _run_until_strong(session: Any, judge: Any, items: List[Any], send: Send) -> None:
    def ended(place: int, verdict: str, detail: str, _seconds: float) -> bool:
        send([place, verdict, detail])
        return bool(verdict == _judge.STRONG)

    _cases.Cases(session, judge).run(items, ended)


def _thread_count() -> int:
    """Threads that a fork could lose something with. One that waits for a connection holds nothing."""
    frames = sys._current_frames().values()
    try:
        count = len(os.listdir("/proc/self/task"))
    except OSError:
        count = len(frames)
    return count - sum(frame.f_code is socket.socket.accept.__code__ for frame in frames)
