"""commit-msg leaves a trailer where an agent's environment was there, and nothing anywhere else."""

from __future__ import annotations

import pytest

from testing.command_line import agentgate
from testing.repo_builder import RepoBuilder

AGENT = {"CLAUDE_CODE_CHILD_SESSION": "1"}
TRAILER = "Agentgate-Environment: claude-code\n"
MESSAGES = {
    "subject alone": ("Fix\n", "Fix\n\n" + TRAILER),
    "body": ("Fix\n\nBecause.\n", "Fix\n\nBecause.\n\n" + TRAILER),
    "other trailers": ("Fix\n\nReviewed-by: Pat <p@e.org>\n", "Fix\n\nReviewed-by: Pat <p@e.org>\n" + TRAILER),
    "comments stay behind it": ("Fix\n\n# Please enter\n", "Fix\n\n" + TRAILER + "\n# Please enter\n"),
    "there already": ("Fix\n\n" + TRAILER, "Fix\n\n" + TRAILER),
}


def hooked(repo: RepoBuilder, message: str, **environ: str) -> str:
    repo.commit({"a.py": "x = 1\n"})
    repo.write({"a.py": "x = 2\n", ".git/COMMIT_EDITMSG": message})
    repo.git("add", "a.py")
    assert 0 == agentgate(repo, "hook", "commit-msg", ".git/COMMIT_EDITMSG", **environ).status
    return (repo.path / ".git" / "COMMIT_EDITMSG").read_text()


def test_a_message_by_nobody_known_is_left_as_it_is(repo: RepoBuilder) -> None:
    assert "Fix\n" == hooked(repo, "Fix\n", CURSOR_TRACE_ID="1", CI="true")


@pytest.mark.parametrize(("message", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_a_message_of_an_agent_says_so(repo: RepoBuilder, message: str, expected: str) -> None:
    assert expected == hooked(repo, message, **AGENT)


def test_the_record_decides_where_the_environment_is_gone(repo: RepoBuilder) -> None:
    repo.commit({"a.py": "x = 1\n"})
    repo.commit({"a.py": "x = 2\n"}, hooked(repo, "Fix\n", **AGENT))
    commits = agentgate(repo, "check", "HEAD", "--format", "json").json()["commits"]
    assert [("agent", "A_ENV")] == [(commit["class"], commit["rule"]) for commit in commits]


def test_a_refused_commit_keeps_its_message(repo: RepoBuilder) -> None:
    repo.commit({"entropy.baseline.yaml": "version: 1\npins: {tz: UTC}\n"})
    repo.write({".git/COMMIT_EDITMSG": "Drop it\n"})
    repo.git("rm", "-q", "entropy.baseline.yaml")
    assert 1 == agentgate(repo, "hook", "commit-msg", ".git/COMMIT_EDITMSG", **AGENT).status
    assert "Drop it\n" == (repo.path / ".git" / "COMMIT_EDITMSG").read_text()
