"""The shims of a server: the same as those of a clone, but for what they start."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentgate_git.flows.clone.hook_files import CHAINED, MARKER, SERVER_STAGES
from agentgate_git.flows.shipped import shims_directory
from testing.hooked_repo import calls, recorder
from testing.shim import Hook

REF = ("refs/heads/it's a", "0" * 40, "1" * 40)
CALLS = {"pre-receive": "git-agentgate|receive", "update": f"git-agentgate|receive|--update|{'|'.join(REF)}"}
PUSH = f"{REF[1]} {REF[2]} refs/heads/%s\\n\n".encode() * 3000


@pytest.mark.parametrize("stage", SERVER_STAGES)
@pytest.mark.parametrize("status", [0, 1, 3])
def test_what_git_says_goes_in_and_the_answer_comes_out(tmp_path: Path, stage: str, status: int) -> None:
    hook = Hook(tmp_path, stage).with_tool(status=status)
    done = hook.run(*REF[: 3 if stage == "update" else 0], stdin=PUSH)
    assert (status, b"") == (done.returncode, done.stderr)
    assert [CALLS[stage]] == calls(hook.log)
    assert PUSH == hook.stdin_of("git-agentgate")


def test_a_gitolite_vref_is_told_more_and_we_take_the_first_three(tmp_path: Path) -> None:
    hook = Hook(tmp_path, "update").with_tool()
    assert 0 == hook.run(*REF, "2" * 40, "3" * 40, "W", "VREF/agentgate", "more").returncode
    assert [CALLS["update"]] == calls(hook.log)


@pytest.mark.parametrize("stage", SERVER_STAGES)
def test_the_predecessor_runs_first_with_the_same(tmp_path: Path, stage: str) -> None:
    arguments = REF[: 3 if stage == "update" else 0]
    hook = Hook(tmp_path, stage).with_tool(status=1).with_predecessor()
    assert 1 == hook.run(*arguments, stdin=PUSH).returncode
    assert [f"{stage}{CHAINED}|{'|'.join(arguments)}", CALLS[stage]] == calls(hook.log)
    assert PUSH == hook.stdin_of(stage + CHAINED)
    hook.with_predecessor(status=9)
    assert 9 == hook.run(*arguments, stdin=PUSH).returncode


@pytest.mark.parametrize("stage", SERVER_STAGES)
def test_without_git_agentgate_it_refuses_in_one_line(tmp_path: Path, stage: str) -> None:
    hook = Hook(tmp_path, stage, program="/gone/git-agentgate")
    done = hook.run(*REF)
    assert (1, 1) == (done.returncode, done.stderr.count(b"\n"))
    assert b"git agentgate install --server" in done.stderr
    program = recorder(tmp_path / "a place" / "git-agentgate", hook.log)
    assert 0 == Hook(tmp_path / "other", stage, program=str(program)).run(*REF).returncode
    assert [CALLS[stage]] == calls(hook.log)


def test_they_are_marked_and_may_be_run() -> None:
    for stage in SERVER_STAGES:
        path = Path(shims_directory(), stage)
        assert path.read_bytes().startswith(b"#!/bin/sh\n" + MARKER + b"1\n")
        assert os.access(path, os.X_OK)
