"""What a change set adds to the traits of its files, and takes away: multisets, so what only moved is nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from agentgate_git.model.facts import FileFacts, Trait
from agentgate_git.model.record import Record
from agentgate_git.model.role import PRODUCTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    Wanted = Callable[[str], bool]

OPEN = ".maybe"


class Arrival(Record):
    """A trait that the base has not, and the file of the head that it stands in."""

    file: FileFacts
    trait: Trait


class Changes:
    """The facts of a change set, by path and counted."""

    def __init__(self, before: Iterable[FileFacts], after: Iterable[FileFacts]) -> None:
        self.before = {one.path: one for one in before}
        self.after = {one.path: one for one in after}
        self._tests = {(path, test.name) for path, one in self.before.items() for test in one.tests.tests if test.state}
        self._names = {name for _, name in self._tests}
        self._gone: dict[tuple[str, str, str], Trait | None] = {}
        # By the identity of facts, which live as long as their change set: hashing them would read them whole.
        self._defined: dict[int, frozenset[str]] = {}
        self._old, self._new = _by_owner(self.before), _by_owner(self.after)

    def new(self, wanted: Wanted) -> Iterator[Arrival]:
        """Traits of the wanted kinds beyond those that the base has somewhere, in their order."""
        left = Counter(
            _key(trait) for path, file in self.before.items() for trait in _beyond(file, self.after.get(path), wanted)
        )
        for path, file in self.after.items():
            for trait in _beyond(file, self.before.get(path), wanted):
                key = _key(trait)
                if left[key] > 0:
                    left[key] -= 1
                else:
                    yield Arrival(file, trait)

    def lost(self, wanted: Wanted) -> Iterator[Arrival]:
        """Traits of the wanted kinds that the base has and the head has nowhere; `file` is the base's."""
        return Changes(self.after.values(), self.before.values()).new(wanted)

    def defines(self, file: FileFacts, owner: str) -> bool:
        """True when a production file has a function of the owner's last name."""
        if id(file) not in self._defined:
            self._defined[id(file)] = frozenset(file.defines)
        return owner.rpartition("::")[2] in self._defined[id(file)]

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
        changed = [*self.before.values(), *self.after.values()]
        return any(one.role == PRODUCTION for one in changed)


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


def _beyond(file: FileFacts, other: FileFacts | None, wanted: Wanted) -> Iterator[Trait]:
    """The traits that a file has beyond those of its other version."""
    there = Counter((_key(trait), trait.owner) for trait in other.traits) if other else Counter()
    left = []
    for trait in file.traits:
        if wanted(trait.kind):
            if there[_key(trait), trait.owner] > 0:
                there[_key(trait), trait.owner] -= 1
            else:
                left.append(trait)
    moved = Counter[tuple[str, str]]()
    for (key, _), count in there.items():
        moved[key] += count
    for trait in left:
        if moved[_key(trait)] > 0:
            moved[_key(trait)] -= 1
        else:
            yield trait


def _key(trait: Trait) -> tuple[str, str]:
    return plain(trait.kind), trait.what
