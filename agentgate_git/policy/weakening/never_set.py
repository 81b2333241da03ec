"""Tests that wait for a variable of the environment which nothing in the repository sets or speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import (
    CONDITIONAL,
    NAMED,
    NO_CI,
    PYTHON,
    SKIPPED,
    UNSPOKEN,
    UNUSED,
    CollectedTest,
    Offer,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]


def variables_asked(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[str, ...]:
    """The variables that tests of the head newly ask for."""
    known = {name for one in before for asking in _asking(one) for name in asking.asks}
    found = (name for one in after for asking in _asking(one) for name in asking.asks)
    return tuple(dict.fromkeys(name for name in found if name not in known))


def never_set(after: Side, unset: frozenset[str]) -> Side:
    """The head, with tests skipped that ask for nothing but variables which are `unset` everywhere."""
    return tuple(
        one._replace(
            tests=one.tests._replace(
                tests=tuple(_judged(test, unset) for test in one.tests.tests),
                offers=tuple(_offered(offer, unset) for offer in one.tests.offers),
            )
        )
        if any(asking.asks for asking in _asking(one))
        else one
        for one in after
    )


def _judged(test: CollectedTest, unset: frozenset[str]) -> CollectedTest:
    if test.state != CONDITIONAL or not test.asks or not unset.issuperset(test.asks):
        return test
    return test._replace(state=SKIPPED, condition=_says(test.asks))


def _offered(offer: Offer, unset: frozenset[str]) -> Offer:
    one = offer.standing
    if one.state != CONDITIONAL or not offer.asks or not unset.issuperset(offer.asks):
        return offer
    return offer._replace(standing=one._replace(state=SKIPPED, condition=_says(offer.asks)))


def _says(asks: tuple[str, ...]) -> str:
    if all(one.startswith(NAMED) for one in asks):
        return f"{UNSPOKEN}{' or '.join(asks)}"
    if all(one.startswith(PYTHON) for one in asks):
        return f"{UNUSED}{' or '.join(asks)}"
    return "it is true wherever CI runs" if asks == (NO_CI,) else f"nothing sets {' or '.join(asks)}"


def _asking(file: FileFacts) -> Iterator[CollectedTest | Offer]:
    """What may ask for variables: tests, and what tests of other files use."""
    yield from file.tests.tests
    yield from file.tests.offers
