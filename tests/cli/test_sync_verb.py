"""`sync` and `verify --fetch`: what a person sees of an exchange with a remote."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.command_line import agentgate
from testing.hooked_repo import with_remote
from testing.proposals import NOTES_REF, store_packet, with_topic
from testing.repo_builder import RepoBuilder


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    """A proposal with evidence, and a remote that has neither yet."""
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"})
    with_remote(repo)
    repo.git("push", "-q", "origin", "main", "topic")
    store_packet(repo)
    return repo


@pytest.fixture
def reviewer(topic: RepoBuilder, tmp_path: Path) -> RepoBuilder:
    topic.git("clone", "-q", topic.git("remote", "get-url", "origin"), str(tmp_path / "reviewer"))
    return RepoBuilder(tmp_path / "reviewer", topic.environment)


def said(repo: RepoBuilder, *args: str) -> list[str]:
    done = agentgate(repo, "sync", *args)
    assert (0, "") == (done.status, done.stdout), done.stderr
    return done.stderr.splitlines()


def test_what_went_and_what_came(topic: RepoBuilder, reviewer: RepoBuilder) -> None:
    assert ["fetched from origin: nothing new", "pushed to origin: packets"] == said(topic)
    assert ["fetched from origin: nothing new", "pushed to origin: nothing new"] == said(topic)
    assert ["fetched from origin: 1 new line(s) of packets", "pushed to origin: nothing new"] == said(reviewer)
    assert topic.git("rev-parse", NOTES_REF) == reviewer.git("rev-parse", NOTES_REF)


def test_fetching_alone_pushes_nothing(topic: RepoBuilder, reviewer: RepoBuilder) -> None:
    said(topic)
    store_packet(reviewer, "origin/main")
    assert ["fetched from origin: 1 new line(s) of packets"] == said(reviewer, "origin", "--fetch-only")
    assert ["fetched from origin: nothing new", "pushed to origin: nothing new"] == said(topic)
    assert 2 == len(agentgate(reviewer, "ledger", "list", "packets").stdout.splitlines())


def test_b28_a_reviewer_without_notes_fetches_them_to_verify(topic: RepoBuilder, reviewer: RepoBuilder) -> None:
    said(topic)
    args = ("verify", "origin/topic", "--base", "origin/main", "--depth", "lookup")
    before = agentgate(reviewer, *args)
    assert (4, True) == (before.status, "evidence was never fetched" in before.stdout)
    after = agentgate(reviewer, *args, "--fetch", "origin")
    assert (0, "ALLOW") == (after.status, after.stdout.split()[0])


def test_no_progress_is_drawn_where_there_is_no_terminal(topic: RepoBuilder) -> None:
    assert not any("\x1b" in line or "\r" in line for line in said(topic))


def test_a_remote_that_is_only_a_url_is_not_taken(topic: RepoBuilder) -> None:
    done = agentgate(topic, "sync", topic.git("remote", "get-url", "origin"))
    assert (2, 1) == (done.status, done.stderr.count("\n"))
    assert "git remote add" in done.stderr
