"""The hostile patches of the forgery bench, each run by a runner and decided; see docs/forgery-bench.md."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.forgery.bed import Bed
from testing.forgery.hostile import HOSTILE
from testing.forgery.projects import PROJECTS, Patch
from testing.forgery_page import recorded


@pytest.fixture(scope="module")
def beds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bed]:
    folder: Path = tmp_path_factory.mktemp("forgery")
    return {project: Bed(project, folder / project) for project in PROJECTS}


@pytest.mark.slow
@pytest.mark.parametrize("patch", HOSTILE, ids=[one.name for one in HOSTILE])
def test_answers(beds: dict[str, Bed], patch: Patch) -> None:
    bed = beds[patch.project]
    bed.propose(patch.files)
    assert recorded()["hostile"][patch.name] == bed.answers(bed.run()), bed.said
