"""The repositories of the forgery bench."""

from __future__ import annotations

import pytest

from testing.forgery.bed import Bed
from testing.forgery.projects import PROJECTS


@pytest.fixture(scope="module")
def beds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bed]:
    """One for each project; its patches are proposed one after another."""
    folder = tmp_path_factory.mktemp("forgery")
    return {project: Bed(project, folder / project) for project in PROJECTS}
