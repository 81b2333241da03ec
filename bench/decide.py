"""`decide` from plain files against Python's own start."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.harness import Ratio, command, interleaved
from testing.repo_builder import hermetic_environment
from testing.run_cases import NOW, as_bytes, good

BIN = Path(sys.executable).parent


def run(scratch: Path, rounds: int) -> list[Ratio]:
    """One decision over three files."""
    scratch.mkdir()
    environment = hermetic_environment(scratch)
    ours = [str(BIN / "git-agentgate"), "decide", "--now", NOW]
    for name in ("record", "credit", "freeze"):
        (scratch / f"{name}.json").write_bytes(as_bytes(good(name)) or b"")
        ours += [f"--{name}", f"{name}.json"]
    floor = command([sys.executable, "-I", "-c", "pass"], scratch, environment)
    seconds = interleaved({"floor": floor, "ours": command(ours, scratch, environment)}, rounds)
    return [Ratio("decide from three files", seconds["ours"], "python -I -c pass", seconds["floor"], 4.0)]
