"""The pytest plugin that watches a run from inside and reports it event by event.

Loaded by path, never installed. PYTEST_DONT_REWRITE: an xdist worker loads it by name, and pytest would
warn that it came too late to rewrite its assertions.
"""

from __future__ import annotations

import json
import os
import sys
import sysconfig
from collections import Counter

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, Iterator, List, Protocol, Sequence, Set, Tuple

    class Channel(Protocol):
        """The way to the parent; `send` may wait for more, `flush` does not."""

        def send(self, event: str, **fields: Any) -> None: ...
        def is_due(self) -> bool: ...
        def flush(self) -> None: ...
        def note_running(self, tests: Iterable[str]) -> None: ...
        def receive(self) -> str: ...


MODULE = "_agentgate_recorder"
WORKER_KEY = "agentgate"
_CHUNK = 500
_SETUP, _CALL, _TEARDOWN = range(3)
_PHASES = {"setup": _SETUP, "call": _CALL, "teardown": _TEARDOWN}
_OWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
_NO_ORIGIN = frozenset(("__main__", "__mp_main__", MODULE))
_WORKER_SETUP = """
import importlib.util as util, os, sys
spec = util.spec_from_file_location({name!r}, {path!r})
sys.modules[{name!r}] = module = util.module_from_spec(spec)
spec.loader.exec_module(module)
os.environ["PYTEST_PLUGINS"] = {name!r}
"""


