"""`ledger append|cat|list|import`: lines in, the same lines out, and nothing stored that is no record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from testing.command_line import agentgate
from testing.proposals import NOTES_REF, with_topic
from testing.records import some_key, some_line
from testing.repo_builder import RepoBuilder

LINES = [some_line(number).decode() for number in range(3)]


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    return with_topic(repo)


def append(repo: RepoBuilder, key: str, *lines: str, kind: str = "packets") -> tuple[int, str]:
    done = agentgate(repo, "ledger", "append", kind, key, stdin="".join(f"{line}\n" for line in lines))
    assert "" == done.stdout
    return done.status, done.stderr


def cat(repo: RepoBuilder, *args: str) -> list[str]:
    done = agentgate(repo, "ledger", "cat", *args)
    assert (0, "") == (done.status, done.stderr)
    return done.stdout.splitlines()


def test_what_is_appended_comes_back_byte_by_byte(topic: RepoBuilder) -> None:
    tree = topic.tree()
    assert (0, "2 line(s) stored, 0 were there already\n") == append(topic, tree, *LINES[:2])
    assert (0, "1 line(s) stored, 1 were there already\n") == append(topic, tree, LINES[2], "", LINES[0])
    assert sorted(LINES) == cat(topic, "packets", tree)


def test_a_revision_is_as_good_as_its_tree(topic: RepoBuilder) -> None:
    commit, tree = topic.git("rev-parse", "HEAD"), topic.tree()
    assert 0 == append(topic, "HEAD", LINES[0])[0]
    for name in ("HEAD", commit, commit[:12], tree):
        assert LINES[:1] == cat(topic, "packets", name)
    assert LINES[:1] == [
        json.dumps(row["envelope"], separators=(",", ":")) for row in map(json.loads, cat(topic, "packets"))
    ]


@pytest.mark.parametrize("deed", ["cat", "list", "export"])
def test_where_nothing_is_kept_it_is_said(topic: RepoBuilder, deed: str) -> None:
    assert 0 == append(topic, some_key(7), LINES[0])[0]
    args, about = (("packets", "HEAD"), f" about tree {topic.tree()}") if deed != "list" else (("seals",), "")
    done = agentgate(topic, "ledger", deed, *args)
    assert (4, "") == (done.status, done.stdout)
    said = f"git agentgate: no {args[0]} are kept here{about}: run `git agentgate sync` for those of a remote\n"
    assert said == done.stderr


def test_evidence_about_a_tree_that_is_not_here_is_printed_all_the_same(topic: RepoBuilder) -> None:
    append(topic, some_key(7), LINES[0])
    assert LINES[:1] == cat(topic, "packets", some_key(7))


def test_all_that_is_listed_can_be_imported_elsewhere(topic: RepoBuilder, tmp_path: Path, home: Path) -> None:
    for number in range(3):
        append(topic, some_key(number), *LINES[: number + 1], kind="seals")
    rows = cat(topic, "seals")
    assert 6 == len(rows)
    assert {"object", "envelope"} == json.loads(rows[0]).keys()
    other = RepoBuilder.create(tmp_path / "other", home)
    done = agentgate(other, "ledger", "import", "seals", stdin="\n".join(rows))
    assert (0, "6 line(s) stored, 0 were there already\n") == (done.status, done.stderr)
    assert rows == cat(other, "seals")
    listed = [agentgate(one, "ledger", "list", "seals").stdout for one in (topic, other)]
    assert listed[0] == listed[1]


def test_the_list_says_how_many_lines_each_object_has(topic: RepoBuilder) -> None:
    append(topic, topic.tree(), *LINES)
    topic.git("notes", "--ref=agentgate/packets", "append", "-m", "no record", topic.tree())
    (row,) = agentgate(topic, "ledger", "list", "packets").stdout.splitlines()
    assert {"object": topic.tree(), "lines": 3, "bad_lines": 1} == json.loads(row)


@pytest.mark.parametrize("line", ["garbage", "{}", "[]", '{"payload":"!","payloadType":"x","signatures":[]}', "\udcff"])
def test_what_is_no_record_is_refused_and_nothing_is_stored(topic: RepoBuilder, line: str) -> None:
    status, said = append(topic, topic.tree(), LINES[0], line)
    assert (2, 1, True) == (status, said.count("\n"), "record 2 cannot be stored" in said)
    done = agentgate(topic, "ledger", "import", "packets", stdin=line)
    assert (2, "", 1) == (done.status, done.stdout, done.stderr.count("\n"))
    assert "" == topic.git("for-each-ref", NOTES_REF)


@pytest.mark.parametrize(
    "key", ["HEAD:tests/test_core.py", "abc", "0" * 40, "A" * 40, "1" * 64, "4b825dc642cb6eb9a060e54bf8d69288fbee4904"]
)
def test_what_is_no_tree_of_this_repository_is_refused(topic: RepoBuilder, key: str) -> None:
    status, said = append(topic, key, LINES[0])
    assert (2, 1) == (status, said.count("\n"))
    assert "" == topic.git("for-each-ref", NOTES_REF)


def test_nothing_is_appended_from_nothing(topic: RepoBuilder) -> None:
    assert (0, "0 line(s) stored, 0 were there already\n") == append(topic, topic.tree())
    assert "" == topic.git("for-each-ref", NOTES_REF)


def test_from_a_directory_below_a_linked_work_tree_and_a_bare_repository(topic: RepoBuilder, tmp_path: Path) -> None:
    tree = topic.tree()
    topic.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    topic.git("clone", "-q", "--bare", str(topic.path), str(tmp_path / "bare.git"))
    for place in (topic.path / "tests", tmp_path / "linked", tmp_path / "bare.git"):
        done = agentgate(topic, "-C", str(place), "ledger", "append", "packets", tree, stdin=LINES[0], cwd=tmp_path)
        assert 0 == done.status, done.stderr
        assert LINES[:1] == cat(topic, "packets", tree)
    assert LINES[:1] == cat(RepoBuilder(tmp_path / "bare.git", topic.environment), "packets", tree)


def test_b07_either_hash(repo_of_each_hash: RepoBuilder) -> None:
    repo_of_each_hash.commit({"a": "1"})
    assert 0 == append(repo_of_each_hash, repo_of_each_hash.tree(), LINES[0])[0]
    assert LINES[:1] == cat(repo_of_each_hash, "packets", repo_of_each_hash.tree())
