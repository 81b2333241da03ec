"""What is left unread changes no answer: findings on parts of files are those on whole ones, over both catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from agentgate_git.flows.change_sets.judged_files import forbidden_markers
from agentgate_git.flows.change_sets.read_facts import is_read, read_facts
from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import Finding
from agentgate_git.model.paths import MANIFEST_PATH
from agentgate_git.policy.weakening.checks import CHECKS, weakening_findings
from testing.catalogue import Case, load

CASES = (*load(), *load(Path(__file__).parent / "second"))


def on_whole_files(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> set[Finding]:
    """The findings on all facts of all files that changed, without what they rest on elsewhere."""
    forbidden = forbidden_markers(old.get(MANIFEST_PATH), new.get(MANIFEST_PATH))
    changed = [path for path in sorted({*old, *new}) if old.get(path) != new.get(path) and is_read(path)]
    before, after = (
        [read_facts(path, files[path], forbidden) for path in changed if path in files] for files in (old, new)
    )
    return set(weakening_findings(before, after))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.entry.id)
def test_nothing_is_found_on_whole_files_that_parts_hide(case: Case) -> None:
    for tree in (case.near, case.head):
        found = {(one.code, one.path) for one in judge_files(case.base, tree).findings}
        assert {(one.code, one.path) for one in on_whole_files(case.base, tree)} <= found


def test_there_are_checks_and_cases() -> None:
    assert CHECKS
    assert len(CASES) > 600
