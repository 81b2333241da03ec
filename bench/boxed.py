"""A pinned run in a box against bare pytest on the same suite, and what the box alone costs a process."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path

from agentgate_git.model.sandbox import BUBBLEWRAP, NO_BOX
from agentgate_git.runner.box import Box, find_box_kind
from agentgate_git.runner.boxed_process import BoxedProcess
from agentgate_git.runner.conclude import judge
from agentgate_git.runner.pins import pinned, pins_of
from agentgate_git.runner.run_tests import RunRequest, run_tests
from agentgate_git.wire.manifest import load_manifest
from bench.harness import NO_BUDGET, Ratio, command, interleaved
from testing.repo_builder import hermetic_environment

# Some wait and some count: the one shows what a box adds, the other what it slows down.
_SUITE = """
import time

import pytest

@pytest.mark.parametrize("n", range(1_000))
def test_wait(n):
    time.sleep(0.008)

@pytest.mark.parametrize("n", range(200))
def test_count(n):
    assert sum(range(300_000)) > n
"""
_MANIFEST = b"""version: 1
property_id: all
pins: {clock_unix: 1700000000, rng_seed: 7, tz: Asia/Tokyo, lang: C.UTF-8, umask: "0027", temp_root: /tmp/pinned}
"""


def _nothing(box: Box, directory: Path) -> Callable[[], None]:
    def start_and_wait() -> None:
        child = BoxedProcess(box, ("/bin/true",), str(directory), {}, (), os.devnull)
        select.select([child.ending], [], [])
        child.status()
        child.close()

    return start_and_wait


def run(scratch: Path, rounds: int) -> list[Ratio]:
    """A suite of ten seconds, and a process that does nothing."""
    tree = scratch / "tree"
    tree.mkdir(parents=True)
    (tree / "test_suite.py").write_text(_SUITE)
    environment = {**hermetic_environment(scratch), "PYTHONDONTWRITEBYTECODE": "1"}
    kind = find_box_kind(BUBBLEWRAP)
    pins = pins_of((load_manifest(_MANIFEST),), sys.executable, environment)
    box = Box(kind, writable=(str(tree),), readable=pins.readable, temp_root=pins.temp_root)
    variables, args = pinned(environment, ("-q", "-p", "no:cacheprovider"), pins)
    request = RunRequest(
        python=sys.executable,
        directory=str(tree),
        args=args,
        environment=variables,
        time_limit=600,
        nonce="bench",
        now=time.time,
        log=str(scratch / "log"),
        umask=pins.umask if pins.umask is not None else -1,
        box=box,
    )

    def boxed() -> None:
        if found := judge(run_tests(request)):
            raise SystemExit(found[0].message)

    bare = command([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"], tree, environment)
    long = interleaved({"floor": bare, "ours": boxed}, 3)
    nothing = command(["/bin/true"], tree, environment)
    short = interleaved({"floor": nothing, "box": _nothing(box, tree), "none": _nothing(Box(NO_BOX), tree)}, rounds)
    return [
        Ratio("pinned run in a box, suite of 10 s", long["ours"], "bare pytest", long["floor"], 1.05),
        *(
            Ratio(f"{name} around `true`", short[each], "`true`", short["floor"], NO_BUDGET)
            for name, each in (("bubblewrap", "box"), ("the keeper", "none"))
        ),
    ]
