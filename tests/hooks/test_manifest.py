"""What the repository offers to pre-commit: nothing in it may hide a change from the hook."""

from __future__ import annotations

import subprocess
import tomllib
from typing import Any

import yaml

from agentgate_git.wire.hook_config import IDS
from testing.hooked_repo import PROJECT, TOOLS

MANIFEST = PROJECT / ".pre-commit-hooks.yaml"


def rows() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in yaml.safe_load(MANIFEST.read_text())}


def test_pre_commit_takes_it() -> None:
    done = subprocess.run([TOOLS / "pre-commit", "validate-manifest", MANIFEST], capture_output=True, check=False)
    assert (0, b"") == (done.returncode, done.stdout)


def test_one_id_per_stage() -> None:
    stages = {name: tuple(row["stages"]) for name, row in rows().items()}
    assert {**IDS, "agentgate-doctor": ("manual",)} == stages


def test_b03_every_id_runs_whatever_the_files_are() -> None:
    for name, row in rows().items():
        assert (True, True, "python", "3.2.0", name == "agentgate-commit-msg") == (
            row["always_run"],
            row["require_serial"],
            row["language"],
            row["minimum_pre_commit_version"],
            row["pass_filenames"],
        )
        assert not {"files", "exclude", "types", "types_or", "exclude_types"} & row.keys()


def test_each_entry_names_its_stage() -> None:
    entries = {name: row["entry"] for name, row in rows().items()}
    assert {
        "agentgate-pre-commit": "git-agentgate hook pre-commit",
        "agentgate-commit-msg": "git-agentgate hook commit-msg",
        "agentgate-pre-push": "git-agentgate hook pre-push",
        "agentgate-doctor": "git-agentgate doctor",
    } == entries


def test_every_id_brings_the_grammars_of_the_extra() -> None:
    """The same list everywhere, or the hook manager would build an environment for each id."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    extra = project["optional-dependencies"]["languages"]
    assert dict.fromkeys(rows(), extra) == {name: row["additional_dependencies"] for name, row in rows().items()}
