"""Messages that keep the forge from running its pipeline, look-alikes first."""

from __future__ import annotations

import pytest

from agentgate_git.model.finding import ADVICE, WARN
from agentgate_git.policy.settings.skipped_pipeline import message_findings, skipping_words

HONEST = (
    "Fix total()\n\nReviewed-by: A <a@example.org>\n",
    "Skip CI jobs that nobody reads",
    "Say why [skip] was renamed, and what ci-skips are",
    "Fix total()\n\nskip-checks: false\n",
    "Let `no_ci` be a marker of pytest",
    "[ci] skip the second row of the matrix",
)
SKIPPING = (
    ("Fix total() [skip ci]", "[skip ci]"),
    ("[CI Skip] fix total()", "[CI Skip]"),
    ("Fix total()\n\n***NO_CI***", "***NO_CI***"),
    ("Fix total()\n\n\nskip-checks: true\n", "skip-checks: true"),
    ("Fix [no ci]", "[no ci]"),
    ("Fix [skip actions]", "[skip actions]"),
    ("Fix [skip azurepipelines]", "[skip azurepipelines]"),
    ("Fix\n\n[circleci skip]", "[circleci skip]"),
    ("Fix [ci-skip]", "[ci-skip]"),
)


@pytest.mark.parametrize("message", HONEST)
def test_a_message_that_skips_nothing(message: str) -> None:
    assert () == tuple(message_findings(message))


@pytest.mark.parametrize(("message", "words"), SKIPPING, ids=[words for _, words in SKIPPING])
def test_a_message_that_skips_the_pipeline(message: str, words: str) -> None:
    assert (words,) == skipping_words(message)
    assert [WARN] == [one.severity for one in message_findings(message)]
    assert [ADVICE] == [one.severity for one in message_findings(message, is_code=False)]
    assert () == tuple(message_findings(message, before=message))
