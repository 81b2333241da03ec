"""What each hook answers when it is called as git and pre-commit call it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from testing.command_line import Done, agentgate
from testing.hooked_repo import AGENT, AGENT_SESSION, with_environment, with_remote
from testing.proposals import SKIPPING, TEST_FILE, WORKFLOW, with_topic
from testing.repo_builder import RepoBuilder

ZERO = "0" * 40
TRAILER = "Co-Authored-By: Claude <noreply@anthropic.com>"


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    return with_topic(repo)


def stage(repo: RepoBuilder, files: dict[str, str]) -> None:
    repo.write(files)
    repo.git("add", "-A")


def hook(repo: RepoBuilder, *args: str, stdin: str = "", **env: str) -> Done:
    done = agentgate(with_environment(repo, env), "hook", *args, stdin=stdin)
    assert "" == done.stdout, "a hook has nothing to say on stdout"
    return done


def silent(done: Done) -> bool:
    return (0, "") == (done.status, done.stderr)


# pre-commit


@pytest.mark.parametrize("name", ["pre-commit", "pre-merge-commit"])
def test_a_clean_change_is_passed_in_silence(topic: RepoBuilder, name: str) -> None:
    stage(topic, {"core.py": "ONE = 2 - 1\n"})
    assert silent(hook(topic, name, **AGENT))


def test_nothing_staged_and_a_first_commit(topic: RepoBuilder, repo: RepoBuilder) -> None:
    assert silent(hook(topic, "pre-commit", **AGENT))
    topic.git("checkout", "-q", "--orphan", "fresh")
    assert silent(hook(topic, "pre-commit"))
    assert 1 == hook(topic, "pre-commit", **AGENT).status


def test_a_guarded_path_by_who_is_known_already(topic: RepoBuilder) -> None:
    stage(topic, {WORKFLOW: "on: never\n"})
    assert silent(hook(topic, "pre-commit"))
    for marks in (AGENT, AGENT_SESSION):
        done = hook(topic, "pre-commit", **marks)
        assert (1, True) == (done.status, f"E_GUARDED_PATH block {WORKFLOW}" in done.stderr)
        assert "next: " in done.stderr


def test_file_names_as_arguments_are_not_what_is_judged(topic: RepoBuilder) -> None:
    stage(topic, {TEST_FILE: SKIPPING})
    assert 1 == hook(topic, "pre-commit", "core.py").status


def test_an_index_with_conflicts_is_undecided(topic: RepoBuilder) -> None:
    topic.commit({"core.py": "ONE = 5\n"})
    topic.git("checkout", "-q", "main")
    topic.commit({"core.py": "ONE = 6\n"})
    topic.git("merge", "-q", "topic", check=False)
    done = hook(topic, "pre-commit")
    assert (3, 1) == (done.status, done.stderr.count("\n"))
    assert "unmerged" in done.stderr


def test_a_warning_is_told_and_passed(topic: RepoBuilder) -> None:
    stage(topic, {"tests/test_new.py": SKIPPING.replace("test_one", "test_new")})
    done = hook(topic, "pre-commit")
    assert (0, True) == (done.status, "E_SKIP_MARKER warn" in done.stderr)


# commit-msg


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ("Change it\n", 0),
        (f"Change it\n\n# {TRAILER}\n", 0),
        (f"Change it\n\n# ------------------------ >8 ------------------------\n{TRAILER}\n", 0),
        (f"Change it\n\n{TRAILER}\n", 1),
        (f"Change it\r\n\r\n{TRAILER}\r\n", 1),
        (f"Change it\n\n{TRAILER}\n# a comment of git\n", 1),
    ],
)
def test_the_message_shows_who_commits(topic: RepoBuilder, tmp_path: Path, message: str, status: int) -> None:
    stage(topic, {WORKFLOW: "on: never\n"})
    (tmp_path / "MSG").write_bytes(message.encode())
    assert status == hook(topic, "commit-msg", str(tmp_path / "MSG")).status


def test_a_message_in_any_bytes(topic: RepoBuilder, tmp_path: Path) -> None:
    stage(topic, {WORKFLOW: "on: never\n"})
    (tmp_path / "MSG").write_bytes(b"\xff\xfe\0 x\n\n" + TRAILER.encode() + b"\n")
    assert 1 == hook(topic, "commit-msg", str(tmp_path / "MSG")).status
    (tmp_path / "EMPTY").write_bytes(b"")
    assert silent(hook(topic, "commit-msg", str(tmp_path / "EMPTY")))


def test_a_message_file_that_is_not_there(topic: RepoBuilder) -> None:
    stage(topic, {WORKFLOW: "on: never\n"})
    done = hook(topic, "commit-msg", "nowhere")
    assert (2, 1) == (done.status, done.stderr.count("\n"))
    assert "nowhere cannot be read" in done.stderr


def test_the_message_file_is_left_as_it_is(topic: RepoBuilder, tmp_path: Path) -> None:
    stage(topic, {WORKFLOW: "on: never\n"})
    (tmp_path / "MSG").write_text(f"x\n\n{TRAILER}\n")
    hook(topic, "commit-msg", str(tmp_path / "MSG"))
    assert f"x\n\n{TRAILER}\n" == (tmp_path / "MSG").read_text()


# pre-push


@pytest.fixture
def shared(topic: RepoBuilder) -> RepoBuilder:
    with_remote(topic)
    topic.git("push", "-q", "origin", "main")
    return topic


def row(repo: RepoBuilder, name: str) -> str:
    return f"refs/heads/{name} {repo.git('rev-parse', name)} refs/heads/{name} {ZERO}\n"


def push(repo: RepoBuilder, *rows: str, **env: str) -> Done:
    return hook(repo, "pre-push", "origin", "url", stdin="".join(rows), **env)


def branch(repo: RepoBuilder, name: str, files: dict[str, str], *, by_agent: bool) -> str:
    repo.git("checkout", "-q", "-B", name, "main")
    (repo.commit_as_agent if by_agent else repo.commit)(files)
    return row(repo, name)


def test_nothing_to_push(shared: RepoBuilder) -> None:
    assert silent(push(shared))
    assert silent(push(shared, row(shared, "main")))


def test_b05_the_worst_of_all_refs_is_the_answer_and_each_is_named(shared: RepoBuilder) -> None:
    good = branch(shared, "good", {"core.py": "ONE = 2 - 1\n"}, by_agent=True)
    bad = branch(shared, "bad", {WORKFLOW: "on: never\n"}, by_agent=True)
    for rows in ((good, bad), (bad, good)):
        done = push(shared, *rows)
        assert (1, True) == (done.status, done.stderr.startswith("refs/heads/bad:\n"))
        assert "refs/heads/good" not in done.stderr
    assert silent(push(shared, good))


def test_b08_a_deletion_beside_others(shared: RepoBuilder) -> None:
    bad = branch(shared, "bad", {WORKFLOW: "on: never\n"}, by_agent=True)
    deletion = f"(delete) {ZERO} refs/heads/old {shared.git('rev-parse', 'main')}\n"
    assert silent(push(shared, deletion))
    assert 1 == push(shared, deletion, bad).status


def test_a_list_that_is_none(shared: RepoBuilder) -> None:
    done = push(shared, "garbage\n")
    assert (2, 1) == (done.status, done.stderr.count("\n"))


def test_b05_under_pre_commit_the_coverage_is_said_to_be_partial(shared: RepoBuilder) -> None:
    """Its variables name one ref; the others are looked at, named, and not refused."""
    branch(shared, "bad", {WORKFLOW: "on: never\n"}, by_agent=True)
    branch(shared, "good", {"core.py": "ONE = 2 - 1\n"}, by_agent=True)
    for handed_over, status in (("refs/heads/good", 0), ("refs/heads/bad", 1)):
        env = {"PRE_COMMIT_REMOTE_NAME": "origin", "PRE_COMMIT_LOCAL_BRANCH": handed_over}
        done = hook(shared, "pre-push", **env)
        assert (status, True) == (done.status, "partial coverage" in done.stderr)
        assert "E_GUARDED_PATH" in done.stderr


def test_where_the_native_hook_is_in_place_nothing_is_said_of_partial_coverage(shared: RepoBuilder) -> None:
    branch(shared, "good", {"core.py": "ONE = 2 - 1\n"}, by_agent=True)
    env = {"PRE_COMMIT_REMOTE_NAME": "origin", "PRE_COMMIT_LOCAL_BRANCH": "refs/heads/good"}
    assert "git agentgate install" in hook(shared, "pre-push", **env).stderr
    assert 0 == agentgate(shared, "install").status
    assert silent(hook(shared, "pre-push", **env))


def test_without_a_list_and_without_pre_commit_there_is_nothing(shared: RepoBuilder) -> None:
    branch(shared, "bad", {WORKFLOW: "on: never\n"}, by_agent=True)
    assert silent(hook(shared, "pre-push", "origin", "url"))


def state(repo: RepoBuilder) -> tuple[str, str, list[str]]:
    return repo.git("for-each-ref"), repo.git("ls-files", "-s"), sorted(os.listdir(repo.path))


def test_hooks_leave_refs_and_index_as_they_are(shared: RepoBuilder) -> None:
    stage(shared, {WORKFLOW: "on: never\n"})
    before = state(shared)
    hook(shared, "pre-commit", **AGENT)
    push(shared, row(shared, "main"))
    assert before == state(shared)