class Collection:
    """Follows the list of items from the moment each one is collected until the last one has run.

    Items are compared by identity, since plugins rename them; one that was replaced by another with the
    same id is no loss.
    """

    def __init__(self) -> None:
        self.trimmed: List[str] = []
        self.deselected: List[pytest.Item] = []
        self.kept: List[pytest.Item] = []
        self.started: Set[str] = set()
        self.origins: Set[Tuple[str, str]] = set()
        self._collected: List[pytest.Item] = []
        self._stdlib = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Keep each item as it is found; nobody can have dropped it yet."""
        self._collected.append(item)

    def pytest_deselected(self, items: List[pytest.Item]) -> None:
        """Keep what is dropped openly."""
        self.deselected.extend(items)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: List[pytest.Item]) -> Iterator[None]:
        """Keep items that were put into the list by other ways."""
        known = {id(item) for item in self._collected}
        self._collected.extend(item for item in items if id(item) not in known)
        yield

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> Iterator[None]:
        """Take the list when every other plugin is through with it."""
        yield
        self.kept = list(session.items)
        self.trimmed = _lost(self._collected, [*self.kept, *self.deselected])
        self.note_origins()
        self.collection_is_known()

    def collection_is_known(self) -> None:
        """Called once, when the items that will run are known."""

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[None]:
        """Look again before the first test starts and after the last one."""
        self._take_later_losses(session)
        self.running_is_next(session)
        yield
        self._take_later_losses(session)

    def running_is_next(self, session: pytest.Session) -> None:
        """Called before the first test starts."""

    def _take_later_losses(self, session: pytest.Session) -> None:
        """Count as trimmed what went missing, other than what ran before it went."""
        waiting = [item for item in self.kept if item.nodeid not in self.started]
        if waiting:  # where workers collect, pytest 7 has no list of items here
            lost = Counter(_lost(waiting, [*session.items, *self.deselected]))
            self.trimmed.extend((lost - Counter(self.trimmed)).elements())

    def strict_xfails(self) -> List[str]:
        """The ids of tests that fail the run when they pass."""
        return [item.nodeid for item in self.kept if _is_strict_xfail(item)]

    def note_origins(self) -> None:
        """Add the modules that are loaded now and where each came from; a later look may miss some."""
        for name, module in list(sys.modules.items()):
            path = _file_of(module)
            if path and name not in _NO_ORIGIN and not path.startswith(_OWN) and not self._is_stdlib(path):
                self.origins.add((name, os.path.abspath(path)))

    def _is_stdlib(self, path: str) -> bool:
        return path.startswith(self._stdlib) and "-packages" + os.sep not in path


class WorkerHalf(Collection):
    """In an xdist worker: what only the worker sees, handed over when its session ends."""

    def __init__(self, output: Dict[str, Any]) -> None:
        super().__init__()
        self._output = output

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Know which items were not lost."""
        self.started.add(nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """xdist sends the output on after this."""
        self.note_origins()
        record = {
            "trimmed": self.trimmed,
            "deselected": [item.nodeid for item in self.deselected],
            "origins": sorted(self.origins),
            "strict_xfails": self.strict_xfails(),
        }
        self._output[WORKER_KEY] = json.dumps(record)


class Recorder(Collection):
    """In the process that the parent started: streams what happens, and waits when the parent wants it."""

    __name__ = "agentgate-recorder"

    def __init__(self, channel: Channel, nonce: str, has_to_wait: bool) -> None:
        super().__init__()
        self._channel = channel
        self._nonce = nonce
        self._has_to_wait = has_to_wait
        self._running: Dict[str, Phases] = {}
        self._ran: List[Tuple[str, str]] = []
        self._warnings = 0
        self._status = -1
        self._session: Any = None
        self._is_distributed = False
        self._worker_ids: List[str] = []
        self._worker_records = 0
        self._expected: Set[str] = set()
        self._strict: List[str] = []

    def pytest_configure(self, config: pytest.Config) -> None:
        """`--agentgate` in addopts is done with; an xdist worker must not see it."""
        config.option.agentgate = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Say which plugins take part."""
        manager = session.config.pluginmanager
        self._session = session
        self._is_distributed = manager.has_plugin("dsession")
        plugins = {"{} {}".format(found.project_name, found.version) for _, found in manager.list_plugin_distinfo()}
        self._channel.send("session", plugins=sorted(plugins))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Say what could not be collected."""
        if report.failed:
            self._channel.send("collect_error", id=report.nodeid or "the session")

    def pytest_warning_recorded(self) -> None:
        """Count; the messages belong to the log."""
        self._warnings += 1

    def collection_is_known(self) -> None:
        """Send the ids, unless workers will."""
        if not self._is_distributed:
            self._send_collection([item.nodeid for item in self.kept])

    def running_is_next(self, session: pytest.Session) -> None:
        """Wait for the parent, unless workers still have to collect."""
        if not self._is_distributed:
            self._wait(session)

    def _send_collection(self, ids: List[str]) -> None:
        self._send_many("selected", ids)
        self._channel.send("collected", count=len(ids))
        self._channel.flush()

    def _send_many(self, event: str, things: Sequence[Any], name: str = "ids") -> None:
        for start in range(0, len(things), _CHUNK):
            self._channel.send(event, **{name: things[start : start + _CHUNK]})

    def _wait(self, session: pytest.Session) -> None:
        if not self._has_to_wait:
            return
        self._has_to_wait = False
        if self._channel.receive() != "go":
            self._channel.send("stopped")
            raise session.Interrupted("stopped by agentgate after collection")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test starts, here or in a worker."""
        self.started.add(nodeid)
        self._running[nodeid] = Phases()
        self._channel.note_running(self._running)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One phase ended."""
        phases = self._running.get(report.nodeid) or self._running.setdefault(report.nodeid, Phases())
        if _is_strict_pass(report):
            self._expected.add(report.nodeid)
        if phases.take(report):
            self._channel.send("rerun", id=report.nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """All phases ended."""
        phases = self._running.pop(nodeid, None)
        self._channel.note_running(self._running)
        if phases is not None and not phases.is_given_up():
            outcome = phases.outcome()
            self._ran.append((nodeid, outcome))
            if outcome == "xfailed":
                self._expected.add(nodeid)
            if self._channel.is_due():
                self._send_ran()
                self._channel.flush()

    def _send_ran(self) -> None:
        """Many at once: an event for each test would cost more than a small test does."""
        self._send_many("ran", self._ran, "rows")
        self._ran.clear()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> Iterator[None]:
        """Keep pytest's own status before any plugin can replace it, then say what was left to say."""
        self._status = int(exitstatus)
        yield
        self._ran.extend((nodeid, phases.outcome()) for nodeid, phases in self._running.items())
        self._send_ran()
        if self._is_distributed and not self._worker_records:
            self._channel.send("problem", text="no xdist worker could say what it imported")
        self._send_many("deselected", [item.nodeid for item in self.deselected])
        self._send_many("trimmed", self.trimmed)
        if self._expected:
            strict = self._expected.intersection(self._strict or self.strict_xfails())
            self._send_many("strict_xfails", sorted(strict))
        self.note_origins()
        self._send_many("origins", sorted(self.origins), "rows")

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """The last thing a session does, even one that could not finish."""
        self._send_ran()
        if self._status >= 0:
            self._channel.send("finish", nonce=self._nonce, status=self._status, warnings=self._warnings)
        self._channel.flush()

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Put the worker's half into a worker on this machine before its session starts."""
        if node.gateway.spec.popen:
            source = _WORKER_SETUP.format(name=MODULE, path=os.path.abspath(__file__))
            node.gateway.remote_exec(source).waitclose()

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: List[str]) -> None:
        """The first worker's list is what will run; no test starts before this returns."""
        if not self._worker_ids:
            self._worker_ids = list(ids)
            self._send_collection(self._worker_ids)
            self._wait(self._session)
        elif Counter(ids) != Counter(self._worker_ids):
            differing = (Counter(ids) - Counter(self._worker_ids)) + (Counter(self._worker_ids) - Counter(ids))
            self._send_many("unstable", sorted(differing))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker saw; every worker collects the whole, so lists are not added up."""
        record = getattr(node, "workeroutput", {}).get(WORKER_KEY)
        if record is None:
            return
        seen = json.loads(record)
        self._worker_records += 1
        self.trimmed.extend((Counter(seen["trimmed"]) - Counter(self.trimmed)).elements())
        if self._worker_records == 1:
            self._send_many("deselected", seen["deselected"])
            self._strict = seen["strict_xfails"]
        self.origins.update((name, path) for name, path in seen["origins"])


class Phases:
    """What is known of one test: the outcome of setup, call and teardown in the attempt that counts."""

    __slots__ = ("_has_failed_part", "_has_rerun", "_outcomes")

    def __init__(self) -> None:
        self._outcomes = ["", "", ""]
        self._has_failed_part = False
        self._has_rerun = False

    def take(self, report: pytest.TestReport) -> bool:
        """Add a phase; True when it says that this attempt does not count and another one follows."""
        if report.outcome not in ("passed", "failed", "skipped"):
            self._outcomes = ["", "", ""]
            self._has_failed_part = False
            self._has_rerun = True
            return True
        if type(report).__name__.lower() == "subtestreport":
            if report.failed:
                self._has_failed_part = True
            return False
        # xdist reports a worker that died in a phase of its own; it fails like a call.
        phase = _PHASES.get(str(report.when), _CALL)
        self._outcomes[phase] = _word(report)
        return False

    def is_given_up(self) -> bool:
        """True when this attempt does not count and no other has begun; the test will start anew."""
        return self._has_rerun and not self._outcomes[_SETUP]

    def outcome(self) -> str:
        """One of the outcomes a packet knows."""
        setup, call, teardown = self._outcomes
        if "failed" in (setup, teardown):
            return "failed" if call == "failed" else "error"
        if call == "failed" or self._has_failed_part:
            return "failed"
        if setup in ("skipped", "xfailed") and not call:
            return setup
        return call if setup and call and teardown else "not_run"


def _is_strict_pass(report: pytest.TestReport) -> bool:
    """True for a test that failed the run by passing; what only says so has no mark, and is left out later."""
    return report.failed and isinstance(report.longrepr, str) and report.longrepr.startswith("[XPASS(strict)]")


def _is_strict_xfail(item: pytest.Item) -> bool:
    """By its marks, or the setting for marks that do not say; pytest 9 has one for strictness as a whole too."""
    setting = item.config.getini("xfail_strict")
    is_strict = item.config.getini("strict") if setting is None else setting
    marks = list(item.iter_markers("xfail"))
    return bool(marks) and all(mark.kwargs.get("strict", is_strict) for mark in marks)


def _word(report: pytest.TestReport) -> str:
    if hasattr(report, "wasxfail") and not report.failed:
        return "xpassed" if report.passed else "xfailed"
    return report.outcome


def _lost(before: List[pytest.Item], after: List[pytest.Item]) -> List[str]:
    """The ids of items that are in `before` and, neither themselves nor as a copy, in `after`."""
    present = {id(item) for item in after}
    missing = [item for item in before if id(item) not in present]
    if not missing:
        return []
    known = {id(item) for item in before}
    copies = Counter(item.nodeid for item in after if id(item) not in known)
    lost = Counter(item.nodeid for item in missing) - copies
    return list(lost.elements())


def _file_of(module: Any) -> str:
    """Where a module came from; plain attribute access would run a lazy module's import."""
    try:
        path = object.__getattribute__(module, "__dict__").get("__file__")
    except AttributeError:
        return ""
    return path if isinstance(path, str) else ""


def pytest_addoption() -> None:
    """Loaded by name in an xdist worker; the tests' own children must not load it too."""
    os.environ.pop("PYTEST_PLUGINS", None)


def pytest_configure(config: pytest.Config) -> None:
    """Start the worker's half."""
    output = getattr(config, "workeroutput", None)
    if output is not None:
        config.pluginmanager.register(WorkerHalf(output))
