"""E_TEST_REMOVED: tests that ran at the base, are gone, and whose assertions nothing took over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import WARN, Finding
from agentgate_git.model.inventory import Assertion
from agentgate_git.model.role import PRODUCTION
from agentgate_git.policy.weakening.assertion_ledger import Settled
from agentgate_git.policy.weakening.test_matching import LIVE, Place

_SHOWN = 5


def removal_findings(change: Settled) -> tuple[Finding, ...]:
    """One warning for each file that lost tests; none for tests whose subject was removed with them."""
    if not change.books.gone:
        return ()
    removed = _removed_definitions(change.before, change.after)
    by_path: dict[str, list[str]] = {}
    for place, lost in change.books.gone:
        if _is_gone(place, lost) and not removed.intersection(place.test.calls):
            by_path.setdefault(place.path, []).append(place.test.name)
    return tuple(_findings(by_path))


def _findings(by_path: dict[str, list[str]]) -> Iterator[Finding]:
    for path, names in by_path.items():
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        verb = "is" if len(names) == 1 else "are"
        message = f"{', '.join(names[:_SHOWN])}{more} {verb} gone, and nothing else asserts what stood there"
        tests = tuple(f"{path}::{name}" for name in names)
        yield Finding(code.TEST_REMOVED, WARN, path, message, code.next_step(code.TEST_REMOVED), tests=tests)


def _is_gone(place: Place, lost: Iterable[Assertion]) -> bool:
    """More than half of what a live test asserted is nowhere else; one without assertions says too little to tell."""
    asserted = [one for one in place.test.assertions if not one.void]
    return place.test.state in LIVE and bool(asserted) and 2 * len(tuple(lost)) > len(asserted)


def _removed_definitions(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> frozenset[str]:
    """Names that production files defined and none of the change set defines any more."""
    kept = {name for one in after if one.role == PRODUCTION for name in one.defines}
    return frozenset(name for one in before if one.role == PRODUCTION for name in one.defines if name not in kept)
