"""Repositories that are stored in an unusual way, and changes that are unusually large."""

from __future__ import annotations

import json
import sys

from testing.repo_builder import RepoBuilder

TEST_FILE = "tests/test_core.py"
RUNNING = "import pytest\n\n\ndef test_one():\n    assert 1 == 1\n"
SKIPPED = "import pytest\n\n\n@pytest.mark.skip\ndef test_one():\n    assert 1 == 1\n"


def checked(repo: RepoBuilder, *args: str) -> tuple[int, list[str]]:
    """The exit status of `check` and the codes it found."""
    done = repo.run(sys.executable, "-m", "agentgate_git", "check", "--format", "json", *args)
    assert b"" == done.stderr
    return done.returncode, [finding["code"] for finding in json.loads(done.stdout)["findings"]]


def test_b38_refs_that_are_no_files_are_found(repo: RepoBuilder) -> None:
    """As in a reftable repository, where there are none: git is asked for refs, the git directory is not read."""
    repo.commit({TEST_FILE: RUNNING})
    repo.git("branch", "target")
    repo.commit({TEST_FILE: SKIPPED})
    repo.git("config", "agentgate.target", "target")
    repo.git("pack-refs", "--all")
    heads = repo.path / ".git/refs/heads"
    assert [] == [path for path in heads.rglob("*") if path.is_file()]
    assert (1, ["E_SKIP_MARKER"]) == checked(repo, "main")
    assert (0, []) == checked(repo, "target")


def test_b59_a_patch_of_many_megabytes_is_never_made(repo: RepoBuilder) -> None:
    """400,000 lines are rewritten beside one marker; blobs are compared, and only those of tests are read."""
    lines = 400_000
    repo.commit({TEST_FILE: RUNNING, "data/table.csv": "".join(f"{n},before\n" for n in range(lines))})
    repo.commit({TEST_FILE: SKIPPED, "data/table.csv": "".join(f"{n},after\n" for n in range(lines))})
    assert (1, ["E_SKIP_MARKER"]) == checked(repo)
