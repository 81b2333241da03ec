"""The limits of a box: what the kernel holds for each process, and what has to be looked at for all together."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from time import monotonic

from agentgate_git.model.record import Record
from agentgate_git.runner.descendants import descendants, share_of_memory, tasks_and_pages

_FILES = 4096
_RARE = 10
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Limits(Record):
    """The most that a run may take: bytes of memory, threads, and bytes in a file."""

    memory: int
    processes: int
    file_bytes: int


def held_by_kernel(limits: Limits) -> Callable[[], None]:
    """What a child calls between fork and exec; none of it can be taken back there.

    The number of threads is that of a user, not of a run, so what runs already is added. It does not hold for root,
    in a user namespace of root's neither.
    """
    wanted = (
        (resource.RLIMIT_DATA, limits.memory),
        (resource.RLIMIT_FSIZE, limits.file_bytes),
        (resource.RLIMIT_NPROC, limits.processes + _running()),
        (resource.RLIMIT_NOFILE, _FILES),
        (resource.RLIMIT_CORE, 0),
    )
    rows = [(which, _within(number, resource.getrlimit(which)[1])) for which, number in wanted]

    def hold() -> None:
        for which, number in rows:
            resource.setrlimit(which, (number, number))

    return hold


class Watch:
    """Looks at all that a process started, for what the kernel does not count together."""

    def __init__(self, pid: int, limits: Limits) -> None:
        self._pid = pid
        self._limits = limits
        self._close_look_at = 0.0

    def excess(self) -> str:
        """What it takes too much of, as a clause; empty when it keeps to its limits."""
        threads = pages = 0
        seen = []
        for each in descendants(self._pid):
            seen.append(each)
            more, taken = tasks_and_pages(each)
            threads, pages = threads + more, pages + taken
            if threads > self._limits.processes:
                return f"it ran more than {self._limits.processes} processes and threads at once"
        if pages * _PAGE > self._limits.memory and self._takes_too_much(seen):
            return f"it took more than {self._limits.memory >> 20} MiB of memory"
        return ""

    def _takes_too_much(self, seen: list[int]) -> bool:
        """Pages that several share were counted for each of them. A closer look is dear, so it has to be rare."""
        now = monotonic()
        if now < self._close_look_at:
            return False
        total = sum(map(share_of_memory, seen))
        done = monotonic()
        self._close_look_at = done + _RARE * (done - now)
        return total > self._limits.memory


def _running() -> int:
    """The threads on this machine; no user has more."""
    try:
        with open("/proc/loadavg") as file:
            return int(file.read().split()[3].partition("/")[2])
    except (OSError, IndexError, ValueError):
        return 0


def _within(number: int, most: int) -> int:
    return number if most == resource.RLIM_INFINITY else min(number, most)
