"""Which test at the head is which test of the base: by place, by body, by name, then by what it asserts."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice

from agentgate_git.model.inventory import CONDITIONAL, NOT_COLLECTED, RUNS, SETUP, UNCALLED, CollectedTest, Inventory
from agentgate_git.model.record import Record

LIVE = (RUNS, CONDITIONAL)

_MAX_ALIKE = 100


class Place(Record):
    """A test and the path of its file."""

    path: str
    test: CollectedTest


class Pair(Record):
    """A test of the base and the same test at the head, None when it is gone."""

    old: Place
    new: Place | None


class Matched(Record):
    """The tests of the base with what became of them, and those of the head that are new."""

    pairs: tuple[Pair, ...]
    fresh: tuple[Place, ...]


def match_tests(base: Iterable[Inventory], head: Iterable[Inventory]) -> Matched:
    """Match the tests of two sides of a change set; every test of the head is matched once at most.

    A test that changed its state is still the same test. Files that could not be read at the head lose no tests.
    """
    after = tuple(head)
    unread = {one.path for one in after if one.problem}
    old = [place for place in _places(base) if place.path not in unread]
    new = _places(after)
    found: dict[int, Place] = {}
    taken: set[int] = set()
    for key_of in (_by_place, _by_body, _by_name):
        index: dict[object, list[int]] = {}
        # The last is taken first: live ones before the others, each in the order of their files.
        for number, place in sorted(enumerate(new), key=_last_choice):
            if number not in taken and (key := key_of(place)):
                index.setdefault(key, []).append(number)
        for number, place in enumerate(old):
            candidates = index.get(key_of(place)) if number not in found else None
            if candidates and (key_of is not _by_name or len(candidates) == 1):
                chosen = candidates.pop()
                found[number] = new[chosen]
                taken.add(chosen)
    _match_by_content(old, new, found, taken)
    pairs = tuple(Pair(place, found.get(number)) for number, place in enumerate(old))
    return Matched(pairs, tuple(place for number, place in enumerate(new) if number not in taken))


def _places(inventories: Iterable[Inventory]) -> list[Place]:
    return [Place(one.path, test) for one in inventories for test in one.tests]


def _by_place(place: Place) -> object:
    return place.path, place.test.name, place.test.kind


def _by_body(place: Place) -> object:
    return (place.test.body, place.test.kind) if place.test.body else None


def _by_name(place: Place) -> object:
    return place.test.name.rpartition("::")[2], place.test.kind


def _last_choice(numbered: tuple[int, Place]) -> tuple[bool, int]:
    number, place = numbered
    return place.test.state in LIVE, -number


def _match_by_content(old: list[Place], new: list[Place], found: dict[int, Place], taken: set[int]) -> None:
    """A test that was renamed and edited shares at least half of what it asserts."""
    index: dict[str, deque[int]] = {}
    for number, place in enumerate(new):
        if number not in taken and place.test.kind != SETUP:
            for text in {one.text for one in place.test.assertions}:
                index.setdefault(text, deque()).append(number)
    if not index:
        return
    for number, place in enumerate(old):
        if number in found or not place.test.assertions:
            continue
        texts = {one.text for one in place.test.assertions}
        shared = Counter(other for text in texts for other in _open(index.get(text), taken))
        best = max(shared, key=lambda other: (shared[other], new[other].path == place.path), default=None)
        if best is not None and 2 * shared[best] >= len(texts):
            found[number] = new[best]
            taken.add(best)


def _open(numbers: deque[int] | None, taken: set[int]) -> Iterator[int]:
    """The first tests with a text that no other test was matched with; what very many assert tells none of them."""
    while numbers and numbers[0] in taken:
        numbers.popleft()
    return (one for one in islice(numbers or (), _MAX_ALIKE) if one not in taken)


def is_helper(place: Place) -> bool:
    """True for a function that is no test itself and may be called by tests of other files."""
    is_named = place.test.name.rpartition("::")[2].startswith("test")
    return place.test.state == NOT_COLLECTED and not is_named and place.test.marker != UNCALLED


def is_judged(pair: Pair, product: frozenset[str]) -> bool:
    """Tests that ran, and helpers of other files, which are part of tests that ran: in production by their names."""
    if pair.old.test.state in LIVE or not is_helper(pair.old):
        return pair.old.test.state in LIVE
    name = pair.old.test.name.rpartition("::")[2].lstrip("_").lower()
    return pair.old.path not in product or name.startswith("assert")


def live(places: Iterable[Place]) -> Iterator[Place]:
    """Those that run."""
    return (place for place in places if place.test.state in LIVE)
