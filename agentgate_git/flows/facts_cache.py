"""Blobs and facts by blob: in a history most blobs stand on one side of two commits in a row, and are read once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator

from agentgate_git.flows.read_facts import read_facts
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.oid import Oid

# Tests that are remembered at most: some 30 MB, whatever the history is like.
MAX_TESTS = 50_000
_MAX_BYTES = 24 << 20

TYPE_CHECKING = False
if TYPE_CHECKING:
    Key = tuple[Oid, str, tuple[str, ...]]


class FactsCache:
    """The facts used last, at most `max_tests` tests of them; what a file holds depends on its path too.

    `read` gives the bytes of a blob by its id.
    """

    def __init__(self, read: Callable[[Oid], bytes], max_tests: int = MAX_TESTS) -> None:
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

    def of(self, path: str, oid: Oid, forbidden: tuple[str, ...]) -> FileFacts:
        """The facts of one file."""
        key = (oid, path, forbidden)
        found = self._kept.pop(key, None)
        if found is None:
            found = read_facts(path, self.data(oid), forbidden)
            self._weight += _weight(found)
        self._kept[key] = found
        while self._weight > self._max_tests and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._weight -= _weight(oldest)
        return found

    def data(self, oid: Oid) -> bytes:
        """The bytes of one blob."""
        found = self._blobs.pop(oid, None)
        if found is None:
            found = self._read(oid)
            self._size += len(found)
        self._blobs[oid] = found
        while self._size > _MAX_BYTES and len(self._blobs) > 1:
            _, oldest = self._blobs.popitem(last=False)
            self._size -= len(oldest)
        return found


def _weight(facts: FileFacts) -> int:
    return 1 + len(facts.tests.tests)
