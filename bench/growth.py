"""How the time of a judgement grows with the number of changed files, in processor seconds, the least of some turns."""

from __future__ import annotations

import gc
import time
from itertools import pairwise
from pathlib import Path

from agentgate_git.flows.scan import judge_files
from bench.harness import Ratio

COUNTS = (100, 200, 400, 800)
_TURNS = 2
_TESTS = 12
_THRESHOLD = 50_000  # as cli.commands sets it
_HEAD = "import pytest\nfrom shop import total\n\n\n"
_BODY = "    found = total([{0}, {1}])\n    assert found.count == {0}\n    assert found.sum == {1}\n\n\n"
_TEST = "def test_{0}_{1}():\n" + _BODY


def run(_scratch: Path, _rounds: int) -> list[Ratio]:
    """Each number of files against the one before it, doubled."""
    gc.set_threshold(_THRESHOLD)
    _seconds(COUNTS[0])  # what is loaded once
    least = dict.fromkeys(COUNTS, float("inf"))
    for _ in range(_TURNS):
        for count in COUNTS:
            least[count] = min(least[count], _seconds(count))
    return [
        Ratio(f"judging {count} changed test files", least[count], f"twice {half}", 2 * least[half], 1.1)
        for half, count in pairwise(COUNTS)
    ]


def _seconds(count: int) -> float:
    """For a change set in which every file loses an assertion of one test and gains a test."""
    old = {f"tests/test_{n}.py": _text(n, _TESTS) for n in range(count)}
    new = {
        path: _text(n, _TESTS + 1).replace(b"    assert found.sum == 3\n", b"")
        for n, path in enumerate(f"tests/test_{n}.py" for n in range(count))
    }
    gc.collect()
    started = time.process_time()
    judge_files(old, new)
    return time.process_time() - started


def _text(number: int, tests: int) -> bytes:
    return (_HEAD + "".join(_TEST.format(number, one) for one in range(tests))).encode()
