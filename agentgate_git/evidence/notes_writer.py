"""Notes commits, made by one `git fast-import` each: no work tree, no index, no ref left behind."""

from __future__ import annotations

import os
from contextlib import suppress

from agentgate_git.model.failure import GitFailure, Undecided
from agentgate_git.model.oid import Oid, is_oid
from agentgate_git.model.record import Record
from agentgate_git.repo.process import Git

# Notes commits prove neither who nor when; one identity for all keeps readers from thinking so.
IDENTITY = "agentgate-git <agentgate-git@localhost.invalid>"
QUIET = ("-c", "core.hooksPath=/dev/null")
# What makes a batch twice as fast: records in base64 have nothing in common that a delta could use (--depth=0), lose a
# third by deflating at most, which takes longer than all the rest (a batch is a pack of its own, a single record is
# a loose object and is deflated), and fast-import gives memory back after every object unless glibc is told to wait.
_FAST_IMPORT = ("-c", "pack.compression=0", "fast-import", "--quiet", "--date-format=now", "--depth=0")
_ALLOCATE_AHEAD = {"MALLOC_TOP_PAD_": str(16 << 20)}


class FileChange(Record):
    """One path of the new tree: new bytes, an object that is there already, or neither to take the path away."""

    path: str
    data: bytes | None = None
    mode: str = "100644"
    oid: Oid = ""

    def is_removal(self) -> bool:
        """True when the path is to go."""
        return self.data is None and not self.oid


def write_commit(git: Git, parents: tuple[Oid, ...], changes: list[FileChange], message: str, hash_length: int) -> Oid:
    """The commit that has the first parent's tree with these changes; no ref names it yet.

    fast-import wants a ref to build on. It gets one that no other process uses, and drops it before it ends: a ref
    reset to nothing is never stored.
    """
    ref = f"refs/agentgate/tmp/{os.getpid()}-{os.urandom(8).hex()}"
    stream = [
        f"feature done\ncommit {ref}\nmark :1\ncommitter {IDENTITY} now\n".encode(),
        _data(message.encode()),
        *(f"{word} {oid}\n".encode() for word, oid in zip(("from", *["merge"] * len(parents)), parents, strict=False)),
        *map(_change, sorted(changes, key=lambda change: not change.is_removal())),
        f"get-mark :1\nreset {ref}\nfrom {'0' * hash_length}\n\ndone\n".encode(),
    ]
    try:
        commit = git.text(*QUIET, *_FAST_IMPORT, stdin=b"".join(stream), extra=_ALLOCATE_AHEAD)
    except GitFailure as failure:
        _take_crash_report_away(git, failure.stderr)
        raise
    if not is_oid(commit):
        raise Undecided("git fast-import did not name the commit it made", "run `git fsck`")
    return commit


def _take_crash_report_away(git: Git, stderr: str) -> None:
    """fast-import leaves a file in the git directory whenever it gives up, on a full disk too; nobody needs it."""
    for line in stderr.splitlines():
        path = line.partition("dumping crash report to ")[2]
        if os.path.basename(path).startswith("fast_import_crash_"):
            with suppress(OSError):
                os.unlink(os.path.join(git.directory, path))


def _change(change: FileChange) -> bytes:
    path = os.fsencode(change.path)
    if change.is_removal():
        return b"D %b\n" % path
    if change.data is None:
        return f"M {change.mode} {change.oid} ".encode() + path + b"\n"
    return f"M {change.mode} inline ".encode() + path + b"\n" + _data(change.data)


def _data(data: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(data), data)
