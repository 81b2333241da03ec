"""The shims: they start what was there before, then git-agentgate, and decide nothing."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from agentgate_git.flows.clone.hook_files import CHAINED, MARKER, STAGES
from agentgate_git.flows.shipped import shims_directory
from testing.hooked_repo import calls, recorder, write_script
from testing.shim import Hook

ZERO = "0" * 40
LINE = f"refs/heads/main {'1' * 40} refs/heads/main {ZERO}\n".encode()
PUSHES = {
    "nothing to push": b"",
    "one ref": LINE,
    "a name that is no UTF-8": LINE + b"refs/heads/bad\xe5 " + b"2" * 40 + b" refs/heads/bad\xe5 " + b"0" * 40 + b"\n",
    "more refs than a pipe holds": LINE * 5000,
    "names with % and backslashes": b"refs/heads/%s\\n%d " + b"3" * 40 + b" refs/heads/x " + b"0" * 40 + b"\n",
}


@pytest.mark.parametrize("stage", STAGES)
def test_arguments_and_status_pass_through(tmp_path: Path, stage: str) -> None:
    hook = Hook(tmp_path, stage).with_tool(status=7)
    done = hook.run("an argument", "")
    assert (7, b"") == (done.returncode, done.stderr)
    assert [f"git-agentgate|hook|{stage}|an argument|"] == calls(hook.log)


@pytest.mark.parametrize("stage", STAGES)
def test_the_predecessor_runs_first_with_the_same_arguments(tmp_path: Path, stage: str) -> None:
    hook = Hook(tmp_path, stage).with_tool().with_predecessor()
    assert 0 == hook.run("origin", "a b").returncode
    assert [f"{stage}{CHAINED}|origin|a b", f"git-agentgate|hook|{stage}|origin|a b"] == calls(hook.log)


@pytest.mark.parametrize("stage", STAGES)
def test_a_predecessor_that_refuses_has_the_last_word(tmp_path: Path, stage: str) -> None:
    hook = Hook(tmp_path, stage).with_tool().with_predecessor(status=9)
    assert 9 == hook.run().returncode
    assert [stage + CHAINED] == [call.partition("|")[0] for call in calls(hook.log)]


@pytest.mark.parametrize("stage", STAGES)
def test_a_predecessor_that_passes_does_not_pass_for_us(tmp_path: Path, stage: str) -> None:
    hook = Hook(tmp_path, stage).with_tool(status=1).with_predecessor(status=0)
    assert 1 == hook.run(stdin=LINE).returncode


@pytest.mark.parametrize("stage", STAGES)
def test_git_leaves_out_what_is_not_executable_and_so_do_we(tmp_path: Path, stage: str) -> None:
    hook = Hook(tmp_path, stage).with_tool().with_predecessor(status=9)
    hook.before.chmod(0o644)
    assert 0 == hook.run().returncode


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.parametrize("push", PUSHES)
def test_pre_push_gives_all_of_stdin_to_both(tmp_path: Path, push: str, shell: str) -> None:
    hook = Hook(tmp_path, "pre-push").with_tool().with_predecessor()
    done = hook.run("origin", "url", stdin=PUSHES[push], shell=f"/bin/{shell}")
    assert (0, b"") == (done.returncode, done.stderr)
    assert PUSHES[push] == hook.stdin_of("pre-push" + CHAINED)
    assert PUSHES[push] == hook.stdin_of("git-agentgate")


@pytest.mark.parametrize("push", PUSHES)
def test_pre_push_without_a_predecessor_leaves_stdin_alone(tmp_path: Path, push: str) -> None:
    hook = Hook(tmp_path, "pre-push").with_tool()
    assert 0 == hook.run(stdin=PUSHES[push]).returncode
    assert PUSHES[push] == hook.stdin_of("git-agentgate")


def test_a_predecessor_that_reads_no_stdin_makes_no_noise(tmp_path: Path) -> None:
    hook = Hook(tmp_path, "pre-push").with_tool().with_predecessor(reads=False)
    # As git does: SIGPIPE is ignored while the pre-push hook runs, and a shell cannot undo that.
    wrapper = write_script(tmp_path / "wrapper", f'trap "" PIPE\nexec "{hook.file}" "$@"\n')
    done = subprocess.run([wrapper], input=LINE * 5000, capture_output=True, check=False, env={"PATH": hook.path})
    assert (0, b"") == (done.returncode, done.stderr)
    assert LINE * 5000 == hook.stdin_of("git-agentgate")


@pytest.mark.parametrize("stage", STAGES)
def test_without_git_agentgate_it_refuses_in_one_line(tmp_path: Path, stage: str) -> None:
    hook = Hook(tmp_path, stage, program="/gone/git-agentgate").with_predecessor()
    done = hook.run()
    assert 1 == done.returncode
    assert 1 == done.stderr.count(b"\n")
    assert b"not on PATH and not at /gone/git-agentgate: install it" in done.stderr
    assert b"git agentgate install" in done.stderr
    assert [] == calls(hook.log)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", ["plain", 'it\'s a "path" $HOME `x`'])
def test_off_path_it_uses_the_place_install_wrote_down(tmp_path: Path, stage: str, name: str) -> None:
    log = tmp_path / "log"
    program = recorder(tmp_path / name / "git-agentgate", log)
    assert 0 == Hook(tmp_path, stage, program=str(program)).run("x").returncode
    assert [f"git-agentgate|hook|{stage}|x"] == calls(log)


@pytest.mark.parametrize("stage", STAGES)
def test_a_hook_that_calls_itself_ends_and_is_still_judged(tmp_path: Path, stage: str) -> None:
    hook = Hook(tmp_path, stage).with_tool(status=3)
    write_script(hook.before, f'exec "{hook.file}" "$@"\n')
    assert 3 == hook.run("x", stdin=LINE).returncode
    assert [f"git-agentgate|hook|{stage}|x"] == calls(hook.log)


@pytest.mark.parametrize("stage", STAGES)
def test_the_variable_against_circles_does_not_silence_us(tmp_path: Path, stage: str) -> None:
    hook = Hook(tmp_path, stage).with_tool(status=1)
    assert 1 == hook.run(AGENTGATE_CHAINED=str(hook.before)).returncode


def test_it_finds_its_predecessor_when_pre_commit_runs_it_as_legacy(tmp_path: Path) -> None:
    hook = Hook(tmp_path, "pre-push").with_tool().with_predecessor()
    hook.file = hook.file.rename(hook.file.with_name("pre-push.legacy"))
    assert 0 == hook.run("origin", stdin=LINE).returncode
    assert [f"pre-push{CHAINED}|origin", "git-agentgate|hook|pre-push|origin"] == calls(hook.log)


def test_it_finds_its_predecessor_when_started_by_a_bare_name(tmp_path: Path) -> None:
    hook = Hook(tmp_path, "pre-push").with_tool().with_predecessor()
    hook.directory = hook.file.parent
    hook.file = Path("pre-push")
    assert 0 == hook.run(stdin=LINE, shell="/bin/sh").returncode
    assert 2 == len(calls(hook.log))


def test_the_four_shims_are_one_text_but_for_the_stage_and_stdin() -> None:
    heads = set()
    for stage in STAGES:
        text = Path(shims_directory(), stage).read_bytes()
        assert text.startswith(b"#!/bin/sh\n" + MARKER + b"1\n")
        assert os.access(Path(shims_directory(), stage), os.X_OK)
        heads.add(text.partition(b"# The variable ends")[0].replace(stage.encode(), b"STAGE"))
    assert 1 == len(heads)
