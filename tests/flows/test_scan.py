"""Two directories compared with no repository anywhere near, and a work tree with its commit."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from agentgate_git.flows.scan import scan_directories, scan_work_tree
from agentgate_git.model.failure import UsageFailure
from testing.command_line import agentgate
from testing.proposals import FILES, RUNNING, SKIPPING, TEST_FILE, WORKFLOW, opened, told
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


def test_a_message_beside_the_files_is_read_as_one(before: Path, after: Path) -> None:
    write(before, {"COMMIT_EDITMSG": "fix\n"})
    write(after, {"COMMIT_EDITMSG": "fix\n\nskip-checks: true\n"})
    assert [("E_GATE_CONFIG", "warn", "COMMIT_EDITMSG")] == [
        (one.code, one.severity, one.path) for one in scan_directories(str(before), str(after)).findings
    ]


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


PYPROJECT = (
    '[tool.pytest.ini_options]\ntestpaths = ["tests"]\nnorecursedirs = ["manual"]\n'
    "[tool.coverage.report]\nfail_under = 95\n"
)
ADDS = "[pytest]\naddopts = -p balance\n"
SEES_LESS = [("E_GATE_CONFIG", "warn", "ruff.toml")]
RUFF = "line-length = 100\n"
SORTS = "def pytest_collection_modifyitems(items):\n    items.sort(key=str)\n"
PICKS = (
    "def pytest_collection_modifyitems(items):\n    items[:] = [one for one in items if 'expires' not in one.nodeid]\n"
)
ONE_TEST = "from ledger import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"


@pytest.mark.parametrize(
    ("gone", "come", "expected"),
    [
        ({}, {".coveragerc": "[report]\nfail_under = 97\n"}, []),
        ({"tests/test_a.py": ONE_TEST}, {"tests/unit/test_a.py": ONE_TEST}, []),
        ({"tox.ini": "[pytest]\n"}, {"tox.ini": ADDS, "tools/balance.py": SORTS}, []),
        (
            {"tox.ini": "[pytest]\n"},
            {"tox.ini": ADDS, "tools/balance.py": PICKS},
            [("E_HARNESS_TAMPERED", "block", "tools/balance.py")],
        ),
        ({"ruff.toml": RUFF}, {"ruff.toml": f'{RUFF}extend-exclude = ["notes"]\n'}, SEES_LESS),
        (
            {"ruff.toml": RUFF, "src/ledger/__init__.py": ""},
            {"ruff.toml": f'{RUFF}extend-exclude = ["src/ledger"]\n', "src/ledger/__init__.py": ""},
            [("E_GATE_CONFIG", "block", "ruff.toml")],
        ),
        (
            {"mypy.ini": "[mypy]\nstrict = true\n", "ledger/__init__.py": ""},
            {"mypy.ini": "[mypy]\nstrict = true\n[mypy-ledger.*]\nignore_errors = true\n", "ledger/__init__.py": ""},
            [("E_GATE_CONFIG", "block", "mypy.ini")],
        ),
        (
            {},
            {".coveragerc": "[report]\nfail_under = 60\n"},
            [("E_GATE_CONFIG", "block", ".coveragerc")],
        ),
        (
            {},
            {"pytest.ini": "[pytest]\ntestpaths = tests/test_b.py\n"},
            [("E_GATE_CONFIG", "block", "pytest.ini")],
        ),
        (
            {"tests/test_a.py": ONE_TEST},
            {"tests/manual/test_a.py": ONE_TEST},
            [("E_GATE_CONFIG", "block", "tests/manual/test_a.py")],
        ),
    ],
    ids=(
        *("asks for more", "moved where tests are", "a plugin that sorts", "a plugin that takes out"),
        *("a folder of notes", "a package of the project", "errors of a package of the project"),
        *("asks for less", "names one file", "moved where none are"),
    ),
)
def test_what_a_file_means_is_said_by_another_one(
    tmp_path: Path, gone: dict[str, str], come: dict[str, str], expected: list[tuple[str, str, str]]
) -> None:
    base = write(tmp_path / "base", {"pyproject.toml": PYPROJECT, **gone})
    assert expected == scan(base, write(tmp_path / "head", {"pyproject.toml": PYPROJECT, **come}))


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
    assert {"schema", "findings", "commits", "evidence", "notes", "exit"} == answer.keys()
    assert [("E_SKIP_MARKER", "block", TEST_FILE, "")] == [
        (row["code"], row["severity"], row["path"], row["commit"]) for row in answer["findings"]
    ]
    text = agentgate(somewhere, "-C", str(before.parent), "scan", "--before", "before", "--after", "after")
    assert (1, True) == (text.status, text.stdout.startswith("E_SKIP_MARKER block"))
    for args in (
        ("--before", "before"),
        ("--after", "after"),
        ("--before", "before", "--all"),
        ("--after", "x", "--all"),
    ):
        assert 2 == agentgate(somewhere, "scan", *args).status


# The work tree


@pytest.fixture
def worked_on(repo: RepoBuilder) -> RepoBuilder:
    repo.commit({**FILES, "entropy.yaml": PINS, ".gitignore": "ignored/\n"})
    return repo


def in_work_tree(repo: RepoBuilder) -> list[tuple[str, str, str]]:
    with opened(repo) as workspace:
        result = scan_work_tree(workspace)
    assert () == result.commits
    return told(result.findings)


def test_a_clean_work_tree(worked_on: RepoBuilder) -> None:
    assert [] == in_work_tree(worked_on)


def test_harmless_work(worked_on: RepoBuilder) -> None:
    worked_on.write({"core.py": "ONE = 2 - 1\n", "tests/test_more.py": RUNNING, WORKFLOW: "on: never\n"})
    assert [] == in_work_tree(worked_on)


def test_line_ends_of_another_platform_are_no_change(worked_on: RepoBuilder) -> None:
    worked_on.write({TEST_FILE: RUNNING.replace("\n", "\r\n")})
    assert [] == in_work_tree(worked_on)


def test_what_is_not_staged_is_seen(worked_on: RepoBuilder) -> None:
    worked_on.write({TEST_FILE: SKIPPING, "entropy.yaml": PINS.replace("7", "8")})
    expected = [("E_PIN_CHANGED", "block", "entropy.yaml"), ("E_SKIP_MARKER", "block", TEST_FILE)]
    assert expected == in_work_tree(worked_on)
    worked_on.git("add", "-A")
    assert expected == in_work_tree(worked_on)
    worked_on.write({TEST_FILE: RUNNING})
    assert expected[:1] == in_work_tree(worked_on), "what lies there counts, not what is staged"


def test_flags_of_the_index_hide_nothing(worked_on: RepoBuilder) -> None:
    worked_on.git("update-index", "--assume-unchanged", TEST_FILE)
    worked_on.git("update-index", "--skip-worktree", "entropy.yaml")
    worked_on.write({TEST_FILE: SKIPPING, "entropy.yaml": PINS.replace("7", "8")})
    assert ["E_PIN_CHANGED", "E_SKIP_MARKER"] == [row[0] for row in in_work_tree(worked_on)]


def test_an_untracked_file_counts_and_an_ignored_one_does_not(worked_on: RepoBuilder) -> None:
    worked_on.write({"ignored/test_x.py": SKIPPING, "tests/test_new.py": SKIPPING})
    assert [("E_SKIP_MARKER", "warn", "tests/test_new.py")] == in_work_tree(worked_on)


def test_what_a_sparse_checkout_leaves_out_is_not_gone(worked_on: RepoBuilder) -> None:
    worked_on.git("update-index", "--skip-worktree", TEST_FILE, "entropy.yaml")
    worked_on.write({TEST_FILE: None, "entropy.yaml": None})
    assert [] == in_work_tree(worked_on)


def test_files_that_are_gone_or_no_files_any_more(worked_on: RepoBuilder) -> None:
    worked_on.write({"entropy.yaml": None, TEST_FILE: None})
    (worked_on.path / "tests/test_link.py").symlink_to("test_loop.py")
    os.mkfifo(worked_on.path / "tests/test_pipe.py")
    dropped, removed = ("E_PIN_DROPPED", "block", "entropy.yaml"), ("E_TEST_REMOVED", "block", TEST_FILE)
    assert [dropped, removed] == in_work_tree(worked_on)


def test_the_work_tree_from_a_folder_of_it_and_where_there_is_none(worked_on: RepoBuilder, tmp_path: Path) -> None:
    worked_on.write({TEST_FILE: SKIPPING})
    done = agentgate(worked_on, "scan", "--format", "json", cwd=worked_on.path / "tests")
    assert (1, "agentgate.scan/1", [TEST_FILE]) == (
        done.status,
        done.json()["schema"],
        [row["path"] for row in done.json()["findings"]],
    )
    worked_on.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    assert 2 == agentgate(RepoBuilder(tmp_path / "bare.git", worked_on.environment), "scan").status
    assert 2 == agentgate(RepoBuilder(tmp_path, worked_on.environment), "scan").status


def test_a_branch_without_a_commit(repo: RepoBuilder) -> None:
    with pytest.raises(UsageFailure, match="no commit yet"):
        in_work_tree(repo)
