"""Tests that wait for a variable of the environment which nothing in the repository sets or speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import (
    CONDITIONAL,
    NAMED,
    NO_CI,
    NO_PYTEST,
    NO_RUN,
    OLDER_PYTHON,
    SKIPPED,
    SYSTEM,
    UNSPOKEN,
    Assertion,
    CollectedTest,
    Offer,
)

_OF_RUNS = (SYSTEM, NO_PYTEST, OLDER_PYTHON)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]


def variables_asked(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[str, ...]:
    """The variables that tests of the head newly ask for."""
    known = {name for one in before for asks in _asks(one) for name in asks}
    found = (name for one in after for asks in _asks(one) for name in asks)
    return tuple(dict.fromkeys(name for name in found if name not in known))


def waits_for_runs(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> bool:
    """True where the head newly waits for a system, a Python or a runner, which pipelines decide."""
    return any(name.startswith(_OF_RUNS) for name in variables_asked(before, after))


def never_set(after: Side, unset: frozenset[str]) -> Side:
    """The head, with tests skipped, and assertions unreached, that ask for nothing but what is `unset` everywhere."""
    return tuple(
        one._replace(
            tests=one.tests._replace(
                tests=tuple(_judged(test, unset) for test in one.tests.tests),
                offers=tuple(_offered(offer, unset) for offer in one.tests.offers),
            )
        )
        if any(_asks(one))
        else one
        for one in after
    )


def _judged(test: CollectedTest, unset: frozenset[str]) -> CollectedTest:
    if any(one.asks for one in test.assertions):
        test = test._replace(assertions=tuple(_reached(one, unset) for one in test.assertions))
    if test.state != CONDITIONAL or not test.asks or not unset.issuperset(test.asks):
        return test
    return test._replace(state=SKIPPED, condition=_says(test.asks))


def _reached(one: Assertion, unset: frozenset[str]) -> Assertion:
    if not one.asks or one.void or not unset.issuperset(one.asks):
        return one
    return one._replace(void=f"nothing reaches it: {_says(one.asks)}")


def _offered(offer: Offer, unset: frozenset[str]) -> Offer:
    one = offer.standing
    if one.state != CONDITIONAL or not offer.asks or not unset.issuperset(offer.asks):
        return offer
    return offer._replace(standing=one._replace(state=SKIPPED, condition=_says(offer.asks)))


def _says(asks: tuple[str, ...]) -> str:
    if all(one.startswith(NAMED) for one in asks):
        return f"{UNSPOKEN}{' or '.join(asks)}"
    if all(one.startswith(_OF_RUNS) for one in asks):
        return f"{NO_RUN}{' or '.join(one.removeprefix(SYSTEM) for one in asks)}"
    return "it is true wherever CI runs" if asks == (NO_CI,) else f"nothing sets {' or '.join(asks)}"


def _asks(file: FileFacts) -> Iterator[tuple[str, ...]]:
    """What tests, their assertions, and what tests of other files use ask for."""
    for test in file.tests.tests:
        yield test.asks
        yield from (one.asks for one in test.assertions if one.asks)
    yield from (one.asks for one in file.tests.offers)
