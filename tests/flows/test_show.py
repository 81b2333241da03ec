"""What is remembered about trees: `show` line by line, `log` commit by commit."""

from __future__ import annotations

import pytest

from agentgate_git.flows.show import log, log_range, show
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.shown import LogRow, ShownLine
from testing.proposals import line_of, opened, store_line, store_packet, with_topic
from testing.records import open_ledger, some_entries, some_line, some_packet
from testing.repo_builder import RepoBuilder


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"}, "honest work\n\nand more")
    return repo


def store_entries(repo: RepoBuilder, kind: str, *numbers: int) -> None:
    with open_ledger(repo) as ledger:
        ledger.append(kind, some_entries(repo.tree(), *numbers))


def shown(repo: RepoBuilder, rev: str = "HEAD") -> list[ShownLine]:
    with opened(repo) as workspace:
        return list(show(workspace, rev))


def logged(repo: RepoBuilder, rev: str = "HEAD", limit: int = 20) -> list[LogRow]:
    start, dots, end = rev.partition("..")
    with opened(repo) as workspace:
        return list(log_range(workspace, start, end) if dots else log(workspace, rev, limit))


def test_nothing_is_remembered(topic: RepoBuilder) -> None:
    assert [] == shown(topic)
    assert [(0, 0, 0, 0)] * 2 == [tuple(row)[3:] for row in logged(topic)]


def test_every_line_of_every_kind(topic: RepoBuilder) -> None:
    packet = store_packet(topic)
    store_packet(topic, codes=("E_TESTS_FAILED",), failed=("t",), author_job="")
    store_line(topic, topic.tree(), some_line(1))
    store_entries(topic, "seals", 2)
    lines = shown(topic)
    assert ["packets", "packets", "packets", "seals"] == [line.kind for line in lines]
    assert {""} == {line.signed_by for line in lines}
    (passed,) = (line for line in lines if line.text == packet)
    assert "passed: 3 passed; CPython 3.11.7, scratch, 2026-01-01T00:00:01Z, author job author-1" == passed.summary
    assert any("no pass (E_TESTS_FAILED)" in line.summary for line in lines)


def test_a_tree_a_commit_and_a_tag_are_the_same(topic: RepoBuilder) -> None:
    store_packet(topic)
    topic.git("tag", "-a", "-m", "one", "v1")
    assert shown(topic) == shown(topic, topic.tree()) == shown(topic, "v1") == shown(topic, "topic")
    assert [] == shown(topic, "main")


def test_what_is_no_record_is_told(topic: RepoBuilder) -> None:
    topic.git("notes", "--ref=agentgate/packets", "add", "-m", "no record", topic.tree())
    (line,) = shown(topic)
    assert (True, b"") == (line.summary.startswith("line 1 is no record"), line.text)
    assert (1, 0) == (logged(topic)[0].bad_lines, logged(topic)[0].packets)


def test_the_log_says_how_many_packets_and_how_many_pass(topic: RepoBuilder) -> None:
    store_packet(topic)
    store_packet(topic, codes=("E_TESTS_FAILED",), failed=("t",))
    store_line(topic, topic.tree("main"), line_of(some_packet(tree=topic.tree())))  # a copy under another tree
    store_entries(topic, "verdicts", 1, 2)
    newest, first = logged(topic)
    assert (topic.git("rev-parse", "HEAD"), topic.tree(), "honest work", 2, 1, 0, 2) == tuple(newest)
    assert (topic.git("rev-parse", "main"), topic.tree("main"), "first", 0, 0, 0, 0) == tuple(first)


def test_the_log_goes_back_along_first_parents_and_no_further_than_asked(topic: RepoBuilder) -> None:
    topic.git("checkout", "-q", "main")
    topic.commit({"m": "1"}, "on main")
    topic.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
    assert ["merge", "on main", "first"] == [row.subject for row in logged(topic)]
    assert ["merge"] == [row.subject for row in logged(topic, limit=1)]


def test_the_log_of_a_range_newest_first(topic: RepoBuilder) -> None:
    topic.commit({"core.py": "ONE = 3 - 2\n"}, "second")
    assert ["second", "honest work"] == [row.subject for row in logged(topic, "main..topic")]
    assert [] == logged(topic, "topic..main")


@pytest.mark.parametrize("rev", ["--all", "nowhere", ""])
def test_b42_a_revision_that_is_none(topic: RepoBuilder, rev: str) -> None:
    with pytest.raises(UsageFailure):
        shown(topic, rev)
    with pytest.raises(UsageFailure):
        logged(topic, rev)
