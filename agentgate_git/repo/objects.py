"""Objects through one long-lived `git cat-file --batch`, each one hashed again.

git does not re-hash what it reads: a tampered loose object is served with exit 0. What a verdict rests on
is therefore hashed here and compared with the id it was asked for.
"""

from __future__ import annotations

import hashlib
import os
from itertools import chain, islice

from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid, is_oid
from agentgate_git.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from agentgate_git.repo.process import Git, Process

MAX_OBJECT = 512 << 20
_CHUNK = 1 << 16
MAX_READ = 8 << 20
# Requests that may be under way at once: small enough that they always fit into a pipe's buffer.
_WINDOW = 256


class FoundObject(Record):
    """An object as it is stored: its id, its kind, and its bytes."""

    oid: Oid
    kind: str
    data: bytes


class Objects:
    """A reader; use it as a context manager, so that no child is left behind.

    What is asked for while objects are streamed is answered by a second child.
    """

    def __init__(self, git: Git) -> None:
        self._git = git
        self._process: Process | None = None
        self._buffer = b""
        self._position = 0
        self._is_streaming = False
        self._second: Objects | None = None

    def __enter__(self) -> Objects:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child; the next read starts another one."""
        if self._second is not None:
            self._second.close()
        if self._process is not None:
            self._process.wait()
            self._process = None
            self._buffer = b""
            self._position = 0

    def read(self, oid: Oid, kind: str = "") -> bytes:
        """The bytes of an object; Undecided when it is missing, of another kind, or not what its id says."""
        found = self.find(oid)
        if found is None:
            raise _missing(oid)
        return _data(found, kind)

    def blobs(self, oids: Iterable[Oid]) -> Iterator[bytes]:
        """The bytes of blobs in the order asked for; Undecided at the first that is missing or none."""
        for found in self.read_many(oids):
            yield _data(found, "blob")

    def file_at(self, tree: Oid, path: str) -> bytes | None:
        """The bytes of a file of a tree (or of a commit's), None when there is no such file."""
        found = self.find(f"{tree}:{path}")
        return found.data if found and found.kind == "blob" else None

    def find(self, name: str) -> FoundObject | None:
        """The object a name stands for, None when there is none. A name may be `<commit>:<path>`.

        No path of a tree begins with `./` or `../`; git ends at one where there is no work tree.
        """
        if "\n" in name or name.partition(":")[2].startswith(("./", "../")):
            return None
        if self._is_streaming:
            return self._beside().find(name)
        self._ask((name,))
        found = self._answer()
        if found is not None and is_oid(name) and found.oid != name:
            raise _other(name, found.oid)
        return found

    def read_many(self, oids: Iterable[Oid]) -> Iterator[FoundObject]:
        """Objects in the order asked for, streamed; Undecided at the first that is missing or tampered with."""
        ids = iter(oids)
        while window := tuple(islice(ids, _WINDOW)):
            if self._is_streaming:
                yield from self._beside().read_many(chain(window, ids))
                return
            self._ask(window)
            is_whole = False
            self._is_streaming = True
            try:
                for oid in window:
                    yield self._expected(oid)
                is_whole = True
            finally:
                self._is_streaming = False
                if not is_whole:  # answers that nobody waits for any more must not reach the next reader
                    self.close()

    def _beside(self) -> Objects:
        if self._second is None:
            self._second = Objects(self._git)
        return self._second

    def _expected(self, oid: Oid) -> FoundObject:
        """The next answer, which must be the object of that id."""
        line = self._take_line()
        fields = line.split(b" ")
        if len(fields) != 3 or fields[0] != oid.encode("ascii"):
            raise _missing(oid) if line.endswith(b" missing") else _other(oid, os.fsdecode(line))
        return self._object(oid, fields[1].decode("ascii"), int(fields[2]))

    def _ask(self, names: tuple[str, ...]) -> None:
        if self._process is None:
            self._process = self._git.start("cat-file", "--batch", has_errors=False)
        self._process.tell(os.fsencode("\n".join(names)) + b"\n")

    def _answer(self) -> FoundObject | None:
        """The next answer, None for "missing"."""
        fields = self._take_line().rsplit(b" ", 2)
        oid = fields[0].decode("ascii", "replace")
        if len(fields) != 3 or not fields[2].isdigit() or not is_oid(oid):
            return None
        return self._object(oid, fields[1].decode("ascii", "replace"), int(fields[2]))

    def _object(self, oid: Oid, kind: str, size: int) -> FoundObject:
        """The bytes that follow an answer's first line, hashed."""
        if size > MAX_OBJECT:
            self.close()
            raise Undecided(
                f"object {oid} has {size} bytes, more than is read", "take the large file out of the change"
            )
        data = self._take(size)
        if hash_object(kind, data, oid) != oid:
            raise Undecided(f"object {oid} does not have the bytes its id says", "run `git fsck`, then fetch again")
        return FoundObject(oid, kind, data)

    def _take_line(self) -> bytes:
        while (end := self._buffer.find(b"\n", self._position)) < 0:
            self._receive(1)
        line = self._buffer[self._position : end]
        self._position = end + 1
        return line

    def _take(self, size: int) -> bytes:
        """So many bytes, and past the newline that ends an object."""
        missing = self._position + size + 1 - len(self._buffer)
        if missing > 0:
            self._receive(missing)
        start = self._position
        self._position = start + size + 1
        return self._buffer[start : start + size]

    def _receive(self, wanted: int) -> None:
        """Add at least `wanted` bytes of what is written next to what is left."""
        parts = [self._buffer[self._position :]]
        while wanted > 0:
            chunk = os.read(self._process.stdout, max(_CHUNK, min(wanted, MAX_READ))) if self._process else b""
            if not chunk:
                self.close()
                raise Undecided("git cat-file ended before it answered", "run `git fsck`")
            parts.append(chunk)
            wanted -= len(chunk)
        self._buffer = b"".join(parts)
        self._position = 0


def hash_object(kind: str, data: bytes, like: Oid) -> Oid:
    """The id git gives an object, with the hash that `like` was made with."""
    new_hash = hashlib.sha1 if len(like) == 40 else hashlib.sha256
    head = f"{kind} {len(data)}\0".encode("ascii")
    if len(data) < _CHUNK:
        return new_hash(head + data, usedforsecurity=False).hexdigest()
    digest = new_hash(head, usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def _other(asked: str, answered: Oid) -> Undecided:
    return Undecided(f"git answered with object {answered} for {asked}", "run `git fsck`")


def _data(found: FoundObject, kind: str) -> bytes:
    if kind and found.kind != kind:
        raise Undecided(f"object {found.oid} is a {found.kind}, not a {kind}", "run `git fsck`")
    return found.data


def _missing(oid: Oid) -> Undecided:
    return Undecided(f"object {oid} is not in this repository", "fetch it (`git fetch --unshallow` in a shallow clone)")
