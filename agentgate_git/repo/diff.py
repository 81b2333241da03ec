"""Change sets from `diff-tree --raw -z`: the same bytes under every hostile configuration."""

from __future__ import annotations

import os

from agentgate_git.model.change import Change
from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import is_oid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agentgate_git.model.oid import Oid
    from agentgate_git.repo.process import Git

FLAGS = (
    "-r",
    "-z",
    "--raw",
    "--no-renames",
    "--no-abbrev",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--ignore-submodules=none",
)
_STATUSES = frozenset("ADMT")


def tree_changes(git: Git, old: Oid, new: Oid) -> Iterator[Change]:
    """The rows between two trees or commits, streamed; Undecided when git could not tell them all."""
    return parse_raw(git.stream("diff-tree", *FLAGS, old, new))


def parse_raw(chunks: Iterable[bytes]) -> Iterator[Change]:
    """Rows from the bytes that git wrote; Undecided on anything that is no row, so that none is lost."""
    rest = b""
    head: bytes | None = None
    for chunk in chunks:
        pieces = (rest + chunk).split(b"\0")
        rest = pieces.pop()
        for piece in pieces:
            if head is None:
                head = piece
                continue
            yield _row(head, piece)
            head = None
    if head is not None or rest:
        raise _unreadable(head or rest)


def _row(head: bytes, path: bytes) -> Change:
    fields = head.decode("ascii", "replace").split(" ")
    if len(fields) != 5 or not fields[0].startswith(":") or not path:
        raise _unreadable(head)
    old_mode, new_mode, old_oid, new_oid, status = fields
    if status not in _STATUSES or not (is_oid(old_oid) and is_oid(new_oid)):
        raise _unreadable(head)
    return Change(os.fsdecode(path), status, old_mode[1:], new_mode, old_oid, new_oid)


def _unreadable(head: bytes) -> Undecided:
    return Undecided(f"git wrote a change row that cannot be read ({head[:80]!r})", "report this with the git version")
