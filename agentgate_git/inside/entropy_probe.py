"""The pytest plugin that notes what the project reads of clock, chance, time zone, locale, network and file system.

Calls of C functions are seen by `sys.monitoring` on Python 3.12 and later, by `sys.setprofile` before; sockets,
temporary files and recordings by an audit hook; variables by the class of `os.environ`. A read belongs to the line of
the project that it came from, whatever libraries lie between; what pytest and its plugins read for themselves is none.
It starts with the plugin, so collection and fixtures count. What was seen goes to the file AGENTGATE_PROBE as JSON.
"""

from __future__ import annotations

import dis
import json
import os
import sys
import tempfile
from importlib import import_module
from types import BuiltinFunctionType, MethodDescriptorType

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any, Callable, Dict, Iterator, Optional, Set, Tuple

    # The pin that a read concerns, empty for none; the source; whether the pin is needed or merely used.
    Kind = Tuple[str, str, bool]

OUTPUT = "AGENTGATE_PROBE"
_NAME = "agentgate"
_CALLS = frozenset(dis.opmap.get(name, -1) for name in ("CALL", "CALL_FUNCTION", "CALL_METHOD"))
_NEVER = "\0"
_sources: Any = import_module("_agentgate_sources")


class Seen:
    """What was read, and from where: rows of pin, source, need, path, line, function, what."""

    def __init__(self, top: str) -> None:
        self.rows: Set[Tuple[str, str, bool, str, int, str, str]] = set()
        self._top = os.path.join(os.path.realpath(top), "")
        self._own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
        # The path of each file name within the project; empty for libraries, _NEVER for what is not to be blamed.
        self._places: Dict[str, str] = {}

    def place(self, filename: str) -> str:
        """Where a file is: see `_places`."""
        found = self._places.get(filename)
        if found is None:
            found = self._places[filename] = self._find(filename)
        return found

    def _find(self, filename: str) -> str:
        if filename.startswith("<"):
            return _NEVER if filename.startswith("<frozen importlib") else ""
        path = os.path.realpath(filename)
        parts = path.split(os.sep)
        installed = next((at for at, part in enumerate(parts) if part in ("site-packages", "dist-packages")), -1)
        package = parts[installed + 1].partition(".")[0] if installed >= 0 else ""
        if path.startswith(self._own) or package in _sources.RUNNERS or package.startswith(("pytest", "_pytest")):
            return _NEVER
        return path[len(self._top) :] if path.startswith(self._top) and installed < 0 else ""

    def note(self, kind: Kind, frame: Optional[FrameType], what: str, *, is_direct: bool = False) -> None:
        """Note a read by the nearest frame of the project; named by what that frame called.

        None where the import system, pytest or we ourselves stand between; with `is_direct`, where anything does.
        """
        called = what
        while frame is not None and frame.f_code.co_filename.startswith(self._own):
            frame = frame.f_back
        while frame is not None:
            place = self.place(frame.f_code.co_filename)
            if place:
                if place != _NEVER:
                    owner = _name_of(frame.f_code)
                    self.rows.add((*kind, place, frame.f_lineno, "" if owner == "<module>" else owner, called))
                return
            module = str(frame.f_globals.get("__name__", ""))
            if is_direct or (module.partition(".")[0] in _sources.QUIET and kind is not _sources.TEMPORARY):
                return
            if frame.f_code.co_name not in ("__getitem__", "get", "__contains__"):
                called = "{}.{}()".format(module, _name_of(frame.f_code))
            frame = frame.f_back

    def note_test(self, kind: Kind, item: Any, what: str) -> None:
        """Note a read that is known to belong to a test, and no more."""
        path, line, name = item.location
        self.rows.add((*kind, path, (line or 0) + 1, name, what))


def _name_of(code: CodeType) -> str:
    return str(getattr(code, "co_qualname", code.co_name)).rpartition("<locals>.")[2]


