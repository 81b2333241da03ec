"""A merge answers for what stands against every one of its parents: what one of them lacks, it did not lose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.finding import Finding


def against_all(answers: Iterable[tuple[Finding, ...]]) -> Iterator[Finding]:
    """The findings of the first answer that stand in every other one too, told as the first tells them."""
    first, *others = answers
    for finding in first:
        if all(stands_in(finding, other) for other in others):
            yield finding


def stands_in(finding: Finding, others: Iterable[Finding]) -> bool:
    """True when one of the others tells of the same loss.

    Lines and messages may differ, since each is told from another base; the tests that are named, the line of the
    head, or the words must agree.
    """
    return any(_is_same(finding, other) for other in others)


def _is_same(one: Finding, other: Finding) -> bool:
    if (one.code, one.path) != (other.code, other.path):
        return False
    if one.tests and other.tests:
        return not set(one.tests).isdisjoint(other.tests)
    return one.line == other.line or one.message == other.message
