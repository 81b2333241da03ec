"""What a merge queue makes: new commits, and trees that nobody has tested yet."""

from __future__ import annotations

import sys

import pytest

from testing.command_line import installed as agentgate
from testing.repo_builder import RepoBuilder

PYTHON = ("--python", sys.executable)


@pytest.fixture
def proposals(repo: RepoBuilder) -> RepoBuilder:
    """Two branches off `main`, each with a test of its own and evidence for its tip."""
    repo.commit({"core.py": "ONE = 1\n", "test_core.py": "def test_core():\n    assert True\n"})
    repo.git("config", "agentgate.target", "main")
    for name in ("left", "right"):
        repo.git("checkout", "-q", "-b", name, "main")
        repo.commit({f"test_{name}.py": f"def test_{name}():\n    assert True\n"})
        assert 0 == agentgate(repo, "capture", "HEAD", *PYTHON).status
    repo.git("checkout", "-q", "-b", "queue", "main")
    return repo


def squash(repo: RepoBuilder, branch: str, **who: str) -> None:
    """What a queue does with a proposal: one new commit, by another committer."""
    repo.git("merge", "-q", "--squash", branch)
    repo.git("commit", "-q", "-m", f"{branch} (#1)", **who)


def test_b65_a_squashed_proposal_keeps_the_evidence_of_its_tree(proposals: RepoBuilder) -> None:
    squash(proposals, "left", GIT_COMMITTER_EMAIL="queue@example.org")
    assert proposals.tree("left") == proposals.tree("queue")
    (result,) = agentgate(proposals, "verify", "queue", *PYTHON, "--format", "json").json()["results"]
    assert ("ALLOW", "REPRODUCED", "tree") == (result["decision"], result["verdict"], result["rung"])


def test_b65_a_group_of_proposals_has_a_tree_that_nobody_tested(proposals: RepoBuilder) -> None:
    squash(proposals, "left")
    squash(proposals, "right")
    (result,) = agentgate(proposals, "verify", "queue", *PYTHON, "--format", "json").json()["results"]
    assert ("E_STALE", "STALE", 5) == (result["decision"], result["verdict"], result["exit"])
    assert "tree" in result["drifted"]
