"""Laying out a tree against one process of read-tree and checkout-index."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from agentgate_git.repo.materialise import materialise
from agentgate_git.repo.process import Git
from bench.harness import Ratio, interleaved
from testing.repo_builder import RepoBuilder

FILES = 4_000


def run(scratch: Path, rounds: int) -> list[Ratio]:
    """4,000 files into an empty directory, and into one that holds them already."""
    repo = RepoBuilder.create(scratch / "tree", scratch / "home")
    repo.commit({f"d{i % 80}/f{i}.py": f"# {i}\n" + "x = 1\n" * 400 for i in range(FILES)})
    git, tree = Git.in_repository(str(repo.path), repo.environment), repo.tree()
    target, kept = scratch / "out" / "tree", scratch / "kept" / "tree"

    def floor() -> None:
        _empty(target)
        extra = {"GIT_INDEX_FILE": str(target) + ".floor", "GIT_WORK_TREE": str(target)}
        git.run("-c", "checkout.workers=1", "read-tree", tree, extra=extra)
        git.run("-c", "checkout.workers=1", "checkout-index", "-a", "-f", "-q", extra=extra)
        os.unlink(str(target) + ".floor")

    def ours() -> None:
        _empty(target)
        materialise(git, tree, str(target))

    _empty(kept)
    materialise(git, tree, str(kept))
    seconds = interleaved({"floor": floor, "ours": ours, "again": lambda: materialise(git, tree, str(kept))}, rounds)
    floor_name = "read-tree + checkout-index, one worker"
    return [
        Ratio("materialise 4,000 files", seconds["ours"], floor_name, seconds["floor"], 0.8),
        Ratio("materialise the same 4,000 files again", seconds["again"], floor_name, seconds["floor"], 0.3),
    ]


def _empty(directory: Path) -> None:
    shutil.rmtree(directory.parent, ignore_errors=True)
    directory.mkdir(parents=True)
