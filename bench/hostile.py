"""Seconds for files that are made to be slow to read, against one second and two more for each megabyte.

Every shape is measured as a new file and changed all over, each at the sizes that are refused and at the largest that
is read, just below the limits. The second that is free is what a start costs: it keeps small files from being counted
as megabytes. Seconds are processor time of a process of its own, which is stopped at three times what it may take.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.code import NOT_JUDGED
from agentgate_git.model.record import Record
from bench.harness import Ratio
from bench.hostile_shapes import Shape, shapes

FREE = 1.0
PER_MEGABYTE = 2.0
_MEGABYTE = 1_000_000
_STEP = 0.65
_SMALLEST = 16_000
_WARM = 300
_THRESHOLD = 50_000  # as cli.commands sets it
_STOPPED_AT = 3
# From the first share on, the limit is looked for more closely; from the second, the least of some turns counts.
_CLOSE, _CLOSER = 0.6, 3
_HIGH, _TURNS = 0.8, 3

_NEW, _CHANGED = "new", "changed"


class _Measured(Record):
    """Processor seconds for a shape of so many bytes, both sides counted; `how` it was judged."""

    seconds: float
    size: int
    how: str
    shape: str

    def share(self) -> float:
        """Of what it may take."""
        return self.seconds / _allowed(self.size)

    def is_read(self) -> bool:
        """False for what the readers refuse, and for what was not seen to its end."""
        return self.how in (_NEW, _CHANGED)


def run(_scratch: Path, _rounds: int, only: str = "") -> list[Ratio]:
    """The slowest shape of each kind of file; `only` are those with a word in their kind or name."""
    gc.set_threshold(_THRESHOLD)
    worst: dict[str, _Measured] = {}
    chosen = [shape for shape in shapes() if only.lower() in f"{shape.kind}: {shape.name}".lower()]
    for at, shape in enumerate(chosen, 1):
        judge_files({}, {shape.path: shape.filled(_WARM)})  # what is loaded once for a kind of file
        new = tuple(_measured(shape, _NEW, shape.largest()))
        one = max(*new, *_measured(shape, _CHANGED, _above(shape, new[-1].size)), key=_Measured.share)
        _tell(f"{at}/{len(chosen)}", shape, one)
        if shape.kind not in worst or worst[shape.kind].share() < one.share():
            worst[shape.kind] = one
    return [_ratio(kind, one) for kind, one in worst.items()]


def _allowed(size: int) -> float:
    return FREE + PER_MEGABYTE * size / _MEGABYTE


def _above(shape: Shape, size: int) -> int:
    """Where to begin with changed files: a step above what is read of a new one."""
    return min(shape.largest(), int(size / _STEP))


def _measured(shape: Shape, how: str, size: int) -> Iterator[_Measured]:
    """From the largest size down to the first that is read, and up again to the limit where that is slow."""
    beyond = 0
    while True:
        one = _judged(shape, size, how)
        yield one
        if one.is_read() or int(size * _STEP) < _SMALLEST:
            break
        size, beyond = int(size * _STEP), size
    for _ in range(_CLOSER if one.is_read() and beyond and one.share() > _CLOSE else 0):
        middle = (size + beyond) // 2
        one = _judged(shape, middle, how)
        yield one
        size, beyond = (middle, beyond) if one.is_read() else (size, middle)


def _judged(shape: Shape, size: int, how: str) -> _Measured:
    data = shape.filled(size)
    old = {} if how == _NEW else {shape.path: data}
    new = {shape.path: data if how == _NEW else data.replace(b"1", b"2") + b"\n"}
    found: list[_Measured] = []
    while not found or (len(found) < _TURNS and found[-1].share() > _HIGH):
        found.append(_timed(shape, old, new, how))
    return min(found, key=_Measured.share)


def _timed(shape: Shape, old: dict[str, bytes], new: dict[str, bytes], how: str) -> _Measured:
    """In a forked process, so that no shape pays for another, and one that never ends can be ended."""
    size = sum(len(data) for side in (old, new) for data in side.values())
    bound = _STOPPED_AT * _allowed(size)
    answer, told = os.pipe()
    child = os.fork()
    if not child:
        os.close(answer)
        _tell_of(told, old, new, bound)
    os.close(told)
    with open(answer, encoding="ascii") as pipe:
        words = pipe.read().split()
    _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) == 0:
        return _Measured(float(words[0]), size, how if words[1] == "read" else "refused", shape.name)
    is_stopped = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
    return _Measured(bound, size, f"{how}, {'stopped' if is_stopped else 'crashed'}", shape.name)


def _tell_of(told: int, old: dict[str, bytes], new: dict[str, bytes], bound: float) -> None:
    """What the forked process does; it never returns."""
    status = 1
    try:
        gc.collect()
        signal.setitimer(signal.ITIMER_PROF, bound)
        started = time.process_time()
        findings = judge_files(old, new).findings
        seconds = time.process_time() - started
        is_refused = any(one.code == NOT_JUDGED for one in findings)
        os.write(told, f"{seconds} {'refused' if is_refused else 'read'}".encode())
        status = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def _tell(place: str, shape: Shape, one: _Measured) -> None:
    what = f"{one.size // 1000} KB {one.how}, {one.seconds:.2f} s"
    sys.stderr.write(f"{place} {one.share():.2f} {shape.kind}: {shape.name} ({what})\n")
    sys.stderr.flush()


def _ratio(kind: str, one: _Measured) -> Ratio:
    rate = one.seconds * _MEGABYTE / one.size
    name = f"hostile {kind}, slowest: {one.shape} ({one.size // 1000} KB {one.how}, {rate:.1f} s/MB)"
    return Ratio(name, one.seconds, f"{FREE:g} s + {PER_MEGABYTE:g} s/MB", _allowed(one.size), 1.0)
