"""What conditions say to readers."""

from __future__ import annotations

import pytest

from agentgate_git.policy.weakening.added_conditions import in_words

WORDS = {
    "flag": "flag",
    "not flag": "not flag",
    "not not flag": "flag",
    "not not os.environ.get('LIVE')": "os.environ.get('LIVE')",
    "x == 1; not not flag": "x == 1; flag",
    "!(integration)": "!(integration)",
    "!(!integration)": "integration",
    "!(!a&&b)": "!(!a&&b)",
}


@pytest.mark.parametrize(("condition", "told"), WORDS.items(), ids=WORDS)
def test_what_is_denied_twice_is_said_once(condition: str, told: str) -> None:
    assert told == in_words(condition)
