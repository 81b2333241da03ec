"""Fixtures named for the situation they give."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

from testing.repo_builder import RepoBuilder

# A shared machine is slow at times: nothing here asserts on time, Hypothesis included.
settings.register_profile("suite", deadline=None)
settings.load_profile("suite")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def repo(tmp_path: Path, home: Path) -> RepoBuilder:
    """An empty repository."""
    return RepoBuilder.create(tmp_path / "repo", home)


@pytest.fixture(params=["sha1", "sha256"])
def repo_of_each_hash(request: pytest.FixtureRequest, tmp_path: Path, home: Path) -> RepoBuilder:
    """An empty repository, once for each object format."""
    return RepoBuilder.create(tmp_path / "repo", home, object_format=request.param)
