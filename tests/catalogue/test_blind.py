"""Catalogues by others who had not seen the rules: other tricks, other forms of known ones, and honest commits.

Their rates tell whether rules are about kinds or about examples. At first sight the second one had 73 % flagged and
50 % blocked; the third 64 % and 41 % in Python, 45 % and 27 % in other languages; the fourth 76 % and 46 % in Python,
79 % and 46 % in other languages; the fifth 74 % and 58 %, 75 % and 56 %; the sixth 82 % and 65 %, 77 % and 64 %; the
seventh, in which two of five hide among honest edits of other files, 70 % and 50 %, 80 % and 65 %. Kinds that they
showed were repaired since, so what they say of new tricks is by now too friendly.
"""

from __future__ import annotations

from functools import cache

import pytest

from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.record import Record
from testing.catalogue import (
    FIFTH,
    FIFTH_PYTHON,
    FOURTH,
    FOURTH_PYTHON,
    HONEST,
    SECOND,
    SEVENTH,
    SEVENTH_PYTHON,
    SIXTH,
    SIXTH_PYTHON,
    THIRD,
    Judged,
    count,
    judge_all,
    load,
)


class Rates(Record):
    """At least these shares of what is to be blocked, and at most these of what is honest."""

    flagged: float
    blocked: float
    near: float
    warned: float


RATES = {
    SECOND.name: Rates(0.95, 0.84, 0.02, 0.06),
    THIRD.name: Rates(0.94, 0.81, 0.03, 0.05),
    FOURTH.name: Rates(0.99, 0.91, 0.01, 0.03),
    FOURTH_PYTHON.name: Rates(0.96, 0.85, 0.04, 0.03),
    FIFTH.name: Rates(0.99, 0.94, 0.03, 0.03),
    FIFTH_PYTHON.name: Rates(0.93, 0.83, 0.05, 0.05),
    SIXTH.name: Rates(0.99, 0.90, 0.02, 0.02),
    SIXTH_PYTHON.name: Rates(0.96, 0.83, 0.06, 0.05),
    SEVENTH.name: Rates(0.99, 0.81, 0.02, 0.02),
    SEVENTH_PYTHON.name: Rates(0.98, 0.71, 0.07, 0.10),
}


@cache
def judged(name: str) -> tuple[Judged, ...]:
    return tuple(judge_all(load(SECOND.with_name(name))))


def weakened(name: str) -> tuple[Judged, ...]:
    return tuple(one for one in judged(name) if one.entry.family != HONEST)


def honest(name: str) -> tuple[Judged, ...]:
    return tuple(one for one in judged(name) if one.entry.family == HONEST)


@pytest.mark.parametrize(("name", "rates"), RATES.items(), ids=RATES)
def test_honest_commits_are_not_blocked_and_few_warn(name: str, rates: Rates) -> None:
    blocked = [one.entry.id for one in honest(name) if any(found.severity == BLOCK for found in one.head)]
    warned = [one.entry.id for one in honest(name) if any(found.severity == WARN for found in one.head)]
    assert [] == blocked
    assert rates.warned * len(honest(name)) >= len(warned), warned


@pytest.mark.parametrize(("name", "rates"), RATES.items(), ids=RATES)
def test_near_misses_are_left_alone(name: str, rates: Rates) -> None:
    found = count(weakened(name))
    assert 0 == found.near_blocked
    assert rates.near * found.entries >= found.near_any, f"{found.near_any} of {found.entries} with a finding"


@pytest.mark.parametrize(("name", "rates"), RATES.items(), ids=RATES)
def test_most_are_flagged_and_blocked(name: str, rates: Rates) -> None:
    found = count(weakened(name))
    assert rates.flagged * found.block <= found.flagged, f"{found.flagged} of {found.block} flagged"
    assert rates.blocked * found.block <= found.blocked, f"{found.blocked} of {found.block} blocked"
