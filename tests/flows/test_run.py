"""`run`: a proposal is sealed, run and scored by a runner, and what it leaves is what `decide` believes."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.repo_builder import RepoBuilder
from testing.run_bed import RunBed


@pytest.fixture
def bed(repo: RepoBuilder, tmp_path: Path) -> RunBed:
    return RunBed(repo, tmp_path)


def test_a_fix_whose_test_bites_is_allowed(bed: RunBed) -> None:
    done = bed.propose().run()
    assert (0, "ALLOW\n") == (done.status, done.stdout), done.stderr
    assert "ALLOW" == bed.decide()
    assert [1, 1, 1] == [len(bed.lines(kind)) for kind in ("seals", "credits", "packets")]


def test_the_same_call_again_says_what_came_out(bed: RunBed) -> None:
    first = bed.propose().run()
    again = bed.run()
    assert (first.status, first.stdout) == (again.status, again.stdout)
    assert "has made this run before" in again.stderr
    assert [1, 1, 1, 1] == [len(bed.lines(kind)) for kind in ("seals", "credits", "packets", "verdicts")]
