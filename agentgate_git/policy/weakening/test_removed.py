"""E_TEST_REMOVED: tests that ran at the base, are gone, and whose assertions nothing took over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN, Finding, some_of
from agentgate_git.model.inventory import (
    CLOSE,
    CONDITIONAL,
    DOCTEST_OF,
    EXACT,
    RUNS,
    STRENGTHS,
    TEST,
    Assertion,
    CollectedTest,
)
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import CONFIG, HARNESS, PRODUCTION
from agentgate_git.model.role import TEST as TEST_FILE
from agentgate_git.policy.weakening.assertion_ledger import Settled
from agentgate_git.policy.weakening.assertion_order import is_round_trip, rank
from agentgate_git.policy.weakening.test_matching import LIVE, Pair, Place

_SHOWN = 5
# How many new tests of a file are looked at.
_MAX_NEW = 200
_WORD = pattern_of(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_NESTED = "test.nested"
_GONE = "gone, and nothing else asserts what stood there"
_IN_COMMENT = "commented out"
# As a reader names what runs shared examples (source/languages/ruby.py).
_BEHAVES = "behaves like "
_CALLED = pattern_of(r"([^\W\d]\w*)\(")
_ON_NEW = pattern_of(
    r"sys\.version_info(?:\.major|\[:\d\]|\[0\])? (?:>=?|==) (?:\(3,.{0,9}\)|3)|not (?:\w+\.)*PY2\w*|(?:\w+\.)*PY3\w*"
)


def removal_findings(change: Settled) -> tuple[Finding, ...]:
    """One finding for each file that lost tests; none for tests whose subject was removed with them.

    It blocks where the test still stands there as a comment, and in Python inside another function, where several
    became one that asks nothing, and where a file of tests is gone, or changed besides, and nothing explains it.
    """
    if not change.books.gone:
        return ()
    removed = _removed_definitions(change.before, change.after)
    went = _gone_with_product(change, removed)
    is_bare = not change.matched.fresh and not change.subject.has_any
    is_unexplained = _is_unexplained(change)
    twins, smoke, mixed, nested = _twins(change), _smoked(change), _mixed(change), _nested(change)
    shared = _shared(change)
    found: dict[tuple[str, str, str], list[str]] = {}
    successors = _Successors(change)
    for place, lost in change.books.gone:
        name = place.test.name
        if (
            place.path in went
            or removed.intersection(place.test.calls)
            or _twin(place) in twins
            or _ran_on_old_pythons(place)
        ):
            continue
        if (place.path, name.rpartition("::")[0], place.test.body) in shared:
            continue
        if place.test.state in LIVE and change.hidden.has_test(name):
            found.setdefault((place.path, BLOCK, _IN_COMMENT), []).append(name)
        elif _is_gone(place, lost, is_bare=is_bare) and not successors.take(place):
            is_plain = (place.path, name.rpartition("::")[2]) in nested or (is_unexplained and place.path in mixed)
            is_plain = is_plain and place.path.endswith(".py") and place.test.state == RUNS
            is_plain = is_plain and not _is_merged(place, lost)
            is_sure = (is_plain and not name.startswith(DOCTEST_OF)) or name in smoke
            found.setdefault((place.path, BLOCK if is_sure else WARN, _GONE), []).append(name)
    return tuple(_findings(found))


class _Successors:
    """New tests beside production that changed: one may ask anew what a test asked that is gone, under another name."""

    def __init__(self, change: Settled) -> None:
        self._fresh: dict[str, list[CollectedTest]] = {}
        for fresh in change.matched.fresh if change.subject.has_any else ():
            if fresh.test.kind == TEST and fresh.test.state in LIVE:
                self._fresh.setdefault(fresh.path, []).append(fresh.test)

    def take(self, place: Place) -> bool:
        """True for a test of the same file of which the name, the calls and the closest assertion are near: once."""
        old = place.test
        words, calls = _words(old.name), frozenset(old.calls)
        closest = _closest(old)
        for other in self._fresh.get(place.path, ())[:_MAX_NEW]:
            is_near = 2 * len(words & _words(other.name)) >= len(words) and _closest(other) <= closest
            if is_near and calls and 4 * len(calls.intersection(other.calls)) >= 3 * len(calls):
                self._fresh[place.path].remove(other)
                return True
        return False


def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(name))


def _closest(test: CollectedTest) -> int:
    """How near the nearest of its assertions tells values apart: less is nearer. A way there and back tells less."""
    told = (rank(one) + is_round_trip(one) for one in test.assertions if not one.void)
    return min(told, default=len(STRENGTHS))


def _nested(change: Settled) -> frozenset[tuple[str, str]]:
    """Tests by path and last name that stand inside a function now, and did not before."""
    before, after = (
        {(one.path, trait.what) for one in side for trait in one.traits if trait.kind == _NESTED}
        for side in (change.before, change.after)
    )
    return frozenset(after - before)


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

    Production and settings stand as they did, and no test, row or file of tests is new: not even one that says less may
    be what took over.
    """
    changed = (*change.before, *change.after)
    if any(one.role in (PRODUCTION, HARNESS, CONFIG) or one.settings or one.problem for one in changed):
        return False
    known = {one.path for one in change.before}
    if change.matched.fresh or any(one.path not in known for one in change.after if one.role == TEST_FILE):
        return False
    return not any(_has_more_rows(pair) for pair in change.matched.pairs)


