"""Fetching and pushing: only what was asked for, never by force, and a status for every ref."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.transfer import Progress
from agentgate_git.repo.process import Git
from agentgate_git.repo.remote import PushStatus, Remote
from agentgate_git.repo.tracking import Tracking
from testing.repo_builder import RepoBuilder

NOTES = "refs/notes/agentgate/packets"
TRACKED = "refs/agentgate/remote/origin/packets"


@pytest.fixture(params=["sha1", "sha256"])
def server(request: pytest.FixtureRequest, tmp_path: Path, home: Path) -> RepoBuilder:
    """A bare repository to push to."""
    return RepoBuilder.create(tmp_path / "server.git", home, object_format=request.param, bare=True)


@pytest.fixture
def clone(server: RepoBuilder, tmp_path: Path, home: Path) -> RepoBuilder:
    """A repository of the same format with the server as its remote, and one commit."""
    object_format = server.git("rev-parse", "--show-object-format")
    clone = RepoBuilder.create(tmp_path / "clone", home, object_format=object_format)
    clone.git("remote", "add", "origin", str(server.path))
    clone.commit({"a": "1"})
    return clone


def remote_of(repo: RepoBuilder, seen: list[Progress] | None = None, **env: str) -> Remote:
    git = Git.in_repository(str(repo.path), {**repo.environment, **env})
    return Remote(git, "origin", {**repo.environment, **env}, None if seen is None else seen.append)


def install_hook(repo: RepoBuilder, name: str, script: str) -> None:
    hooks = Path(os.path.join(repo.path, repo.git("rev-parse", "--git-path", "hooks")))
    hooks.mkdir(exist_ok=True)
    (hooks / name).write_text(f"#!/bin/sh\n{script}\n")
    (hooks / name).chmod(0o755)


def test_a_push_then_a_fetch_move_the_refs_that_were_named(server: RepoBuilder, clone: RepoBuilder) -> None:
    tip = clone.git("rev-parse", "HEAD")
    seen: list[Progress] = []
    remote = remote_of(clone, seen)
    assert (PushStatus(NOTES, "*", "[new reference]"),) == remote.push({NOTES: tip})
    assert remote.fetch(Tracking(Git.in_repository(str(clone.path), clone.environment), "origin").refspec())
    assert (tip, tip) == (server.git("rev-parse", NOTES), clone.git("rev-parse", TRACKED))
    assert {NOTES: tip} == remote.refs("refs/notes/agentgate/*")
    assert (PushStatus(NOTES, "=", "[up to date]"),) == remote.push({NOTES: tip})
    assert Progress("writing", 3, 3) in seen


def test_a_push_that_is_no_fast_forward_is_refused_and_the_others_go(server: RepoBuilder, clone: RepoBuilder) -> None:
    tip = clone.git("rev-parse", "HEAD")
    remote = remote_of(clone)
    remote.push({NOTES: tip})
    clone.git("checkout", "-q", "--orphan", "other")
    other = clone.commit(message="unrelated")
    statuses = remote.push({NOTES: other, "refs/notes/agentgate/seals": other})
    assert [(NOTES, "!", False), ("refs/notes/agentgate/seals", "*", True)] == [
        (status.ref, status.flag, status.is_done()) for status in statuses
    ]
    assert tip == server.git("rev-parse", NOTES)


def test_b22_a_refusal_is_seen_by_its_flag_whatever_the_server_says(server: RepoBuilder, clone: RepoBuilder) -> None:
    install_hook(server, "pre-receive", "printf 'caf\\351 \\377 * = ok\\n' >&2; exit 1")
    (status,) = remote_of(clone).push({NOTES: clone.git("rev-parse", "HEAD")})
    assert ("!", False, "[remote rejected] (pre-receive hook declined)") == (
        status.flag,
        status.is_done(),
        status.reason,
    )


def test_words_of_the_server_that_are_no_utf_8_hide_nothing(server: RepoBuilder, clone: RepoBuilder) -> None:
    install_hook(server, "post-receive", "printf 'caf\\351\\n' >&2")
    (status,) = remote_of(clone, []).push({NOTES: clone.git("rev-parse", "HEAD")})
    assert status.is_done()


def test_no_hook_of_ours_runs_on_a_push(clone: RepoBuilder) -> None:
    install_hook(clone, "pre-push", "exit 1")
    install_hook(clone, "reference-transaction", "exit 1")
    (status,) = remote_of(clone).push({NOTES: clone.git("rev-parse", "HEAD")})
    assert status.is_done()


def test_a_push_that_never_reached_the_server_is_done_for_no_ref(clone: RepoBuilder, tmp_path: Path) -> None:
    clone.git("remote", "set-url", "origin", str(tmp_path / "nowhere"))
    (status,) = remote_of(clone).push({NOTES: clone.git("rev-parse", "HEAD")})
    assert (NOTES, False) == (status.ref, status.is_done())
    with pytest.raises(Undecided, match="origin cannot be read"):
        remote_of(clone).fetch("refs/notes/agentgate/*:refs/agentgate/remote/origin/*")


def test_b23_a_configured_forced_refspec_is_not_used(server: RepoBuilder, clone: RepoBuilder) -> None:
    mine = clone.git("rev-parse", "HEAD")
    theirs = clone.commit({"a": "2"})
    remote_of(clone).push({NOTES: theirs})
    clone.git("update-ref", NOTES, mine)
    clone.git("config", "--add", "remote.origin.fetch", "+refs/notes/*:refs/notes/*")
    clone.git("config", "fetch.prune", "true")
    assert remote_of(clone).fetch("refs/notes/agentgate/*:refs/agentgate/remote/origin/*")
    assert (mine, theirs) == (clone.git("rev-parse", NOTES), clone.git("rev-parse", TRACKED))


def test_a_fetch_does_not_follow_a_rewritten_ref(server: RepoBuilder, clone: RepoBuilder) -> None:
    older = clone.git("rev-parse", "HEAD")
    newer = clone.commit({"a": "2"})
    remote = remote_of(clone)
    remote.push({NOTES: newer})
    assert remote.fetch("refs/notes/agentgate/*:refs/agentgate/remote/origin/*")
    server.git("update-ref", NOTES, older)
    assert not remote.fetch("refs/notes/agentgate/*:refs/agentgate/remote/origin/*")
    assert newer == clone.git("rev-parse", TRACKED)


def test_a_mirror_clone_pushes_only_what_was_named(server: RepoBuilder, clone: RepoBuilder) -> None:
    clone.git("config", "remote.origin.mirror", "true")
    assert [True] == [status.is_done() for status in remote_of(clone).push({NOTES: clone.git("rev-parse", "HEAD")})]
    assert NOTES == server.git("for-each-ref", "--format=%(refname)")


def test_where_the_environment_would_steer_gitpython_the_door_is_used(server: RepoBuilder, clone: RepoBuilder) -> None:
    seen: list[Progress] = []
    tip = clone.git("rev-parse", "HEAD")
    assert remote_of(clone, seen, GIT_NAMESPACE="elsewhere").push({NOTES: tip})[0].is_done()
    assert ([], tip) == (seen, server.git("rev-parse", NOTES))


def test_a_linked_work_tree_can_push(clone: RepoBuilder, tmp_path: Path) -> None:
    clone.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = RepoBuilder(tmp_path / "linked", clone.environment)
    assert remote_of(linked).push({NOTES: linked.git("rev-parse", "HEAD")})[0].is_done()


def test_the_users_own_ssh_command_is_used(server: RepoBuilder, clone: RepoBuilder, tmp_path: Path) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text('#!/bin/sh\nfor command; do :; done\nexec sh -c "$command"\n')
    ssh.chmod(0o755)
    clone.git("remote", "set-url", "origin", f"ssh://nowhere.invalid{server.path}")
    remote = remote_of(clone, GIT_SSH_COMMAND=str(ssh), GIT_SSH_VARIANT="simple")
    assert remote.push({NOTES: clone.git("rev-parse", "HEAD")})[0].is_done()


@pytest.mark.parametrize("name", ["upstream", "--upload-pack=touch pwned", ""])
def test_only_a_configured_remote_is_asked(clone: RepoBuilder, name: str) -> None:
    git = Git.in_repository(str(clone.path), clone.environment)
    with pytest.raises(UsageFailure, match="there is no remote"):
        Remote(git, name, clone.environment)


def test_b40_no_child_is_left_behind(clone: RepoBuilder) -> None:
    remote = remote_of(clone, [])
    for _ in range(3):
        remote.push({NOTES: clone.git("rev-parse", "HEAD")})
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    names = [Path(f"/proc/{child}/comm").read_text().strip() for child in children]
    assert "git" not in names


def test_x01_a_symbolic_tracking_ref_is_refused(clone: RepoBuilder) -> None:
    clone.git("symbolic-ref", TRACKED, "refs/heads/main")
    with pytest.raises(Undecided, match="is a symbolic ref to refs/heads/main"):
        Tracking(Git.in_repository(str(clone.path), clone.environment), "origin").tips()
