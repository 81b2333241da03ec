"""Jobs on several cores: forked workers without threads, whose answers come back in the order of the jobs."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from typing import TypeVar

from agentgate_git.model.record import Record

Job = TypeVar("Job")
TYPE_CHECKING = False
if TYPE_CHECKING:
    Opened = Callable[[], AbstractContextManager[Callable[[Job], bytes]]]

MAX_WORKERS = 8
_HEAD = 8


class _Worker(Record):
    pid: int
    answers: int


def core_count() -> int:
    """How many cores this process may use, MAX_WORKERS at most."""
    return min(MAX_WORKERS, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


def in_order(jobs: Sequence[Job], opened: Opened[Job], workers: int) -> Iterator[bytes]:
    """The answer to each job, in their order. `opened` gives what does a job, once in every process.

    A job that fails in a worker is done again here, so that it fails here as it would have without any.
    """
    count = min(workers, len(jobs))
    if count < 2:
        with opened() as work:
            for job in jobs:
                yield _done(work, job)
        return
    running: list[_Worker] = []
    gc.freeze()
    try:
        running.extend(_started(jobs[first::count], opened) for first in range(count))
        for at, job in enumerate(jobs):
            answer = _answer(running[at % count].answers)
            if answer is None:
                with opened() as work:
                    answer = work(job)
            yield answer
    finally:
        gc.unfreeze()
        for worker in running:
            _end(worker)


def _started(jobs: Sequence[Job], opened: Opened[Job]) -> _Worker:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return _Worker(pid, reading)
    status = 1
    try:  # what follows is another process: nothing of the parent's may run, neither its `finally` nor its exits
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        os.close(reading)
        _do(jobs, opened, writing)
        status = 0
    finally:
        os._exit(status)


def _do(jobs: Sequence[Job], opened: Opened[Job], writing: int) -> None:
    with opened() as work:
        for job in jobs:
            answer = _done(work, job)
            rest = memoryview(len(answer).to_bytes(_HEAD, "big") + answer)
            while rest:
                rest = rest[os.write(writing, rest) :]


def _done(work: Callable[[Job], bytes], job: Job) -> bytes:
    """The answer to a job, behind which cycles are looked for once.

    Trees of syntax have none, and while they live the collector looks through them in vain.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        return work(job)
    finally:
        gc.collect(1)
        if was_enabled:
            gc.enable()


def _answer(descriptor: int) -> bytes | None:
    """The next answer of a worker; None when it failed or is gone, and then for each of its further jobs."""
    head = _take(descriptor, _HEAD)
    size = int.from_bytes(head, "big")
    if len(head) < _HEAD:
        return None
    answer = _take(descriptor, size)
    return answer if len(answer) == size else None


def _take(descriptor: int, size: int) -> bytes:
    parts = []
    while size and (part := os.read(descriptor, min(size, 1 << 20))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _end(worker: _Worker) -> None:
    os.close(worker.answers)
    with suppress(ProcessLookupError):
        os.kill(worker.pid, signal.SIGTERM)
    with suppress(ChildProcessError):
        os.waitpid(worker.pid, 0)