def _has_more_rows(pair: Pair) -> bool:
    """True for a test that is tried on more now, by rows of its own or of a fixture."""
    new = pair.new
    return new is not None and len(new.test.rows) + len(new.test.fixed) > len(pair.old.test.rows) + len(
        pair.old.test.fixed
    )


def _smoked(change: Settled) -> frozenset[str]:
    """Several tests that told values apart, where a new test of their file only asks whether there is any.

    Production stands as it did. Its assertions are about what theirs called, and no new test tells values of it apart.
    """
    if change.subject.has_any:
        return frozenset()
    near: dict[str, _Near] = {}
    for place in change.matched.fresh:
        if place.test.kind == TEST and place.test.state in LIVE:
            for name in place.test.calls:
                near.setdefault(name, _Near()).add(place)
    found: dict[str, set[str]] = {}
    for place, lost in change.books.gone if near else ():
        if not place.path.endswith(".py"):
            continue
        closest = [one for one in lost if one.strength == EXACT and one.relation == "=="]
        names = {name for one in closest for name in _CALLED.findall(one.subject)}
        beside = [near[name] for name in names if name in near]
        is_same_file = any(place.path in one.paths for one in beside)
        if is_same_file and any(one.says for one in beside) and not any(one.tells_values for one in beside):
            found.setdefault(place.path, set()).add(place.test.name)
    return frozenset(name for names in found.values() if len(names) > 1 for name in names)


class _Near:
    """What new tests that call one name assert: anything at all, and whether that tells values apart."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.says = self.tells_values = False

    def add(self, place: Place) -> None:
        """One more of them."""
        said = [one for one in place.test.assertions if not one.void]
        self.paths.add(place.path)
        self.says = self.says or bool(said)
        self.tells_values = self.tells_values or any(map(_tells_values, said))


def _tells_values(one: Assertion) -> bool:
    return rank(one) <= STRENGTHS.index(CLOSE) and one.relation not in ("is truthy", "is falsy")


def _findings(found: dict[tuple[str, str, str], list[str]]) -> Iterator[Finding]:
    for (path, severity, what), names in found.items():
        message = f"{some_of(names, _SHOWN)} {'is' if len(names) == 1 else 'are'} {what}"
        tests = tuple(f"{path}::{name}" for name in names)
        yield Finding(code.TEST_REMOVED, severity, path, message, code.next_step(code.TEST_REMOVED), tests=tests)


def _is_gone(place: Place, lost: Iterable[Assertion], *, is_bare: bool) -> bool:
    """More than half of what a live test asserted is nowhere else.

    One without assertions, which fails by what it calls, says too little to tell unless the change is bare of all that
    could have taken it over.
    """
    asserted = [one for one in place.test.assertions if not one.void]
    if not asserted and place.test.state in LIVE:
        return is_bare and place.test.kind == TEST and bool(place.test.body and place.test.calls)
    return place.test.state in LIVE and 2 * len(tuple(lost)) > len(asserted)


def _is_merged(place: Place, lost: Iterable[Assertion]) -> bool:
    """True where a third of what a test asserted is asserted elsewhere now: it may have become part of another."""
    asserted = sum(1 for one in place.test.assertions if not one.void)
    return 3 * len(tuple(lost)) <= 2 * asserted > 0


def _gone_with_product(change: Settled, removed: frozenset[str]) -> frozenset[str]:
    """Files of production that are gone with the tests in them, and with most of what they defined."""
    left = {one.path for one in change.after}
    gone = (one for one in change.before if one.role == PRODUCTION and one.path not in left and one.defines)
    return frozenset(one.path for one in gone if 2 * len(removed.intersection(one.defines)) >= len(one.defines))


def _twins(change: Settled) -> frozenset[object]:
    """What live tests of the head do, by their classes: a test that did the very same is not missed."""
    there = (*(pair.new for pair in change.matched.pairs if pair.new is not None), *change.matched.fresh)
    return frozenset(_twin(place) for place in there if place.test.state in LIVE and place.test.body)


def _shared(change: Settled) -> frozenset[tuple[str, str, str]]:
    """(path, suite, body) of what suites of the head run by the name of shared examples, wherever these stand."""
    there = (*(pair.new for pair in change.matched.pairs if pair.new is not None), *change.matched.fresh)
    bodies: dict[str, list[str]] = {}
    for place in there:
        if place.test.body:
            bodies.setdefault(place.test.name.rpartition("::")[0], []).append(place.test.body)
    called = [(place, *place.test.name.rpartition("::")[::2]) for place in there if _BEHAVES in place.test.name]
    return frozenset(
        (place.path, suite, body)
        for place, suite, last in called
        if place.test.state in LIVE and last.startswith(_BEHAVES)
        for body in bodies.get(last.removeprefix(_BEHAVES), ())[:_MAX_NEW]
    )


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
