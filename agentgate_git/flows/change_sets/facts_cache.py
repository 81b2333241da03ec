"""Blobs and facts by blob: in a history most blobs stand on one side of two commits in a row, and are read once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager

from agentgate_git.flows.change_sets.read_facts import read_facts
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.oid import Oid
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git

# Tests that are remembered at most: some 30 MB, whatever the history is like.
MAX_TESTS = 50_000
_MAX_BYTES = 24 << 20

TYPE_CHECKING = False
if TYPE_CHECKING:
    Key = tuple[Oid, str, tuple[str, ...], bool]


class FactsCache:
    """The facts used last, at most `max_tests` tests of them; what a file holds depends on its path too.

    `read` gives the bytes of blobs by their ids, in order; `fresh` opens another cache of the same blobs for a
    process of its own, None where none is to be started.
    """

    def __init__(
        self,
        read: Callable[[Iterable[Oid]], Iterable[bytes]],
        fresh: Callable[[], AbstractContextManager[FactsCache]] | None = None,
        max_tests: int = MAX_TESTS,
    ) -> None:
        self.fresh = fresh
        self._read = read
        self._max_tests = max_tests
        self._kept: OrderedDict[Key, FileFacts] = OrderedDict()
        self._weight = 0
        self._blobs: OrderedDict[Oid, bytes] = OrderedDict()
        self._size = 0

    def facts(self, files: Iterable[tuple[str, Oid]], forbidden: tuple[str, ...]) -> Iterator[FileFacts]:
        """The facts of each of these files (path, blob); `forbidden` are the markers the manifest forbids."""
        for path, oid in files:
            yield self.of(path, oid, forbidden)

    def of(self, path: str, oid: Oid, forbidden: tuple[str, ...], *, is_full: bool = True) -> FileFacts:
        """The facts of one file (read_facts)."""
        key = (oid, path, forbidden, is_full)
        found = self._kept.pop(key, None)
        if found is None:
            found = read_facts(path, self.data(oid), forbidden, is_full=is_full)
            self._weight += _weight(found)
        self._kept[key] = found
        while self._weight > self._max_tests and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._weight -= _weight(oldest)
        return found

    def fetch(self, oids: Iterable[Oid]) -> None:
        """Read blobs that will be asked for, all at once."""
        missing = tuple(oid for oid in dict.fromkeys(oids) if oid not in self._blobs)
        for oid, data in zip(missing, self._read(missing), strict=True):
            self._hold(oid, data)

    def data(self, oid: Oid) -> bytes:
        """The bytes of one blob."""
        if oid not in self._blobs:
            self.fetch((oid,))
        self._blobs.move_to_end(oid)
        return self._blobs[oid]

    def _hold(self, oid: Oid, data: bytes) -> None:
        self._blobs[oid] = data
        self._size += len(data)
        while self._size > _MAX_BYTES and len(self._blobs) > 1:
            _, oldest = self._blobs.popitem(last=False)
            self._size -= len(oldest)


@contextmanager
def facts_of(room: Git) -> Iterator[FactsCache]:
    """A cache over the blobs of a repository, with a git process of its own."""
    with Objects(room) as objects:
        yield FactsCache(objects.blobs, lambda: facts_of(room))


def _weight(facts: FileFacts) -> int:
    return 1 + len(facts.tests.tests)
