"""What may be appended: checked before anything is written, the same for every ledger."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model.evidence import KINDS, Entry
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.oid import Oid, is_empty_tree, is_oid, is_zero
from agentgate_git.wire.canonical import Malformed
from agentgate_git.wire.dsse import decode_envelope


def check_kind(kind: str) -> None:
    """UsageFailure unless a notes ref of ours holds that kind."""
    if kind not in KINDS:
        raise UsageFailure(f"{kind!r} is no kind of record", f"use one of {', '.join(KINDS)}")


def wanted_lines(kind: str, entries: Iterable[Entry], hash_length: int = 0) -> dict[Oid, set[bytes]]:
    """The lines to store by object; UsageFailure for the first entry that may not be stored.

    `hash_length` is that of the repository's ids, 0 when either is right.
    """
    check_kind(kind)
    wanted: dict[Oid, set[bytes]] = {}
    for number, entry in enumerate(entries, 1):
        if entry.object not in wanted:
            _check_object(entry.object, hash_length)
        wanted.setdefault(entry.object, set()).add(entry.text)
        try:
            if b"\n" in entry.text:
                raise Malformed("holds a newline")
            decode_envelope(entry.text)
        except Malformed as reason:
            raise UsageFailure(f"record {number} cannot be stored: it {reason}", "store one envelope a line") from None
    return wanted


def _check_object(key: Oid, hash_length: int) -> None:
    if is_empty_tree(key):
        raise UsageFailure("the empty tree is never evidence", "give the tree of a commit that has files")
    if not is_oid(key) or is_zero(key) or len(key) != (hash_length or len(key)):
        raise UsageFailure(f"{key!r} is no object id of this repository", "give the full id of a tree")
