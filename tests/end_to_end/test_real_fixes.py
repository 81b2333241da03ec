"""Fixes of real projects: what each changed symbol earns is what a person judged before the search was run."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.credit_page import PAGE, judged_row
from testing.real_fixes import PROJECTS, differences, load, search_all


@pytest.mark.parametrize("project", PROJECTS)
def test_every_judgement_stands_on_the_page(project: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = [judged_row(fix, judged) for fix in load(project) for judged in fix.judged]
    assert [] == [row for row in rows if row not in page], "run `python -m testing.credit_page --write`"


@pytest.mark.slow
@pytest.mark.parametrize("project", PROJECTS)
def test_credit_is_what_a_person_judges(project: str, tmp_path: Path) -> None:
    found = {searched.fix.name: differences(searched) for searched in search_all(project, tmp_path)}
    assert {fix.name: () for fix in load(project)} == found
