"""Which code of the changed files runs while a test runs.

On Python 3.12 and later by `sys.monitoring`: a first tool looks for code, and leaves what it has seen alone; a second
one has events of the changed files' code only, each of which is silent once it came, until other hits are collected.
Before that by the profiler of the standard library that is written in C, which keeps the code that was called, and in
other threads by `threading.setprofile`: a call of ours for each of theirs would take longer than most of them.
"""

from __future__ import annotations

import os
import sys
import threading
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any, Dict, Iterable, List, Set, Tuple

    Hit = Tuple[str, str, int]

# Neither those of debuggers and profilers nor, at first, that of coverage tools.
_TOOLS = (4, 3, 1)
_NAME = "agentgate"


class Execution:
    """Collects (real path, function name, first line) in `hits`, which the user replaces as tests come and go."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._hits: Set[Hit] = set()
        self._paths = frozenset(paths)
        # By identity: code objects of the same words are equal, in whatever file. They are kept, so that none is
        # taken for another that came later.
        self._known: Dict[int, Tuple[Any, CodeType]] = {}
        # The real path of each file name that code has; empty for files that are not watched.
        self._real: Dict[str, str] = {}
        self._monitoring: Any = getattr(sys, "monitoring", None)
        # Where it is told of every call, which costs much.
        self.has_to_pause = self._monitoring is None
        self._tools: Tuple[int, ...] = ()
        self._silent: List[CodeType] = []
        self._profiler: Any = import_module("_lsprof").Profiler() if self.has_to_pause else None
        self._is_started = False

    @property
    def hits(self) -> Set[Hit]:
        """What ran since it was replaced."""
        self._take_profile()
        return self._hits

    @hits.setter
    def hits(self, hits: Set[Hit]) -> None:
        self._take_profile()
        self._hits = hits
        for code in self._silent:
            for events in (0, self._monitoring.events.PY_START):  # anew: what was silent is not any more
                self._monitoring.set_local_events(self._tools[1], code, events)
        self._silent.clear()

    def start(self, *, only_between: bool = False) -> None:
        """Watch from now on; or, where watching costs much, only in other threads and between resume and pause."""
        if self.has_to_pause:
            self._is_started = True
            threading.setprofile(self._on_event)
            if not only_between:
                self.resume()
            return
        events = self._monitoring.events
        free = [tool for tool in _TOOLS if self._monitoring.get_tool(tool) is None]
        first, second = self._tools = (*free, *_TOOLS)[:2]
        for tool, callback in ((first, self._on_first_start), (second, self._on_start)):
            self._monitoring.use_tool_id(tool, _NAME)
            self._monitoring.register_callback(tool, events.PY_START, callback)
        self._monitoring.set_events(first, events.PY_START)

    def resume(self) -> None:
        """The project's own code comes next."""
        if self._is_started:
            self._profiler.enable(subcalls=False, builtins=False)

    def pause(self) -> None:
        """The project's own code is over for now."""
        if self._is_profiling():
            self._profiler.disable()

    def stop(self) -> None:
        """Watch no longer."""
        if self.has_to_pause:
            threading.setprofile(None)
            self.pause()
            self._take_profile()
            self._is_started = False
            return
        self._silent.clear()
        self._monitoring.set_events(self._tools[0], 0)
        for _, code in self._known.values():
            self._monitoring.set_local_events(self._tools[1], code, 0)
        for tool in self._tools:
            self._monitoring.free_tool_id(tool)

    def _on_first_start(self, code: CodeType, _offset: int) -> Any:
        hit = self._hit(code)
        if hit is not None:
            self._known[id(code)] = (hit, code)
            self._hits.add(hit)
            self._monitoring.set_local_events(self._tools[1], code, self._monitoring.events.PY_START)
        return self._monitoring.DISABLE

    def _on_start(self, code: CodeType, _offset: int) -> Any:
        self._hits.add(self._known[id(code)][0])
        self._silent.append(code)
        return self._monitoring.DISABLE

    def _take_profile(self) -> None:
        """What was called in this thread since the last time. It must not run while what it keeps is freed."""
        if not self._is_started:
            return
        is_profiling = self._is_profiling()
        self.pause()
        for entry in self._profiler.getstats():
            self._called(entry.code)
        self._profiler.clear()
        if is_profiling:
            self.resume()

    def _is_profiling(self) -> bool:
        """False where a test has another profiler run meanwhile, which is left alone."""
        return self._is_started and sys.getprofile() is self._profiler

    def _on_event(self, frame: Any, event: str, _argument: Any) -> None:
        if event == "call":
            self._called(frame.f_code)

    def _called(self, code: CodeType) -> None:
        known = self._known.get(id(code))
        if known is None:
            known = self._known[id(code)] = (self._hit(code), code)
        if known[0] is not None:
            self._hits.add(known[0])

    def _hit(self, code: CodeType) -> Any:
        filename = code.co_filename
        path = self._real.get(filename)
        if path is None:
            path = os.path.realpath(filename)
            self._real[filename] = path = path if path in self._paths else ""
        return (path, code.co_name, code.co_firstlineno) if path else None
