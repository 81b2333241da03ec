"""What a sealed run shows on a terminal while it goes on."""

from __future__ import annotations

from agentgate_git.cli.run_progress import BarsOfRun
from agentgate_git.model.transfer import Progress


def test_each_part_of_a_run_has_a_bar() -> None:
    shown: list[Progress] = []
    bars = BarsOfRun(shown.append)
    bars.ran(3, 9)
    bars.examined(1, 4)
    bars.confirmed(0, 2)
    assert [("tests", 3, 9), ("changed symbols", 1, 4), ("kills confirmed", 0, 2)] == shown
