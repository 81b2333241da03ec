"""Seconds for files that are made to be slow to read, against one second and two more for each megabyte.

Every shape is measured as a new file and changed all over, each at the sizes that are refused and at the largest that
is read, just below the limits. The second that is free is what a start costs: it keeps small files from being counted
as megabytes. Seconds are processor time of a process of its own, which is stopped at three times what it may take.
A machine that others use as well takes half as long again for the same work: a floor of fixed work is taken before and
after each, and seconds are told as they were where the floor was lowest in this run.
"""

from __future__ import annotations

import ast
import gc
import os
import re
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
_FLOOR = "def test_%d(a, b=%d):\n    assert [a.c for x in b if x < 1] == {'k': f(a, b)}\n"
_FLOOR_PARTS, _FLOOR_TURNS = 600, 9

_NEW, _CHANGED = "new", "changed"


class _Measured(Record):
    """Processor seconds, in terms of the lowest floor, for a shape of so many bytes of both sides; `how` it went."""

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


class _Floor:
    """How long fixed work took at the machine's quietest in this run, in processor seconds."""

    def __init__(self) -> None:
        self.lowest = min(_floor_seconds() for _ in range(_FLOOR_TURNS))

    def corrected(self, seconds: float, floor: float) -> float:
        """What took `seconds` while fixed work took `floor`, as it were at the lowest."""
        self.lowest = min(self.lowest, floor)
        return seconds * self.lowest / floor


def run(_scratch: Path, _rounds: int, only: str = "") -> list[Ratio]:
    """The slowest shape of each kind of file; `only` are those with a word in their kind or name."""
    gc.set_threshold(_THRESHOLD)
    floor = _Floor()
    worst: dict[str, _Measured] = {}
    chosen = [shape for shape in shapes() if only.lower() in f"{shape.kind}: {shape.name}".lower()]
    for at, shape in enumerate(chosen, 1):
        one = _slowest(shape, floor)
        _tell(f"{at}/{len(chosen)}", shape, one)
        if shape.kind not in worst or worst[shape.kind].share() < one.share():
            worst[shape.kind] = one
    return [_ratio(kind, one) for kind, one in worst.items()]


def _slowest(shape: Shape, floor: _Floor) -> _Measured:
    judge_files({}, {shape.path: shape.filled(_WARM)})  # what is loaded once for a kind of file
    new = tuple(_measured(shape, _NEW, shape.largest(), floor))
    return max(*new, *_measured(shape, _CHANGED, _above(shape, new[-1].size), floor), key=_Measured.share)


def _allowed(size: int) -> float:
    return FREE + PER_MEGABYTE * size / _MEGABYTE


def _above(shape: Shape, size: int) -> int:
    """Where to begin with changed files: a step above what is read of a new one."""
    return min(shape.largest(), int(size / _STEP))


def _measured(shape: Shape, how: str, size: int, floor: _Floor) -> Iterator[_Measured]:
    """From the largest size down to the first that is read, and up again to the limit where that is slow."""
    beyond = 0
    while True:
        one = _judged(shape, size, how, floor)
        yield one
        if one.is_read() or int(size * _STEP) < _SMALLEST:
            break
        size, beyond = int(size * _STEP), size
    for _ in range(_CLOSER if one.is_read() and beyond and one.share() > _CLOSE else 0):
        middle = (size + beyond) // 2
        one = _judged(shape, middle, how, floor)
        yield one
        size, beyond = (middle, beyond) if one.is_read() else (size, middle)


def _judged(shape: Shape, size: int, how: str, floor: _Floor) -> _Measured:
    data = shape.filled(size)
    old = {} if how == _NEW else {shape.path: data}
    new = {shape.path: data if how == _NEW else data.replace(b"1", b"2") + b"\n"}
    found: list[_Measured] = []
    while not found or (len(found) < _TURNS and found[-1].share() > _HIGH):
        found.append(_timed(shape, old, new, how, floor))
    return min(found, key=_Measured.share)


def _timed(shape: Shape, old: dict[str, bytes], new: dict[str, bytes], how: str, floor: _Floor) -> _Measured:
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
        seconds = floor.corrected(float(words[0]), float(words[1]))
        return _Measured(seconds, size, how if words[2] == "read" else "refused", shape.name)
    is_stopped = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF
    return _Measured(bound, size, f"{how}, {'stopped' if is_stopped else 'crashed'}", shape.name)


def _tell_of(told: int, old: dict[str, bytes], new: dict[str, bytes], bound: float) -> None:
    """What the forked process does; it never returns."""
    status = 1
    try:
        gc.collect()
        before = _floor_seconds()
        signal.setitimer(signal.ITIMER_PROF, bound)
        started = time.process_time()
        findings = judge_files(old, new).findings
        seconds = time.process_time() - started
        signal.setitimer(signal.ITIMER_PROF, 0)
        floor = (before + _floor_seconds()) / 2
        is_refused = any(one.code == NOT_JUDGED for one in findings)
        os.write(told, f"{seconds} {floor} {'refused' if is_refused else 'read'}".encode())
        status = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(status)


def _floor_seconds() -> float:
    text = "".join(_FLOOR % (n, n) for n in range(_FLOOR_PARTS))
    started = time.process_time()
    sum(1 for _ in ast.walk(ast.parse(text)))
    re.findall(r"\b(?:assert|def)\b[^\n]*[)}]$", text, re.MULTILINE)
    return time.process_time() - started


def _tell(place: str, shape: Shape, one: _Measured) -> None:
    what = f"{one.size // 1000} KB {one.how}, {one.seconds:.2f} s"
    sys.stderr.write(f"{place} {one.share():.2f} {shape.kind}: {shape.name} ({what})\n")
    sys.stderr.flush()


def _ratio(kind: str, one: _Measured) -> Ratio:
    rate = one.seconds * _MEGABYTE / one.size
    name = f"hostile {kind}, slowest: {one.shape} ({one.size // 1000} KB {one.how}, {rate:.1f} s/MB)"
    return Ratio(name, one.seconds, f"{FREE:g} s + {PER_MEGABYTE:g} s/MB", _allowed(one.size), 1.0)
