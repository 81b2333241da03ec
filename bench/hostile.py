"""Seconds for files that are made to be slow to read, against one second and two more for each megabyte.

Every shape is measured at the largest size that is read, just below the limits, once as a new file and once changed
all over, and at the sizes beyond that are refused. The second that is free is what a start costs: it keeps small
files from being counted as megabytes.
"""

from __future__ import annotations

import gc
import time
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


class _Measured(Record):
    """Processor seconds for a shape of so many bytes, both sides counted; `how` it was judged."""

    seconds: float
    size: int
    how: str
    shape: str

    def share(self) -> float:
        """Of what it may take."""
        return self.seconds / (FREE + PER_MEGABYTE * self.size / _MEGABYTE)


def run(_scratch: Path, _rounds: int) -> list[Ratio]:
    """The slowest shape of each kind of file."""
    gc.set_threshold(_THRESHOLD)
    worst: dict[str, _Measured] = {}
    for shape in shapes():
        judge_files({}, {shape.path: shape.filled(_WARM)})  # what is loaded once for a kind of file
        for one in _measured(shape):
            if shape.kind not in worst or worst[shape.kind].share() < one.share():
                worst[shape.kind] = one
    return [_ratio(kind, one) for kind, one in worst.items()]


def _measured(shape: Shape) -> list[_Measured]:
    """From the largest size down to the first that is read."""
    found = []
    size = shape.largest()
    while size > _SMALLEST:
        data = shape.filled(size)
        one, is_refused = _judged(shape, {}, {shape.path: data}, "new")
        found.append(one)
        if not is_refused:
            other = data.replace(b"1", b"2") + b"\n"
            found.append(_judged(shape, {shape.path: data}, {shape.path: other}, "changed")[0])
            break
        size = int(size * _STEP)
    return found


def _judged(shape: Shape, old: dict[str, bytes], new: dict[str, bytes], how: str) -> tuple[_Measured, bool]:
    gc.collect()
    started = time.process_time()
    findings = judge_files(old, new).findings
    seconds = time.process_time() - started
    is_refused = any(one.code == NOT_JUDGED for one in findings)
    size = sum(len(data) for side in (old, new) for data in side.values())
    return _Measured(seconds, size, "refused" if is_refused else how, shape.name), is_refused


def _ratio(kind: str, one: _Measured) -> Ratio:
    rate = one.seconds * _MEGABYTE / one.size
    name = f"hostile {kind}, slowest: {one.shape} ({one.size // 1000} KB {one.how}, {rate:.1f} s/MB)"
    floor = FREE + PER_MEGABYTE * one.size / _MEGABYTE
    return Ratio(name, one.seconds, f"{FREE:g} s + {PER_MEGABYTE:g} s/MB", floor, 1.0)
