"""The hooks of a server repository: put in place beside what is there, and taken out again."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from agentgate_git.flows.clone.hook_files import CHAINED, SERVER_STAGES, is_current
from agentgate_git.flows.doctor import examine
from agentgate_git.flows.install_server import install_server, server_line, uninstall_server
from agentgate_git.model.setup import BY_HAND, DONE, MISSING, OK, PRESENT, WARNING, SetupRow
from testing.hooked_repo import git_of, write_script
from testing.repo_builder import RepoBuilder

PROGRAM = "/opt/agentgate/git-agentgate"


@pytest.fixture
def server(tmp_path: Path, home: Path) -> RepoBuilder:
    """A bare repository with a branch that HEAD names."""
    server = RepoBuilder.create(tmp_path / "server.git", home, bare=True)
    empty = server.git("hash-object", "-t", "tree", "-w", "/dev/null")
    server.git("update-ref", "refs/heads/main", server.git("commit-tree", "-m", "first", empty))
    return server


def put(server: RepoBuilder, stage: str = "pre-receive") -> tuple[SetupRow, ...]:
    return install_server(git_of(server), PROGRAM, stage)


def hooks_of(server: RepoBuilder) -> dict[str, str]:
    """Every file below hooks/ but git's samples, with what it holds."""
    files = [path for path in (server.path / "hooks").rglob("*") if path.is_file() and path.suffix != ".sample"]
    return {str(path.relative_to(server.path / "hooks")): path.read_text() for path in files}


@pytest.mark.parametrize("stage", SERVER_STAGES)
def test_the_hook_is_put_in_place_once_and_taken_out(server: RepoBuilder, stage: str) -> None:
    rows = put(server, stage)
    assert [DONE, PRESENT] == [row.state for row in rows]
    assert "pushes are judged against refs/heads/main" == rows[1].message
    assert [stage] == list(hooks_of(server))
    path = server.path / "hooks" / stage
    assert is_current(str(path), stage)
    assert f"installed={PROGRAM}\n" in path.read_text()
    assert 0o755 == stat.S_IMODE(path.stat().st_mode)
    assert [PRESENT, PRESENT] == [row.state for row in put(server, stage)]
    assert [DONE] == [row.state for row in uninstall_server(git_of(server))]
    assert {} == hooks_of(server)


def test_a_hook_that_is_there_is_run_first_and_comes_back(server: RepoBuilder) -> None:
    write_script(server.path / "hooks" / "pre-receive", "exit 0\n")
    before = hooks_of(server)
    put(server)
    assert {"pre-receive", f"pre-receive{CHAINED}"} == set(hooks_of(server))
    uninstall_server(git_of(server))
    assert before == hooks_of(server)


@pytest.mark.parametrize("stage", SERVER_STAGES)
def test_a_hook_that_runs_us_is_left_alone(server: RepoBuilder, stage: str) -> None:
    write_script(server.path / "hooks" / stage, f"exec {server_line(stage)}\n")
    before = hooks_of(server)
    assert PRESENT == put(server, stage)[0].state
    assert BY_HAND == uninstall_server(git_of(server))[0].state
    assert before == hooks_of(server)


def test_a_server_that_runs_a_folder_of_hooks_gets_a_file_in_it(server: RepoBuilder) -> None:
    write_script(server.path / "hooks" / "pre-receive", "for hook in hooks/pre-receive.d/*; do $hook || exit; done\n")
    (server.path / "hooks" / "pre-receive.d").mkdir()
    before = hooks_of(server)
    put(server)
    assert {"pre-receive", "pre-receive.d/agentgate"} == set(hooks_of(server))
    uninstall_server(git_of(server))
    assert before == hooks_of(server)


def test_a_relative_hooks_path_is_relative_to_the_repository(server: RepoBuilder) -> None:
    server.git("config", "core.hooksPath", "my-hooks")
    below = RepoBuilder(server.path / "refs", server.environment)
    assert DONE == put(below)[0].state
    assert (server.path / "my-hooks" / "pre-receive").exists()


def test_hooks_that_all_repositories_share_are_left_to_whoever_runs_the_server(
    server: RepoBuilder, tmp_path: Path
) -> None:
    server.git("config", "--global", "core.hooksPath", str(tmp_path / "shared"))
    row = put(server)[0]
    assert BY_HAND == row.state
    assert "`git-agentgate receive`" in row.next_step
    assert not os.path.lexists(tmp_path / "shared")


TARGETS = {
    "a branch that is not there": (("symbolic-ref", "HEAD", "refs/heads/master"), "refs/heads/master"),
    "a HEAD that is no branch": (("update-ref", "--no-deref", "HEAD", "main"), "names no branch"),
    "a setting that names no branch": (("config", "agentgate.target", "origin/main"), "refs/heads/origin/main"),
    "a limit that is none": (("config", "agentgate.maxRefs", "0"), "agentgate.maxRefs is '0'"),
}


@pytest.mark.parametrize(("command", "said"), TARGETS.values(), ids=TARGETS)
def test_what_would_refuse_every_push_is_told_at_once(server: RepoBuilder, command: tuple[str, ...], said: str) -> None:
    server.git(*command)
    row = put(server)[1]
    assert BY_HAND == row.state
    assert said in row.message
    assert row.next_step


# What `doctor` says of a server


def faults(server: RepoBuilder) -> list[tuple[str, str]]:
    """State and next step of every row that is not well."""
    rows = examine(git_of(server), server.environment)
    return [(row.state, row.next_step) for row in rows if row.state != OK]


@pytest.mark.parametrize("stage", SERVER_STAGES)
def test_a_server_with_a_hook_of_either_stage_is_complete(server: RepoBuilder, stage: str) -> None:
    put(server, stage)
    assert [] == faults(server)


def test_a_server_whose_own_hook_runs_a_folder_of_them_is_complete(server: RepoBuilder) -> None:
    write_script(server.path / "hooks" / "pre-receive", "exit 0\n")
    (server.path / "hooks" / "pre-receive.d").mkdir()
    put(server)
    assert [] == faults(server)


def test_a_server_without_a_hook_or_a_target(server: RepoBuilder) -> None:
    assert [(MISSING, "run `git agentgate install --server`")] == faults(server)
    put(server)
    server.git("symbolic-ref", "HEAD", "refs/heads/elsewhere")
    assert [(MISSING, "push it first, or run `git config agentgate.target <branch>` here")] == faults(server)


def test_a_hook_of_a_server_that_git_leaves_out(server: RepoBuilder) -> None:
    put(server)
    path = server.path / "hooks" / "pre-receive"
    path.chmod(0o644)
    assert [(MISSING, f"run `chmod +x {path}`")] == faults(server)
    path.chmod(0o755)
    path.write_text(path.read_text() + "# another version\n")
    assert [(WARNING, "run `git agentgate install --server`")] == faults(server)
