"""The executed Python entries as real repositories: no weakened head gets through, every near miss does."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from testing.catalogue import MISSES, judge_all
from testing.executed import EXECUTED, executed_cases, run_all

pytestmark = pytest.mark.slow


def test_runs_and_the_static_scan_together(tmp_path: Path) -> None:
    cases = executed_cases()
    ran = run_all(cases, tmp_path)
    is_flagged = {one.entry.id: one.is_flagged() for one in judge_all(cases)}
    unseen = {one.entry.id for one in ran if not one.head and not is_flagged[one.entry.id]}
    assert {} == {one.entry.id: one.near for one in ran if one.near}, "near misses that were rejected"
    assert 0.02 * len(ran) >= len(unseen), unseen
    assert set(yaml.safe_load(MISSES.read_text(encoding="utf-8"))["unseen"] or {}) == unseen
    recorded = yaml.safe_load(EXECUTED.read_text(encoding="utf-8"))
    assert {name for name, layers in recorded.items() if layers} == {one.entry.id for one in ran if one.head}
