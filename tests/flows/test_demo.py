"""The demo: every answer of its story, from the real flows."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from agentgate_git.flows.demo import demo
from agentgate_git.flows.shipped import example_directory
from agentgate_git.model import code
from agentgate_git.model.demo import DemoStep
from testing.repo_builder import RepoBuilder, hermetic_environment

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def told(scratch: Path) -> tuple[DemoStep, ...]:
    """The whole story, once."""
    home = scratch / "home"
    home.mkdir()
    (scratch / "repo").mkdir()
    return tuple(demo(os.fspath(scratch / "repo"), hermetic_environment(home), sys.executable))


def test_the_example_is_the_one_of_the_checkout() -> None:
    assert ROOT / "examples/invoice" == Path(example_directory())


@pytest.mark.slow
def test_every_answer_is_as_told(told: tuple[DemoStep, ...]) -> None:
    assert [(step.story, step.told) for step in told] == [(step.story, step.code) for step in told]


@pytest.mark.slow
def test_each_way_to_green_without_a_repair_is_refused(told: tuple[DemoStep, ...]) -> None:
    refused = [(step.code, step.exit_status) for step in told if not step.is_allowed()]
    assert [
        (code.TESTS_FAILED, 1),
        (code.SKIP_MARKER, 1),
        (code.GUARDED_PATH, 1),
        (code.STALE, 5),
        (code.STALE, 5),
    ] == refused


@pytest.mark.slow
def test_the_honest_way_is_reproduced(told: tuple[DemoStep, ...]) -> None:
    assert (code.ALLOW, "REPRODUCED", 0) == (told[-1].code, told[-1].verdict, told[-1].exit_status)


@pytest.mark.slow
def test_the_story_stands_in_the_repository(scratch: Path, told: tuple[DemoStep, ...]) -> None:
    repo = RepoBuilder(scratch / "repo", hermetic_environment(scratch / "home"))
    log = repo.git("log", "--format=%s", "--reverse")
    assert (
        "Set up the gate\nAdd totals of invoices\nShorten vat()\nAdd a discount\nTest the discount",
        "",
    ) == (log, repo.git("status", "--porcelain"))
    assert told != ()


def test_keep_refuses_a_directory_that_exists(tmp_path: Path, home: Path) -> None:
    home.mkdir()
    repo = RepoBuilder(tmp_path, hermetic_environment(home))
    done = repo.run(sys.executable, "-m", "agentgate_git", "demo", "--keep", os.fspath(tmp_path))
    assert (2, b"") == (done.returncode, done.stdout)
    assert b"name one that does not exist yet" in done.stderr
