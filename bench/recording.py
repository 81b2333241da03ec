"""A run that records which case executed which changed symbol, against bare pytest on the same suite and Python."""

from __future__ import annotations

import os
from pathlib import Path

from agentgate_git.model.symbol import EXECUTION
from agentgate_git.runner.credit_run import CreditRequest, find_kills
from agentgate_git.source.python.changed_symbols import changed_symbols
from bench.harness import Ratio, command, interleaved
from testing.pythons import minor_of, of_machine, pure_packages
from testing.repo_builder import hermetic_environment

_BUDGET = 1.2
_FIRST_WITH_EVENTS = 12  # sys.monitoring
# Some hundred calls a test, half of them of the code that changed.
_OLD = b"def price(n):\n    return n\n\n\ndef total(items):\n    return sum(price(n) for n in items)\n"
_NEW = _OLD.replace(b"    return n\n", b"    return n * 1\n")
_SUITE = """
import pytest

import shop


@pytest.mark.parametrize("n", range(1_500))
def test_total(n):
    for _ in range(40):
        assert sum(range(200)) == shop.total(range(200))
"""


def run(scratch: Path, _rounds: int) -> list[Ratio]:
    """On the newest Python of the machine that tells what runs without being asked at every call."""
    python = next(each for each in of_machine() if minor_of(each) >= _FIRST_WITH_EVENTS)
    tree = scratch / "tree"
    tree.mkdir(parents=True)
    (tree / "shop.py").write_bytes(_NEW)
    (tree / "test_shop.py").write_text(_SUITE)
    environment = {
        **hermetic_environment(scratch),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(pure_packages(scratch / "packages")),
    }
    changes = changed_symbols({"shop.py": _OLD}, {"shop.py": _NEW}).changes
    request = CreditRequest(
        python=python,
        directory=str(tree),
        args=("-q",),
        environment=environment,
        nonce="bench",
        symbols=tuple(change._replace(needs=EXECUTION) for change in changes),
        old_sources={"shop.py": _OLD},
        production=("shop.py",),
        log=os.devnull,
    )

    def recorded() -> None:
        found = find_kills(request)
        if found.problems or len(found.symbols[0].executed_by) != len(found.passed):
            raise SystemExit(f"nothing was recorded: {found.problems}")

    bare = command([python, "-m", "pytest", "-q", "-p", "no:cacheprovider"], tree, environment)
    medians = interleaved({"floor": bare, "ours": recorded}, 3)
    name = f"recording what runs, Python 3.{minor_of(python)}"
    return [Ratio(name, medians["ours"], "bare pytest", medians["floor"], _BUDGET)]
