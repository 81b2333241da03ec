"""The hostile patches of the forgery bench, each run by a runner and decided; see docs/forgery-bench.md."""

from __future__ import annotations

import pytest

from testing.forgery.bed import Bed
from testing.forgery.hostile import HOSTILE
from testing.forgery.projects import Patch
from testing.forgery_page import recorded


@pytest.mark.slow
@pytest.mark.parametrize("patch", HOSTILE, ids=[one.name for one in HOSTILE])
def test_answers(beds: dict[str, Bed], patch: Patch) -> None:
    bed = beds[patch.project]
    bed.propose(patch.files)
    assert recorded()["hostile"][patch.name] == bed.answers(bed.run()), bed.said
