"""Fixtures named for the situation they give."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from testing import suites
from testing.command_line import WARM
from testing.repo_builder import RepoBuilder
from testing.warm_python import warm_python

# A shared machine is slow at times: nothing here asserts on time, Hypothesis included.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An interpreter that has imported pytest already, for runs under the variables that a policy sets by default."""
    with warm_python(tmp_path_factory.mktemp("warm") / "folder", hash_seed="0") as python:
        yield python


@pytest.fixture(scope="session", autouse=True)
def _warm_ones_end() -> Iterator[None]:
    yield
    WARM.close()
    suites.WARM.close()


@pytest.fixture
def repo(tmp_path: Path, home: Path) -> RepoBuilder:
    """An empty repository."""
    return RepoBuilder.create(tmp_path / "repo", home)


@pytest.fixture(params=["sha1", "sha256"])
def repo_of_each_hash(request: pytest.FixtureRequest, tmp_path: Path, home: Path) -> RepoBuilder:
    """An empty repository, once for each object format."""
    return RepoBuilder.create(tmp_path / "repo", home, object_format=request.param)
