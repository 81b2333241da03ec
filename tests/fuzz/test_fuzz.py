"""No bytes may crash or stall what reads them: a bounded run of each fuzz target, and how a run fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNS = {"files": 2000, "commits": 20_000, "signers": 20_000}
SECONDS = 30
LONGEST = 16_384


def fuzzed(target: str, folder: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    command = (sys.executable, "-m", "testing.fuzz", target, str(folder / "corpus"), f"-artifact_prefix={folder}/")
    return subprocess.run((*command, *options), cwd=ROOT, capture_output=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("target", RUNS)
def test_no_input_crashes_or_stalls(target: str, tmp_path: Path) -> None:
    bounds = (f"-runs={RUNS[target]}", f"-timeout={SECONDS}", f"-max_len={LONGEST}", "-seed=20261129")
    answer = fuzzed(target, tmp_path, *bounds)
    kept = [path.name for path in tmp_path.iterdir() if path.name != "corpus"]
    assert (0, []) == (answer.returncode, kept), answer.stderr[-4000:].decode("utf-8", "replace")
    assert f"Done {RUNS[target]} runs".encode() in answer.stderr or b"DONE" in answer.stderr


def test_a_target_that_is_none_is_refused(tmp_path: Path) -> None:
    answer = fuzzed("nonsense", tmp_path)
    assert answer.returncode == 1
    assert b"targets: files, commits, signers" in answer.stderr
