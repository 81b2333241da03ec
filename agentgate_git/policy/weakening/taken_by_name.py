"""What tests of other languages than Python take from other files: helpers, annotations and wrappers that skip.

Where a name comes from is not followed there: a name that one file of the change set offers is what tests call so.
"""

from __future__ import annotations

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import (
    AS_CALL,
    CONDITIONAL,
    EXPECTED_FAIL,
    NOT_COLLECTED,
    RUNS,
    SKIPPED,
    CollectedTest,
    Standing,
)

_STRENGTH = (RUNS, CONDITIONAL, EXPECTED_FAIL, SKIPPED, NOT_COLLECTED)
_PYTHON = "python"

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]
    Offered = dict[tuple[str, str], tuple[str, Standing]]


def with_named(side: Side) -> Side:
    """One side of a change set, each test as what it calls or carries from another file of it leaves it."""
    offered = _offered(side)
    if not offered:
        return side
    return tuple(
        one._replace(tests=one.tests._replace(tests=tuple(_stopped(test, one, offered) for test in one.tests.tests)))
        if any(language == one.language for language, _ in offered)
        else one
        for one in side
    )


def _offered(side: Side) -> Offered:
    """What stops a test, by language and name, with its path; nothing for a name that two files offer in two ways."""
    found: Offered = {}
    unclear = set()
    for one in side:
        for offer in one.tests.offers if one.language not in ("", _PYTHON) else ():
            key = one.language, offer.name
            if offer.how == AS_CALL and key in found and found[key][1].state != offer.standing.state:
                unclear.add(key)
            found[key] = one.path, offer.standing
    return {key: there for key, there in found.items() if key not in unclear and there[1].state != RUNS}


def _stopped(test: CollectedTest, file: FileFacts, offered: Offered) -> CollectedTest:
    for name in test.calls:
        path, one = offered.get((file.language, name), ("", None))
        if one is not None and path != file.path and _STRENGTH.index(one.state) > _STRENGTH.index(test.state):
            test = test._replace(state=one.state, marker=f"{name}, which does {one.marker}", condition=one.condition)
    return test
