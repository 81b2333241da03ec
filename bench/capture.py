"""`capture` in place against bare pytest on the same suite."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.harness import Ratio, command, interleaved
from testing.repo_builder import RepoBuilder

BIN = Path(sys.executable).parent
# It waits rather than counts: on a shared machine the speed of a core moves by a fifth from one run to the next.
_LONG = """
import time

import pytest

@pytest.mark.parametrize("n", range(2_000))
def test_work(n):
    time.sleep(0.005)
"""
_SHORT = """
import pytest

@pytest.mark.parametrize("n", range(50))
def test_small(n):
    assert n >= 0
"""


def run(scratch: Path, rounds: int) -> list[Ratio]:
    """A suite of ten seconds and more, and a short one (whose budget is 150 ms more, shown as a ratio)."""
    ratios = []
    for name, body, turns in (("long", _LONG, 3), ("short", _SHORT, rounds)):
        repo = RepoBuilder.create(scratch / f"suite-{name}", scratch / "home")
        repo.commit({"test_suite.py": body, ".gitignore": "__pycache__/\n.pytest_cache/\n"})
        environment = {**repo.environment, "PYTHONDONTWRITEBYTECODE": "1"}
        bare = command([sys.executable, "-m", "pytest", "-q"], repo.path, environment)
        argv = [str(BIN / "git-agentgate"), "capture", "--python", sys.executable, "--", "-q"]
        seconds = interleaved({"floor": bare, "ours": command(argv, repo.path, environment)}, turns)
        budget = 1.05 if name == "long" else (seconds["floor"] + 0.150) / seconds["floor"]
        ratios.append(
            Ratio(f"capture in place, {name} suite", seconds["ours"], "bare pytest", seconds["floor"], budget)
        )
    return ratios
