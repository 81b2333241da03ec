"""E_TEST_REMOVED: tests that ran at the base, are gone, and whose assertions nothing took over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.inventory import CLOSE, CONDITIONAL, DOCTEST_OF, EXACT, RUNS, STRENGTHS, TEST, Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import CONFIG, HARNESS, PRODUCTION
from agentgate_git.model.role import TEST as TEST_FILE
from agentgate_git.policy.weakening.assertion_ledger import Settled
from agentgate_git.policy.weakening.assertion_order import rank
from agentgate_git.policy.weakening.subject_changes import subject_changes
from agentgate_git.policy.weakening.test_matching import LIVE, Place

_SHOWN = 5
_LEFT = "test.left"
_CALLED = pattern_of(r"([^\W\d]\w*)\(")
_ON_NEW = pattern_of(
    r"sys\.version_info(?:\.major|\[:\d\]|\[0\])? (?:>=?|==) (?:\(3,.{0,9}\)|3)|not (?:\w+\.)*PY2\w*|(?:\w+\.)*PY3\w*"
)


def removal_findings(change: Settled) -> tuple[Finding, ...]:
    """One finding for each file that lost tests; none for tests whose subject was removed with them.

    It blocks in Python where the test still stands there as a comment or inside another function, where several became
    one that asks nothing, and where a file of tests is gone, or changed besides, and nothing of the change explains it.
    """
    if not change.books.gone:
        return ()
    removed = _removed_definitions(change.before, change.after)
    twins = _twins(change)
    by_path: dict[tuple[str, str], list[str]] = {}
    smoke = _smoked(change)
    is_bare = _is_unexplained(change)
    left = {
        one.path: frozenset(trait.what for trait in one.traits if trait.kind == _LEFT)
        - _left_before(change.before, one.path)
        for one in change.after
    }
    mixed = _mixed(change)
    for place, lost in change.books.gone:
        is_told = _twin(place) in twins or _ran_on_old_pythons(place)
        if not is_told and _is_gone(place, lost) and not removed.intersection(place.test.calls):
            is_left = place.test.name.rpartition("::")[2] in left.get(place.path, ())
            is_plain = is_left or (is_bare and place.path in mixed)
            is_sure = is_plain and place.path.endswith(".py") and place.test.state == RUNS
            is_sure = is_sure and not place.test.name.startswith(DOCTEST_OF)
            severity = BLOCK if is_sure or place.test.name in smoke else WARN
            by_path.setdefault((place.path, severity), []).append(place.test.name)
    return tuple(_findings(by_path))


def _left_before(before: Iterable[FileFacts], path: str) -> frozenset[str]:
    """Tests that only stood in the text of a file at the base too."""
    return frozenset(trait.what for one in before if one.path == path for trait in one.traits if trait.kind == _LEFT)


def _mixed(change: Settled) -> frozenset[str]:
    """Files that are gone, and those of which other tests were edited: a test alone may be told twice somewhere."""
    left = {one.path for one in change.after}
    edited = {
        pair.old.path
        for pair in change.matched.pairs
        if pair.new is not None and pair.new.test.body != pair.old.test.body and pair.new.path == pair.old.path
    }
    return frozenset(one.path for one in change.before if one.path not in left) | edited


def _is_unexplained(change: Settled) -> bool:
    """True where nothing came in place of a test, and nothing changed that it may have looked at.

    Production and settings stand as they did, and no test or file of tests is new: not even one that says less may be
    what took over.
    """
    changed = (*change.before, *change.after)
    if any(one.role in (PRODUCTION, HARNESS, CONFIG) or one.settings or one.problem for one in changed):
        return False
    known = {one.path for one in change.before}
    return not change.matched.fresh and all(one.path in known for one in change.after if one.role == TEST_FILE)


def _smoked(change: Settled) -> frozenset[str]:
    """Several tests that told values apart, where a new test of their file only asks whether there is any.

    Production stands as it did. Its assertions are about what theirs called, and no new test tells values of it apart.
    """
    fresh = [place for place in change.matched.fresh if place.test.kind == TEST and place.test.state in LIVE]
    found: dict[str, set[str]] = {}
    is_quiet = not subject_changes(change.before, change.after).has_any
    for place, lost in change.books.gone if fresh and is_quiet else ():
        closest = [one for one in lost if one.strength == EXACT and one.relation == "=="]
        names = {name for one in closest for name in _CALLED.findall(one.subject)}
        near = [other for other in fresh if names.intersection(other.test.calls)]
        said = [one for other in near for one in other.test.assertions if not one.void]
        is_same_file = any(other.path == place.path for other in near)
        if closest and is_same_file and place.path.endswith(".py") and said and not any(map(_tells_values, said)):
            found.setdefault(place.path, set()).add(place.test.name)
    return frozenset(name for names in found.values() if len(names) > 1 for name in names)


def _tells_values(one: Assertion) -> bool:
    return rank(one) <= STRENGTHS.index(CLOSE) and one.relation not in ("is truthy", "is falsy")


def _findings(by_path: dict[tuple[str, str], list[str]]) -> Iterator[Finding]:
    for (path, severity), names in by_path.items():
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        verb = "is" if len(names) == 1 else "are"
        message = f"{', '.join(names[:_SHOWN])}{more} {verb} gone, and nothing else asserts what stood there"
        tests = tuple(f"{path}::{name}" for name in names)
        yield Finding(code.TEST_REMOVED, severity, path, message, code.next_step(code.TEST_REMOVED), tests=tests)


def _is_gone(place: Place, lost: Iterable[Assertion]) -> bool:
    """More than half of what a live test asserted is nowhere else; one without assertions says too little to tell."""
    asserted = [one for one in place.test.assertions if not one.void]
    return place.test.state in LIVE and bool(asserted) and 2 * len(tuple(lost)) > len(asserted)


def _twins(change: Settled) -> frozenset[object]:
    """What live tests of the head do, by their classes: a test that did the very same is not missed."""
    there = (*(pair.new for pair in change.matched.pairs if pair.new is not None), *change.matched.fresh)
    return frozenset(_twin(place) for place in there if place.test.state in LIVE and place.test.body)


def _twin(place: Place) -> object:
    test = place.test
    return place.path, test.name.rpartition("::")[0], test.body, test.rows, test.fixed, test.state, test.condition


def _ran_on_old_pythons(place: Place) -> bool:
    """True for a test that newer Pythons skipped: it goes with the last of the older ones."""
    return place.test.state == CONDITIONAL and all(map(_ON_NEW.fullmatch, place.test.condition.split("; ")))


def _removed_definitions(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> frozenset[str]:
    """Names that production files defined and none of the change set defines any more."""
    kept = {name for one in after if one.role == PRODUCTION for name in one.defines}
    return frozenset(name for one in before if one.role == PRODUCTION for name in one.defines if name not in kept)
