"""`--format` of `check` and `scan`: the same findings and the same exit status, whatever they are written as."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from agentgate_git.render.formats import CHECK_FORMATS
from testing.command_line import Done, agentgate
from testing.proposals import SKIPPING, TEST_FILE, WORKFLOW, with_topic
from testing.repo_builder import RepoBuilder

Codes = Callable[[str], list[str]]


def of_json(text: str) -> list[str]:
    return [row["code"] for row in json.loads(text)["findings"]]


def of_sarif(text: str) -> list[str]:
    log: dict[str, Any] = json.loads(text)
    return [row["ruleId"] for run in log["runs"] for row in run["results"]]


def of_junit(text: str) -> list[str]:
    cases = ElementTree.fromstring(text.encode()).iter("testcase")
    return [case.get("name") or "" for case in cases if case.get("name") != "decision"]


# How to find the codes again in what each format says.
READERS: dict[str, Codes] = {
    "text": lambda text: [line.split()[0] for line in text.splitlines() if line.startswith("E_")],
    "json": of_json,
    "sarif": of_sarif,
    "junit": of_junit,
    "gitlab": lambda text: [row["check_name"] for row in json.loads(text)],
    "rdjsonl": lambda text: [json.loads(line)["code"]["value"] for line in text.splitlines()],
    "github": lambda text: [
        line.partition("title=")[2].partition("::")[0] for line in text.splitlines() if line.startswith("::")
    ],
}
VERBS = [("check",), ("check", "--range", "main..topic"), ("scan", "--range", "main..topic"), ("scan", "--all")]


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    return with_topic(repo)


def answers(repo: RepoBuilder, *args: str) -> dict[str, Done]:
    return {name: agentgate(repo, *args, "--format", name) for name in CHECK_FORMATS}


def test_every_format_is_read_here() -> None:
    assert set(CHECK_FORMATS) == set(READERS)


@pytest.mark.parametrize("args", VERBS, ids=" ".join)
def test_nothing_found(topic: RepoBuilder, args: tuple[str, ...]) -> None:
    topic.commit({"core.py": "ONE = 2 - 1\n"})
    for name, done in answers(topic, *args).items():
        assert (0, "", []) == (done.status, done.stderr, READERS[name](done.stdout)), name


@pytest.mark.parametrize("args", [*VERBS, ("scan",)], ids=" ".join)
def test_what_is_found_and_the_status(topic: RepoBuilder, args: tuple[str, ...]) -> None:
    if args == ("scan",):
        topic.write({TEST_FILE: SKIPPING})
    else:
        topic.commit({TEST_FILE: SKIPPING})
    for name, done in answers(topic, *args).items():
        assert (1, "", ["E_SKIP_MARKER"]) == (done.status, done.stderr, READERS[name](done.stdout)), name


def test_two_codes_of_a_proposal(topic: RepoBuilder) -> None:
    topic.commit_as_agent({TEST_FILE: SKIPPING, WORKFLOW: "on: never\n"})
    for name, done in answers(topic, "check").items():
        assert (1, ["E_GUARDED_PATH", "E_SKIP_MARKER"]) == (done.status, sorted(READERS[name](done.stdout))), name


def test_what_cannot_be_looked_at_has_the_same_status_and_no_answer(topic: RepoBuilder) -> None:
    for args in (("check", "nowhere"), ("scan", "--all", "nowhere"), ("scan", "--range", "nowhere..HEAD")):
        for name, done in answers(topic, *args).items():
            assert (2, "") == (done.status, done.stdout), (args, name)


def test_lines_end_where_the_answer_ends(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: SKIPPING})
    for name, done in answers(topic, "check").items():
        assert (True, False) == (done.stdout.endswith("\n"), done.stdout.endswith("\n\n")), name


def test_no_byte_of_the_author_reaches_a_reader_unescaped(topic: RepoBuilder) -> None:
    topic.commit_as_agent({".github/\x1b[2J\r\n::error::x\udce5.yml": "on: push\n"})
    for name, done in answers(topic, "check").items():
        assert not {"\x1b", "\r", "\udce5"} & set(done.stdout), name
        assert ["E_GUARDED_PATH"] == READERS[name](done.stdout), name


def test_a_scan_tells_the_commit_and_who_made_it(topic: RepoBuilder) -> None:
    bad = topic.commit_as_agent({TEST_FILE: SKIPPING})
    topic.commit({"core.py": "ONE = 2 - 1\n"})
    answer = agentgate(topic, "scan", "--all", "--format", "json").json()
    assert ("agentgate.scan/1", 1) == (answer["schema"], answer["exit"])
    assert [bad] == [row["commit"] for row in answer["findings"]]
    assert ["human", "agent", "human"] == [row["class"] for row in answer["commits"]]
    assert [] == agentgate(topic, "scan", "--all", "main", "--format", "json").json()["findings"]
