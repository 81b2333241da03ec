from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.runner.environment import (
    find_interpreter,
    in_place_environment,
    program_behind,
    scratch_environment,
)

AMBIENT = {
    "HOME": "/home/pat",
    "GIT_DIR": "/elsewhere/.git",
    "GIT_INDEX_FILE": "/elsewhere/.git/index",
    "PYTEST_ADDOPTS": "--co",
    "PYTEST_PLUGINS": "nowhere",
    "PYTHONOPTIMIZE": "2",
    "PYTHONPATH": "/my/own",
    "TMPDIR": "/scratch",
    "TZ": "Pacific/Apia",
}


@pytest.mark.parametrize(
    ("explicit", "environ", "there", "expected"),
    [
        pytest.param("/x/py", {"VIRTUAL_ENV": "/v"}, {"/v/bin/python"}, "/x/py", id="named"),
        pytest.param(".venv/bin/py", {}, set(), "/w/sub/.venv/bin/py", id="seen from where the user stands"),
        pytest.param("../.venv/bin/py", {}, set(), "/w/.venv/bin/py", id="seen from a sub-directory"),
        pytest.param("python3.12", {"PATH": ".:/a:/b"}, {"/b/python3.12"}, "/b/python3.12", id="a name on PATH"),
        pytest.param(
            "",
            {"VIRTUAL_ENV": "v", "PATH": "bin:/b"},
            {"v/bin/python", "bin/python3", "/b/python3"},
            "/b/python3",
            id="relative entries are passed over",
        ),
        pytest.param("", {"VIRTUAL_ENV": "/v"}, {"/v/bin/python", "/w/.venv/bin/python"}, "/v/bin/python", id="active"),
        pytest.param("", {"VIRTUAL_ENV": "/v"}, {"/w/.venv/bin/python"}, "/w/.venv/bin/python", id="of-the-work-tree"),
        pytest.param("", {"PATH": "/a:/b"}, {"/b/python3"}, "/b/python3", id="on-path"),
    ],
)
def test_interpreter(explicit: str, environ: dict[str, str], there: set[str], expected: str) -> None:
    assert expected == find_interpreter(explicit, environ, "/w/sub", "/w", there.__contains__)


def test_no_interpreter_is_said() -> None:
    with pytest.raises(UsageFailure, match="no Python was found"):
        find_interpreter("", {"PATH": "/a"}, "/w", "/w", set[str]().__contains__)
    with pytest.raises(UsageFailure, match=r"python4 was not found"):
        find_interpreter("python4", {"PATH": "/a"}, "/w", "/w", set[str]().__contains__)


def test_b02_b72_in_place_environment_has_no_git_and_no_pytest_variables() -> None:
    expected = {"HOME": "/home/pat", "PYTHONPATH": "/my/own", "TMPDIR": "/scratch", "TZ": "UTC"}
    assert expected == in_place_environment(AMBIENT, (("TZ", "UTC"),))


def test_scratch_environment_imports_from_the_tree_alone() -> None:
    environment = scratch_environment(AMBIENT, (), ("/x/src", "/x/lib"))
    assert "/x/src:/x/lib" == environment["PYTHONPATH"]
    assert "PYTHONPATH" not in scratch_environment(AMBIENT, (), ())


def test_an_interpreter_that_is_not_there_is_said_not_to_start(tmp_path: Path) -> None:
    with pytest.raises(Undecided, match=r"cannot be started \(No such file or directory\)"):
        program_behind(str(tmp_path / "python"), os.environ, str(tmp_path))


def test_the_program_behind_a_script_that_finds_one(tmp_path: Path) -> None:
    assert sys.executable == program_behind(sys.executable, os.environ, str(tmp_path))
    shim = tmp_path / "python3"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    shim.chmod(0o755)
    assert sys.executable == program_behind(str(shim), os.environ, str(tmp_path))
    shim.write_text("#!/bin/sh\nexit 127\n")
    with pytest.raises(Undecided, match="does not say which interpreter it stands for"):
        program_behind(str(shim), os.environ, str(tmp_path))
