"""Two directories compared, with no repository anywhere near."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from agentgate_git.flows.scan import scan_directories
from agentgate_git.model.failure import UsageFailure
from testing.command_line import agentgate
from testing.proposals import FILES, RUNNING, SKIPPING, TEST_FILE, WORKFLOW, told
from testing.repo_builder import RepoBuilder, hermetic_environment

PINS = "version: 1\nproperty_id: orders\nmodule: shop.orders\npins:\n  tz: UTC\n  rng_seed: 7\n"


def write(directory: Path, files: Mapping[str, str | bytes | None]) -> Path:
    directory.mkdir(exist_ok=True)
    RepoBuilder(directory, {}).write(files)
    return directory


@pytest.fixture
def before(tmp_path: Path) -> Path:
    return write(tmp_path / "before", {**FILES, "entropy.yaml": PINS})


@pytest.fixture
def after(tmp_path: Path) -> Path:
    return write(tmp_path / "after", {**FILES, "entropy.yaml": PINS})


def scan(before: Path, after: Path) -> list[tuple[str, str, str]]:
    result = scan_directories(str(before), str(after))
    assert any(finding.is_blocking() for finding in result.findings) == bool(result.exit_status)
    return told(result.findings)


def test_nothing_changed(before: Path, after: Path) -> None:
    assert [] == scan(before, after) == scan(before, before)


def test_what_changed_without_harm(before: Path, after: Path) -> None:
    write(after, {"core.py": "ONE = 2 - 1\n", "tests/test_more.py": RUNNING, "entropy.yaml": PINS + "  lang: C\n"})
    assert [] == scan(before, after)


def test_a_skipped_test_and_a_changed_pin(before: Path, after: Path) -> None:
    write(after, {TEST_FILE: SKIPPING, "entropy.yaml": PINS.replace("7", "8")})
    assert [("E_PIN_CHANGED", "block", "entropy.yaml"), ("E_SKIP_MARKER", "block", TEST_FILE)] == scan(before, after)


def test_a_manifest_that_is_gone_and_a_baseline_that_stayed(before: Path, after: Path) -> None:
    write(before, {"entropy.baseline.yaml": PINS})
    write(after, {"entropy.baseline.yaml": PINS, "entropy.yaml": None})
    assert [("E_PIN_DROPPED", "block", "entropy.yaml")] == scan(before, after)


def test_a_test_that_moved_is_the_same_test(before: Path, after: Path) -> None:
    write(after, {TEST_FILE: None, "tests/unit/test_kernel.py": RUNNING})
    assert [] == scan(before, after)
    write(after, {"tests/unit/test_kernel.py": SKIPPING})
    assert [("E_SKIP_MARKER", "block", "tests/unit/test_kernel.py")] == scan(before, after)


def test_a_test_file_that_cannot_be_read_as_python(before: Path, after: Path) -> None:
    write(after, {TEST_FILE: "def (:\n"})
    assert [("E_NOT_JUDGED", "block", TEST_FILE)] == scan(before, after)


def test_who_changed_a_guarded_path_is_not_known(before: Path, after: Path) -> None:
    write(after, {WORKFLOW: "on: never\n"})
    assert [] == scan(before, after)


def test_what_belongs_to_nobody_s_change_is_left_out(before: Path, after: Path) -> None:
    for folder in (".git", "__pycache__", ".venv", "node_modules"):
        write(after, {f"{folder}/test_x.py": SKIPPING})
        write(before, {f"{folder}/test_x.py": RUNNING})
    assert [] == scan(before, after)


def test_a_file_that_is_no_file_is_left_out(before: Path, after: Path) -> None:
    """A named pipe would be waited for until somebody writes to it."""
    os.mkfifo(after / "tests" / "test_pipe.py")
    (after / "tests" / "test_link.py").symlink_to("/etc/passwd")
    (after / "tests" / "test_loop.py").symlink_to("test_loop.py")
    assert [] == scan(before, after)


def test_b35_a_name_that_is_no_utf8(before: Path, after: Path) -> None:
    name = "tests/test_bad\udce5.py"
    write(before, {name: RUNNING})
    write(after, {name: SKIPPING})
    assert [("E_SKIP_MARKER", "block", name)] == scan(before, after)


def test_what_is_no_directory(before: Path, tmp_path: Path) -> None:
    for missing in (tmp_path / "nowhere", before / "core.py"):
        with pytest.raises(UsageFailure, match="is no directory"):
            scan(before, missing)
        with pytest.raises(UsageFailure, match="is no directory"):
            scan(missing, before)


def test_a_directory_that_leads_back_up_is_not_followed(before: Path, after: Path) -> None:
    (after / "tests" / "again").symlink_to("..")
    assert [] == scan(before, after)


def test_the_command_and_its_json(before: Path, after: Path, tmp_path: Path, home: Path) -> None:
    write(after, {TEST_FILE: SKIPPING})
    somewhere = RepoBuilder(tmp_path, hermetic_environment(home))
    done = agentgate(somewhere, "scan", "--before", "before", "--after", str(after), "--format", "json")
    answer = done.json()
    assert (1, "", "agentgate.scan/1", 1, []) == (
        done.status,
        done.stderr,
        answer["schema"],
        answer["exit"],
        answer["commits"],
    )
    assert {"schema", "findings", "commits", "notes", "exit"} == answer.keys()
    assert [("E_SKIP_MARKER", "block", TEST_FILE, "")] == [
        (row["code"], row["severity"], row["path"], row["commit"]) for row in answer["findings"]
    ]
    text = agentgate(somewhere, "-C", str(before.parent), "scan", "--before", "before", "--after", "after")
    assert (1, True) == (text.status, text.stdout.startswith("E_SKIP_MARKER block"))
    assert 2 == agentgate(somewhere, "scan", "--before", "before").status
