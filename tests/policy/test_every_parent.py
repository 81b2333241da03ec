"""What a merge answers for: the same loss, told from each of its parents."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.policy.every_parent import against_all

LOSS = Finding("E_SKIP_MARKER", BLOCK, "tests/test_a.py", "test_a is skipped", "take it out", line=3)

PAIRS = {
    "the same": (LOSS, LOSS, True),
    "other words, for the same line": (LOSS, LOSS._replace(message="test_a and test_b are skipped"), True),
    "another line, in the same words": (LOSS, LOSS._replace(line=9), True),
    "a test in common": (LOSS._replace(tests=("a", "b")), LOSS._replace(tests=("b",), line=9, message="x"), True),
    "no test in common": (LOSS._replace(tests=("a",)), LOSS._replace(tests=("b",)), False),
    "another line and other words": (LOSS, LOSS._replace(line=9, message="x"), False),
    "another path": (LOSS, LOSS._replace(path="b"), False),
    "another code": (LOSS, LOSS._replace(code="E_TEST_REMOVED"), False),
}


@pytest.mark.parametrize(("one", "other", "stands"), PAIRS.values(), ids=PAIRS)
def test_what_stands_against_both(one: Finding, other: Finding, stands: bool) -> None:
    assert ([one] if stands else []) == list(against_all([(one,), (other,)]))
    assert ([one] if stands else []) == list(against_all([(one,), (one, other), (other,)]))
    assert [] == list(against_all([(one,), ()]))
    assert [one, other] == list(against_all([(one, other)]))