class Calls:
    """Follows calls of C functions, from whatever code of the project or its libraries."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._monitoring: Any = getattr(sys, "monitoring", None)
        self._generator = import_module("_random").Random
        self._date = import_module("datetime").date
        self._shared = import_module("random")._inst
        self._folder = tempfile.gettempdir.__code__
        self._on_profile = self._profiler()

    def start(self) -> None:
        """Watch from now on, in every thread."""
        if self._monitoring is None:
            import_module("threading").setprofile(self._on_profile)
            self.resume()
            return
        events = self._monitoring.events
        tool = next(each for each in (4, 3, 1, 2) if self._monitoring.get_tool(each) is None)
        self._monitoring.use_tool_id(tool, _NAME)
        self._monitoring.register_callback(tool, events.CALL, self._on_call)
        self._monitoring.register_callback(tool, events.PY_START, self._on_folder)
        self._monitoring.set_events(tool, events.CALL)
        self._monitoring.set_local_events(tool, self._folder, events.PY_START)

    def resume(self) -> None:
        """The project's own code comes next; a profiler sees every call of pytest's too, and that takes long."""
        if self._monitoring is None:
            sys.setprofile(self._on_profile)

    def pause(self) -> None:
        """The project's own code is over for now."""
        if self._monitoring is None:
            sys.setprofile(None)

    def _on_call(self, code: CodeType, _offset: int, called: Any, first: Any) -> Any:
        kind = type(called)
        if (kind is BuiltinFunctionType or kind is MethodDescriptorType) and called.__name__ in _sources.NAMES:
            owner = called.__self__ if kind is BuiltinFunctionType else first
            self._look(called.__name__, owner, sys._getframe(1))
        if self._seen.place(code.co_filename) == _NEVER:
            return self._monitoring.DISABLE
        return None

    def _profiler(self) -> Callable[[FrameType, str, Any], None]:
        """A function with all it needs at hand, since it is called at every call and every return."""
        look, note, folder, names = self._look, self._seen.note, self._folder, _sources.NAMES

        def on_event(frame: FrameType, event: str, called: Any) -> None:
            if event == "c_call":
                if called.__name__ in names:
                    look(called.__name__, called.__self__, frame)
            elif event == "call" and frame.f_code is folder:
                note(_sources.TEMPORARY, frame.f_back, "tempfile.gettempdir()")

        return on_event

    def _on_folder(self, _code: CodeType, _offset: int) -> None:
        self._seen.note(_sources.TEMPORARY, sys._getframe(1).f_back, "tempfile.gettempdir()")

    def _look(self, name: str, owner: Any, frame: FrameType) -> None:
        kinds: Tuple[Kind, ...] = ()
        if type(owner) is type(sys):
            module = str(getattr(owner, "__name__", ""))
            kinds = self._of_module(module, name, frame)
            text = "{}.{}()".format("os" if module == "posix" else module.lstrip("_"), name)
        elif name in _sources.OF_DATETIME:
            kinds = self._of_datetime(owner, name, frame)
            text = "datetime.{}()".format(name)
        elif isinstance(owner, self._generator):
            kinds = self._of_generator(owner, name, frame)
            text = "random.{}()".format(name)
        for kind in kinds:
            self._seen.note(kind, frame, text, is_direct=name in _sources.DIRECT)

    def _of_module(self, module: str, name: str, frame: FrameType) -> Tuple[Kind, ...]:
        kinds: Tuple[Kind, ...] = _sources.FUNCTIONS.get((module, name), ())
        if module == "time" and name in _sources.WITHOUT_TIME:
            kinds = (_sources.ZONE,) if name in _sources.LOCAL else ()
            if _count_of_arguments(frame) == _sources.WITHOUT_TIME[name]:
                kinds = (_sources.CLOCK, *kinds)
        return kinds

    def _of_datetime(self, owner: Any, name: str, frame: FrameType) -> Tuple[Kind, ...]:
        """A zone that is given is not the machine's."""
        known = owner if isinstance(owner, type) else type(owner)
        if not issubclass(known, self._date):
            return ()
        is_zoned = _count_of_arguments(frame) not in (-1, 1 if name == "fromtimestamp" else 0)
        return tuple(kind for kind in _sources.OF_DATETIME[name] if not is_zoned or kind is not _sources.ZONE_USED)

    def _of_generator(self, owner: Any, name: str, frame: FrameType) -> Tuple[Kind, ...]:
        """Draws from the generator that all share; and others where nobody gave them a seed."""
        if name == "seed":
            is_unseeded = frame.f_code.co_name == "seed" and frame.f_locals.get("a", 0) is None
            return (_sources.STRONG,) if is_unseeded else ()
        return (_sources.RNG,) if owner is self._shared and name in _sources.DRAWS else ()


def _instruction(frame: FrameType) -> Tuple[int, int]:
    """The opcode that a frame is at, and its argument; 3.12 may stand on the caches behind it."""
    code, at = frame.f_code.co_code, frame.f_lasti
    while at > 0 and dis.opname[code[at]] == "CACHE":
        at -= 2
    return (code[at], code[at + 1]) if 0 <= at < len(code) - 1 else (-1, -1)


