"""Tests that wait for a variable of the environment which nothing in the repository sets or speaks of."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import CONDITIONAL, SKIPPED, CollectedTest

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]


def variables_asked(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[str, ...]:
    """The variables that tests of the head newly ask for."""
    known = {name for one in before for test in one.tests.tests for name in test.asks}
    found = (name for one in after for test in one.tests.tests for name in test.asks)
    return tuple(dict.fromkeys(name for name in found if name not in known))


def never_set(after: Side, unset: frozenset[str]) -> Side:
    """The head, with tests skipped that ask for nothing but variables which are `unset` everywhere."""
    return tuple(
        one._replace(tests=one.tests._replace(tests=tuple(_judged(test, unset) for test in one.tests.tests)))
        if any(test.asks for test in one.tests.tests)
        else one
        for one in after
    )


def _judged(test: CollectedTest, unset: frozenset[str]) -> CollectedTest:
    if test.state != CONDITIONAL or not test.asks or not unset.issuperset(test.asks):
        return test
    return test._replace(state=SKIPPED, condition=f"nothing sets {' or '.join(test.asks)}")
