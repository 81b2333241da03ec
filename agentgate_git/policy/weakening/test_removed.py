"""E_TEST_REMOVED: tests that ran at the base, are gone, and whose assertions nothing took over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.inventory import TEST, Assertion
from agentgate_git.model.role import PRODUCTION
from agentgate_git.policy.weakening.assertion_ledger import Settled
from agentgate_git.policy.weakening.commented_out import commented_out
from agentgate_git.policy.weakening.subject_changes import subject_changes
from agentgate_git.policy.weakening.test_matching import LIVE, Place

_SHOWN = 5


def removal_findings(change: Settled) -> tuple[Finding, ...]:
    """One warning for each file that lost tests; none for tests whose subject was removed with them.

    A test that stands in a comment was no test too many: it is kept from running, and blocks.
    """
    if not change.books.gone:
        return ()
    removed = _removed_definitions(change.before, change.after)
    hidden = commented_out(change.before, change.after)
    is_bare = not change.matched.fresh and not subject_changes(change.before, change.after).has_any
    by_path: dict[str, list[str]] = {}
    in_comments: dict[str, list[str]] = {}
    for place, lost in change.books.gone:
        if removed.intersection(place.test.calls):
            continue
        if place.test.state in LIVE and hidden.has_test(place.test.name):
            in_comments.setdefault(place.path, []).append(place.test.name)
        elif _is_gone(place, lost, is_bare=is_bare):
            by_path.setdefault(place.path, []).append(place.test.name)
    return (*_hidden(in_comments), *_findings(by_path))


def _hidden(in_comments: dict[str, list[str]]) -> Iterator[Finding]:
    for path, names in in_comments.items():
        tests = tuple(f"{path}::{name}" for name in names)
        message = f"{_listed(names)} commented out"
        yield Finding(code.TEST_REMOVED, BLOCK, path, message, code.next_step(code.TEST_REMOVED), tests=tests)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more} {'is' if len(names) == 1 else 'are'}"


def _findings(by_path: dict[str, list[str]]) -> Iterator[Finding]:
    for path, names in by_path.items():
        message = f"{_listed(names)} gone, and nothing else asserts what stood there"
        tests = tuple(f"{path}::{name}" for name in names)
        yield Finding(code.TEST_REMOVED, WARN, path, message, code.next_step(code.TEST_REMOVED), tests=tests)


def _is_gone(place: Place, lost: Iterable[Assertion], *, is_bare: bool) -> bool:
    """More than half of what a live test asserted is nowhere else.

    One without assertions, which fails by what it calls, says too little to tell unless the change is bare of all that
    could have taken it over.
    """
    asserted = [one for one in place.test.assertions if not one.void]
    if not asserted and place.test.state in LIVE:
        return is_bare and place.test.kind == TEST and bool(place.test.body and place.test.calls)
    return place.test.state in LIVE and 2 * len(tuple(lost)) > len(asserted)


def _removed_definitions(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> frozenset[str]:
    """Names that production files defined and none of the change set defines any more."""
    kept = {name for one in after if one.role == PRODUCTION for name in one.defines}
    return frozenset(name for one in before if one.role == PRODUCTION for name in one.defines if name not in kept)
