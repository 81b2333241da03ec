"""Interleaved rounds and medians, so that the machine's mood hits every contestant alike."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from agentgate_git.model.record import Record

NO_BUDGET = float("inf")


class Ratio(Record):
    """One figure: what was measured, in seconds, over its floor, and the most it may be."""

    name: str
    seconds: float
    floor: str
    floor_seconds: float
    budget: float
    wants_more: bool = False

    def value(self) -> float:
        """Seconds over the floor's; for a speed-up, the floor's over ours."""
        return self.floor_seconds / self.seconds if self.wants_more else self.seconds / self.floor_seconds

    def is_within(self) -> bool:
        """True when the budget holds."""
        return self.value() >= self.budget if self.wants_more else self.value() <= self.budget


def interleaved(contestants: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Median seconds of each contestant; the first round only warms up."""
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(rounds + 1):
        for name, action in contestants.items():
            seconds = timed(action)
            if turn:
                times[name].append(seconds)
    return {name: statistics.median(values) for name, values in times.items()}


def timed(action: Callable[[], object]) -> float:
    """Seconds that an action takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def command(argv: Sequence[str], directory: Path, environment: Mapping[str, str]) -> Callable[[], object]:
    """A contestant that runs a program, which must succeed; its output is thrown away."""

    def run() -> None:
        done = subprocess.run(argv, cwd=directory, env=environment, capture_output=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{argv} ended with {done.returncode}:\n{os.fsdecode(done.stdout + done.stderr)}")

    return run


def in_turn(*actions: Callable[[], object]) -> Callable[[], object]:
    """A contestant made of several, one after the other."""

    def run() -> None:
        for action in actions:
            action()

    return run


def instructions(argv: Sequence[str], directory: Path, environment: Mapping[str, str], out: Path) -> int:
    """Instructions of the first process under callgrind: repeatable where time is not."""
    tool = ["valgrind", "--tool=callgrind", "--trace-children=no", f"--callgrind-out-file={out}"]
    done = subprocess.run([*tool, *argv], cwd=directory, env=environment, capture_output=True, check=True)
    line = next(line for line in os.fsdecode(done.stderr).splitlines() if "Collected" in line)
    return int(line.rsplit(":", 1)[1])