def _count_of_arguments(frame: FrameType) -> int:
    """How many the call has that a frame is at; by its bytecode, since nobody tells. -1 where that does not say."""
    opcode, argument = _instruction(frame)
    return argument if opcode in _CALLS else -1


def _is_subscript(frame: FrameType) -> bool:
    """True where a frame looks up one key; a copy of a whole mapping asks for each as well."""
    opcode, _ = _instruction(frame)
    return opcode >= 0 and dis.opname[opcode].startswith("BINARY_") and frame.f_code.co_name != "__iter__"


class Audits:
    """Follows what the interpreter itself announces; an audit hook stays, so it can be switched off."""

    def __init__(self, seen: Seen) -> None:
        self.is_on = True
        self._seen = seen
        sys.addaudithook(self._on_event)
        # What refuses the network stands before us and ends the matter.
        getattr(sys.modules.get("_agentgate_held"), "told", []).append(self._on_event)

    def _on_event(self, event: str, args: Any) -> None:
        if not self.is_on:
            return
        kind = _sources.AUDITED.get(event)
        if kind is not None:
            if not _stays_here(event, args):
                self._seen.note(kind, sys._getframe(1), "{}()".format(event))
        elif event == "open":
            self._opened(*args)

    def _opened(self, path: Any, _mode: Any, flags: Any) -> None:
        if isinstance(path, str) and any(folder in path for folder in _sources.CASSETTES):
            if not set(_sources.CASSETTES).isdisjoint(path.split(os.sep)):
                self._seen.note(_sources.NETWORK, sys._getframe(2), "a cassette")
        elif isinstance(flags, int) and flags & os.O_CREAT:
            self._seen.note(_sources.MASK_USED, sys._getframe(2), "open()")


def _stays_here(event: str, args: Any) -> bool:
    """True for the loopback and for sockets that are files."""
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        return not isinstance(address, tuple) or str(address[0]).startswith(_sources.LOOPBACK)
    return event.startswith("socket.") and (args[0] is None or str(args[0]).startswith(_sources.LOOPBACK))


def watch_variables(seen: Seen) -> None:
    """Have reads of `os.environ` noted; it stays the same object, and a mapping of the same kind."""
    original: Any = type(os.environ)

    class Watched(original):  # type: ignore[misc]
        """The environment, under watch."""

        def __getitem__(self, key: Any) -> Any:
            kind = _sources.VARIABLES.get(key) if isinstance(key, str) else None
            if kind is not None and _is_subscript(sys._getframe(1)):
                seen.note(kind, sys._getframe(1), "os.environ[{!r}]".format(key))
            return original.__getitem__(self, key)

    os.environ.__class__ = Watched


class Probe:
    """The plugin: starts at once, and writes when the session is over."""

    def __init__(self, output: str) -> None:
        self._output = output
        self._seen = Seen(os.getcwd())
        self._audits = Audits(self._seen)
        watch_variables(self._seen)
        self._calls = Calls(self._seen)
        self._calls.start()
        self._depth = 0

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtestloop(self) -> Iterator[None]:
        """Up to here files are imported from many places; from here on it is known when."""
        self._calls.pause()
        yield

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_fixture_setup(self) -> Iterator[None]:
        """One fixture."""
        yield from self._watched()

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_call(self, item: Any) -> Iterator[None]:
        """numpy's shared generator is C code that tells nobody: whether it was used shows in its state."""
        before = _numpy_state()
        yield from self._watched()
        if before != _numpy_state():
            self._seen.note_test(_sources.RNG, item, "numpy.random")

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_teardown(self) -> Iterator[None]:
        """What fixtures do at their end."""
        yield from self._watched()

    def _watched(self) -> Iterator[None]:
        self._depth += 1
        self._calls.resume()
        yield
        self._depth -= 1
        if not self._depth:
            self._calls.pause()

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Say what was seen, and which files of the project took part."""
        self._audits.is_on = False
        paths = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
        places = {self._seen.place(path) for path in paths if isinstance(path, str)}
        files = sorted(place for place in places if place not in ("", _NEVER))
        with open(self._output, "w", encoding="utf-8") as file:
            json.dump({"files": files, "reads": sorted(self._seen.rows)}, file)


def _numpy_state() -> Any:
    random: Any = sys.modules.get("numpy.random")
    if not hasattr(random, "get_state"):
        return None
    _, key, place, *rest = random.get_state()
    return key.tobytes(), place, rest


_probe = Probe(os.environ.pop(OUTPUT))  # with its name gone, the tests' own children write to no file of ours


def pytest_configure(config: Any) -> None:
    """By now conftests have been imported, and what they read has been seen."""
    config.pluginmanager.register(_probe, "agentgate-probe")
