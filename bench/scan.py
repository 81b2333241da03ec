"""`scan` of a whole history against `git log -p` of it, and of many changed files against a hook that parses them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bench.harness import Ratio, command, interleaved
from bench.history import write_history
from testing.repo_builder import RepoBuilder

BIN = Path(sys.executable).parent
COMMITS = 5_500
_TESTS = 25
_FEW, _MANY = 1_000, 4_000


def run(scratch: Path, rounds: int) -> list[Ratio]:
    """5,500 commits cold and warm; 1,000 and 4,000 changed test files in one commit."""
    turns = max(3, rounds // 7)
    return [*_history(scratch, turns), *_files(scratch, turns)]


def _history(scratch: Path, turns: int) -> list[Ratio]:
    repo = write_history(scratch / "history", scratch / "home", COMMITS)
    cache = repo.path / ".git/agentgate"
    scan = _scan(repo, "--all")
    log = command(["git", "log", "-p", "-U0"], repo.path, repo.environment)

    def cold() -> None:
        shutil.rmtree(cache, ignore_errors=True)
        scan()

    seconds = interleaved({"floor": log, "cold": cold, "warm": scan}, turns)
    name = f"git log -p -U0 of {COMMITS:,} commits"
    return [
        Ratio("scan --all, nothing known", seconds["cold"], name, seconds["floor"], 1.0),
        Ratio("scan --all, the second time", seconds["warm"], name, seconds["floor"], 0.2),
    ]


def _files(scratch: Path, turns: int) -> list[Ratio]:
    few, many = (_changed(scratch / f"files-{count}", scratch / "home", count) for count in (_FEW, _MANY))
    paths = [f"tests/test_{n}.py" for n in range(_FEW)]
    seconds = interleaved(
        {
            "floor": command([str(BIN / "check-ast"), *paths], few.path, few.environment),
            "few": _scan(few, "--range", "HEAD~1..HEAD", "--no-cache"),
            "many": _scan(many, "--range", "HEAD~1..HEAD", "--no-cache"),
        },
        turns,
    )
    growth = _MANY / _FEW
    return [
        Ratio("scan of 1,000 changed test files", seconds["few"], "check-ast on them", seconds["floor"], 1.0),
        Ratio("scan of 4,000 changed test files", seconds["many"], "four times 1,000", seconds["few"] * growth, 1.1),
    ]


def _changed(path: Path, home: Path, count: int) -> RepoBuilder:
    """A commit that adds a test to each of so many files."""
    repo = RepoBuilder.create(path, home)
    head = "import pytest\nfrom shop import total\n\n\n"
    one = "def test_{0}_{1}():\n" + "    found = total([{0}, {1}])\n" * 4 + "    assert found == {1}\n\n\n"
    texts = [head + "".join(one.format(n, m) for m in range(_TESTS)) for n in range(count)]
    repo.commit({f"tests/test_{n}.py": text for n, text in enumerate(texts)})
    repo.commit({f"tests/test_{n}.py": text + one.format(n, _TESTS) for n, text in enumerate(texts)})
    return repo


def _scan(repo: RepoBuilder, *arguments: str) -> Callable[[], None]:
    """Findings are an answer too: of what it ends with only that it could look counts."""
    argv = [str(BIN / "git-agentgate"), "scan", *arguments]

    def scan() -> None:
        done = subprocess.run(argv, cwd=repo.path, env=repo.environment, capture_output=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{argv} ended with {done.returncode}:\n{done.stderr.decode()}")

    return scan
