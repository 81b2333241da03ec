"""Evidence that is forged, copied, replayed, dated back or signed by others; see docs/forgery-bench.md."""

from __future__ import annotations

import pytest

from testing.forgery.evidence import DEEDS, EvidenceBed
from testing.forgery_page import recorded


@pytest.fixture(scope="module")
def bed(tmp_path_factory: pytest.TempPathFactory) -> EvidenceBed:
    return EvidenceBed(tmp_path_factory.mktemp("forgery"))


@pytest.mark.slow
@pytest.mark.parametrize("name", DEEDS)
def test_answers_about(bed: EvidenceBed, name: str) -> None:
    assert recorded()["evidence"][name] == DEEDS[name](bed), bed.said
