"""What a change set adds to the traits of its files, and takes away: multisets, so what only moved is nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from operator import itemgetter

from agentgate_git.model.facts import FileFacts, Trait
from agentgate_git.model.inventory import DOCTEST_OF, TEST
from agentgate_git.model.record import Record
from agentgate_git.model.role import PRODUCTION
from agentgate_git.policy.weakening.subject_changes import changed_products

TYPE_CHECKING = False
if TYPE_CHECKING:
    Wanted = Callable[[str], bool]
    _Files = Mapping[str, FileFacts]
    _Kinds = dict[str, dict[str, list[tuple[int, Trait]]]]

OPEN = ".maybe"


class Arrival(Record):
    """A trait that the base has not, and the file of the head that it stands in."""

    file: FileFacts
    trait: Trait


class Changes:
    """The facts of a change set, by path and counted.

    By the identity of facts, which live as long as their change set, what is asked of a file again is kept: hashing
    them would read them whole.
    """

    def __init__(self, before: Iterable[FileFacts], after: Iterable[FileFacts]) -> None:
        self.before = {one.path: one for one in before}
        self.after = {one.path: one for one in after}
        self._gone: dict[tuple[str, str, str], Trait | None] = {}
        self._defined: dict[int, frozenset[str]] = {}
        self._named: dict[int, frozenset[str]] = {}
        self._kinds: dict[int, _Kinds] = {}

    @cached_property
    def _tests(self) -> set[tuple[str, str]]:
        return {(path, test.name) for path, one in self.before.items() for test in one.tests.tests if test.state}

    @cached_property
    def _names(self) -> set[str]:
        return {name for _, name in self._tests}

    @cached_property
    def _old(self) -> dict[tuple[str, str, str], list[Trait]]:
        return _by_owner(self.before)

    @cached_property
    def _new(self) -> dict[tuple[str, str, str], list[Trait]]:
        return _by_owner(self.after)

    def new(self, wanted: Wanted) -> Iterator[Arrival]:
        """Traits of the wanted kinds beyond those that the base has somewhere, in their order."""
        return self._between(self.before, self.after, wanted)

    def lost(self, wanted: Wanted) -> Iterator[Arrival]:
        """Traits of the wanted kinds that the base has and the head has nowhere; `file` is the base's."""
        return self._between(self.after, self.before, wanted)

    def _between(self, old: _Files, new: _Files, wanted: Wanted) -> Iterator[Arrival]:
        left = Counter(_key(trait) for path, file in old.items() for trait in self._beyond(file, new.get(path), wanted))
        for path, file in new.items():
            for trait in self._beyond(file, old.get(path), wanted):
                key = _key(trait)
                if left[key] > 0:
                    left[key] -= 1
                else:
                    yield Arrival(file, trait)

    def _beyond(self, file: FileFacts, other: FileFacts | None, wanted: Wanted) -> Iterator[Trait]:
        """The traits that a file has beyond those of its other version."""
        theirs = self._kinds_of(other) if other else {}
        found: list[tuple[int, Trait]] = []
        for kind, mine in self._kinds_of(file).items():
            chosen = _in_order(placed for exact, placed in mine.items() if wanted(exact))
            if chosen:
                found += _more(chosen, _in_order(theirs.get(kind, {}).values()))
        return (trait for _, trait in sorted(found, key=itemgetter(0)))

    def _kinds_of(self, file: FileFacts) -> _Kinds:
        """The traits of a file by their plain and exact kind, each with its place among all of them."""
        if id(file) not in self._kinds:
            kinds: _Kinds = {}
            for at, trait in enumerate(file.traits):
                kinds.setdefault(plain(trait.kind), {}).setdefault(trait.kind, []).append((at, trait))
            self._kinds[id(file)] = kinds
        return self._kinds[id(file)]

    def defines(self, file: FileFacts, owner: str) -> bool:
        """True when a production file has a function of the owner's last name."""
        if id(file) not in self._defined:
            self._defined[id(file)] = frozenset(file.defines)
        return owner.rpartition("::")[2] in self._defined[id(file)]

    def has_test(self, file: FileFacts, name: str) -> bool:
        """True when a file has a test of this name; set-ups and helpers are none."""
        if id(file) not in self._named:
            self._named[id(file)] = frozenset(one.name for one in file.tests.tests if one.kind == TEST)
        return name in self._named[id(file)]

    def had_tests(self, path: str) -> bool:
        """True for a file that had tests at the base, apart from examples, which run each on their own."""
        old = self.before.get(path)
        return old is not None and any(not one.name.startswith(DOCTEST_OF) for one in old.tests.tests)

    def reworded(self, arrival: Arrival) -> Trait | None:
        """The trait of the same kind and owner that the base has and the head has in other words, or None."""
        place = (arrival.file.path, plain(arrival.trait.kind), arrival.trait.owner)
        like, same = self._old.get(place, []), self._new.get(place, [])
        if not like or len(same) > len(like):
            return None
        if place not in self._gone:
            fewer = Counter(one.what for one in like) - Counter(one.what for one in same)
            self._gone[place] = next((one for one in like if fewer[one.what]), None)
        return self._gone[place]

    def had(self, path: str, kind: str, owner: str) -> bool:
        """True when the base has a trait of exactly this kind and owner in a file."""
        return any(one.kind == kind for one in self._old.get((path, plain(kind), owner), ()))

    def has(self, path: str, kind: str, owner: str) -> bool:
        """True when the head has one."""
        return any(one.kind == kind for one in self._new.get((path, plain(kind), owner), ()))

    def is_existing_test(self, path: str, owner: str) -> bool:
        """True when the owner is, or stands in, a test that the base has, in its file or moved from another."""
        parts = owner.split("::")
        for end in range(len(parts), 0, -1):
            name = "::".join(parts[:end])
            if (path, name) in self._tests or (path not in self.before and name in self._names):
                return True
        return False

    def repairs(self) -> bool:
        """True when production changes too."""
        sides = (self.before.values(), self.after.values())
        is_python = any(one.role == PRODUCTION and one.language in ("", "python") for side in sides for one in side)
        return is_python or bool(changed_products(*sides))


def plain(kind: str) -> str:
    """A kind without what says how sure it is."""
    return kind.removesuffix(OPEN)


def _by_owner(files: Mapping[str, FileFacts]) -> dict[tuple[str, str, str], list[Trait]]:
    """The traits of files by path, plain kind and owner."""
    found: dict[tuple[str, str, str], list[Trait]] = {}
    for path, file in files.items():
        for trait in file.traits:
            found.setdefault((path, plain(trait.kind), trait.owner), []).append(trait)
    return found


def _in_order(groups: Iterable[list[tuple[int, Trait]]]) -> list[tuple[int, Trait]]:
    return sorted((one for group in groups for one in group), key=itemgetter(0))


def _more(mine: list[tuple[int, Trait]], theirs: list[tuple[int, Trait]]) -> list[tuple[int, Trait]]:
    """The traits of one kind that one version has beyond the other: by owner first, then wherever they moved."""
    there = Counter((trait.what, trait.owner) for _, trait in theirs)
    left = []
    for at, trait in mine:
        if there[trait.what, trait.owner] > 0:
            there[trait.what, trait.owner] -= 1
        else:
            left.append((at, trait))
    moved = Counter[str]()
    for (what, _), count in there.items():
        moved[what] += count
    found = []
    for at, trait in left:
        if moved[trait.what] > 0:
            moved[trait.what] -= 1
        else:
            found.append((at, trait))
    return found


def _key(trait: Trait) -> tuple[str, str]:
    return plain(trait.kind), trait.what
