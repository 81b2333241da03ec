"""The processes that a process started, as the system tells: who they are, what they take, and ending them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic, sleep

_PAUSE = 0.002
_TASKS, _RSS = 17, 21  # in /proc/N/stat, counted from behind the program's name


def descendants(pid: int) -> Iterator[int]:
    """All that a process started and that still runs, each after its parent, those without one that it adopted too."""
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        for task in _names(f"/proc/{parent}/task"):
            for child in map(int, _read(f"/proc/{parent}/task/{task}/children").split()):
                yield child
                waiting.append(child)


def tasks_and_pages(pid: int) -> tuple[int, int]:
    """How many threads a process has, and how many pages of memory; (0, 0) when it is gone."""
    fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return (int(fields[_TASKS]), int(fields[_RSS])) if len(fields) > _RSS else (0, 0)


def share_of_memory(pid: int) -> int:
    """The bytes that a process takes, of pages that several share its part; 0 where the system does not tell."""
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) << 10
    return 0


def end_descendants(seconds: float) -> bool:
    """End all that this process started and adopted, and wait for it; False when something is left after `seconds`."""
    deadline = monotonic() + seconds
    own = os.getpgrp()
    while monotonic() < deadline:
        for pid in descendants(os.getpid()):  # killed as they are found: a bomb does not wait for a list
            with suppress(ProcessLookupError, PermissionError):
                group = os.getpgid(pid)
                if group != own:
                    os.killpg(group, signal.SIGKILL)  # at once, so that none of them can start another
                os.kill(pid, signal.SIGKILL)
        if not _reap():
            return True
        sleep(_PAUSE)
    return False


def _reap() -> bool:
    """Take the status of every child that ended; False when there is no child any more."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return False
    return True


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _read(path: str) -> str:
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""
