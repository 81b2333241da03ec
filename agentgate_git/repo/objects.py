"""Objects through one long-lived `git cat-file --batch`, each one hashed again.

git does not re-hash what it reads: a tampered loose object is served with exit 0. What a verdict rests on
is therefore hashed here and compared with the id it was asked for.
"""

from __future__ import annotations

import hashlib
import os

from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid, hash_name, is_oid
from agentgate_git.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from agentgate_git.repo.process import Git, Process

MAX_OBJECT = 512 << 20
_CHUNK = 1 << 16
# Requests that may be under way at once: small enough that they always fit into a pipe's buffer.
_WINDOW = 256


class FoundObject(Record):
    """An object as it is stored: its id, its kind, and its bytes."""

    oid: Oid
    kind: str
    data: bytes


class Objects:
    """A reader; use it as a context manager, so that no child is left behind."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._process: Process | None = None
        self._buffer = b""

    def __enter__(self) -> Objects:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child; the next read starts another one."""
        if self._process is not None:
            self._process.wait()
            self._process = None
            self._buffer = b""

    def read(self, oid: Oid, kind: str = "") -> bytes:
        """The bytes of an object; Undecided when it is missing, of another kind, or not what its id says."""
        found = self.find(oid)
        if found is None:
            raise _missing(oid)
        if kind and found.kind != kind:
            raise Undecided(f"object {oid} is a {found.kind}, not a {kind}", "run `git fsck`")
        return found.data

    def find(self, name: str) -> FoundObject | None:
        """The object a name stands for, None when there is none. A name may be `<commit>:<path>`."""
        if "\n" in name:
            return None
        self._ask(name)
        return self._answer(name)

    def read_many(self, oids: Iterable[Oid]) -> Iterator[FoundObject]:
        """Objects in the order asked for, streamed; Undecided at the first that is missing or tampered with."""
        waiting: list[Oid] = []
        for oid in oids:
            self._ask(oid)
            waiting.append(oid)
            if len(waiting) == _WINDOW:
                yield from self._answers(waiting)
                waiting = []
        yield from self._answers(waiting)

    def _answers(self, oids: list[Oid]) -> Iterator[FoundObject]:
        for oid in oids:
            found = self._answer(oid)
            if found is None:
                raise _missing(oid)
            yield found

    def _ask(self, name: str) -> None:
        if self._process is None:
            self._process = self._git.start("cat-file", "--batch", has_errors=False)
        os.write(self._process.stdin, os.fsencode(name) + b"\n")

    def _answer(self, name: str) -> FoundObject | None:
        header = self._take_line()
        oid, _, rest = header.partition(b" ")
        kind, _, size_text = rest.partition(b" ")
        if not size_text.isdigit() or not is_oid(oid.decode("ascii", "replace")):
            return None
        size = int(size_text)
        if size > MAX_OBJECT:
            self.close()
            raise Undecided(
                f"object {name} has {size} bytes, more than is read", "take the large file out of the change"
            )
        data = self._take(size + 1)[:size]
        found = FoundObject(oid.decode("ascii"), kind.decode("ascii"), data)
        if is_oid(name) and found.oid != name:
            raise Undecided(f"git answered with object {found.oid} for {name}", "run `git fsck`")
        if hash_object(found.kind, data, found.oid) != found.oid:
            raise Undecided(
                f"object {found.oid} does not have the bytes its id says", "run `git fsck`, then fetch again"
            )
        return found

    def _take_line(self) -> bytes:
        while b"\n" not in self._buffer:
            self._fill()
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _take(self, size: int) -> bytes:
        if len(self._buffer) < size:
            parts = [self._buffer]
            missing = size - len(self._buffer)
            while missing > 0:
                chunk = self._receive()
                parts.append(chunk)
                missing -= len(chunk)
            self._buffer = b"".join(parts)
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def _fill(self) -> None:
        self._buffer += self._receive()

    def _receive(self) -> bytes:
        chunk = os.read(self._process.stdout, _CHUNK) if self._process else b""
        if not chunk:
            self.close()
            raise Undecided("git cat-file ended before it answered", "run `git fsck`")
        return chunk


def hash_object(kind: str, data: bytes, like: Oid) -> Oid:
    """The id git gives an object, with the hash that `like` was made with."""
    digest = hashlib.new(hash_name(like), b"%s %d\0" % (kind.encode("ascii"), len(data)), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def _missing(oid: Oid) -> Undecided:
    return Undecided(f"object {oid} is not in this repository", "fetch it (`git fetch --unshallow` in a shallow clone)")
