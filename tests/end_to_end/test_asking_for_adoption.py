"""The honest way out, from the hook that refuses an agent to the gate that lets its work through."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.command_line import Done
from testing.command_line import installed as agentgate
from testing.hooked_repo import (
    AGENT_SESSION,
    assert_passes,
    assert_refused,
    install_native,
    with_environment,
    with_remote,
    with_tools,
)
from testing.keys import Keys
from testing.proposals import FILES, SKIPPING, TEST_FILE, WORKFLOW
from testing.repo_builder import RepoBuilder

ASK = ("adopt", "--request", "--staged", "--reason", "forks need it")


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "keys")


@pytest.fixture
def agent(repo: RepoBuilder, keys: Keys) -> RepoBuilder:
    """An agent at work on a topic, with native hooks; pat is enrolled on main, which the remote has."""
    signers = keys.line("human:pat", "pat")
    repo.commit(
        {**FILES, ".agentgate/allowed_signers": signers, ".agentgate/policy.yaml": "version: 1\nmode: lenient\n"}
    )
    with_remote(with_tools(repo))
    repo.git("push", "-q", "origin", "main")
    repo.git("config", "agentgate.target", "origin/main")
    repo.git("checkout", "-q", "-b", "topic")
    return with_environment(install_native(repo), AGENT_SESSION)


def decision(repo: RepoBuilder) -> Done:
    return agentgate(repo, "check", "--format", "json")


def test_from_the_refused_commit_to_the_gate(agent: RepoBuilder, repo: RepoBuilder, keys: Keys) -> None:
    agent.write({WORKFLOW: "on: pull_request\n", "core.py": "ONE = 2 - 1\n"})
    agent.git("add", "-A")
    said = assert_refused(agent, "commit", "-m", "build forks")
    assert "git agentgate adopt --request --staged" in said
    asked = agentgate(agent, *ASK)
    assert (0, True) == (asked.status, f"path {WORKFLOW}" in asked.stdout)
    assert "a human was asked to adopt it" in assert_passes(agent, "commit", "-m", "build forks")
    assert (1, "block") == (decision(repo).status, decision(repo).json()["findings"][0]["severity"])
    assert_passes(agent, "push", "origin", "topic")
    (row,) = agentgate(repo, "adopt", "--list", "HEAD", "--format", "json").json()["adoptions"]
    assert ("request", "open", repo.tree()) == (row["kind"], row["state"], row["tree"])
    assert 2 == agentgate(agent, "adopt", "--key", str(keys.path("pat"))).status
    assert 0 == agentgate(repo, "adopt", "--key", str(keys.path("pat"))).status
    assert (0, "human:pat") == (decision(repo).status, decision(repo).json()["findings"][0]["adopted_by"])


def test_a_second_commit_on_the_topic_is_measured_from_main(agent: RepoBuilder, repo: RepoBuilder, keys: Keys) -> None:
    assert_passes(agent, "commit", "--allow-empty", "-m", "begin")
    agent.write({"core.py": "ONE = 2 - 1\n"})
    assert_passes(agent, "commit", "-a", "-m", "first")
    agent.write({TEST_FILE: SKIPPING})
    agent.git("add", "-A")
    agentgate(agent, *ASK)
    assert_passes(agent, "commit", "-m", "second")
    (row,) = agentgate(repo, "adopt", "--list", "HEAD", "--format", "json").json()["adoptions"]
    assert ("open", repo.tree("main")) == (row["state"], row["base_tree"])
    agentgate(repo, "adopt", "--key", str(keys.path("pat")))
    assert 0 == decision(repo).status


def test_a_request_for_other_content_lets_nothing_through(agent: RepoBuilder) -> None:
    agent.write({WORKFLOW: "on: pull_request\n"})
    agent.git("add", "-A")
    agentgate(agent, *ASK)
    agent.write({WORKFLOW: "on: never\n"})
    agent.git("add", "-A")
    assert_refused(agent, "commit", "-m", "something else")


def test_a_request_lets_other_paths_through_as_little(agent: RepoBuilder) -> None:
    agent.write({WORKFLOW: "on: pull_request\n", ".gitattributes": "*.py -diff\n"})
    agent.git("add", "-A")
    agentgate(agent, *ASK, "--path", WORKFLOW)
    said = assert_refused(agent, "commit", "-m", "both")
    assert ".gitattributes" in said


def test_check_of_the_index_is_no_hook(agent: RepoBuilder) -> None:
    agent.write({WORKFLOW: "on: pull_request\n"})
    agent.git("add", "-A")
    agentgate(agent, *ASK)
    assert 1 == agentgate(agent, "check", "--staged").status


@pytest.mark.parametrize("args", [("--staged",), ("--staged", "--request", "HEAD"), ("--staged", "--list")])
def test_what_is_staged_can_only_be_asked_for(agent: RepoBuilder, args: tuple[str, ...]) -> None:
    assert 2 == agentgate(agent, "adopt", *args).status
