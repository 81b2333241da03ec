"""Commits as their raw objects say, no mailmap and no replacement."""

from __future__ import annotations

from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record


class Ident(Record):
    """A name, an address and seconds since the epoch, as recorded."""

    name: str
    email: str
    when: int = 0


class Commit(Record):
    """One commit; `message` is decoded by the commit's own encoding header."""

    oid: Oid
    tree: Oid
    parents: tuple[Oid, ...]
    author: Ident
    committer: Ident
    message: str
    signature: str = ""


class Proposal(Record):
    """What is judged: the commits after `base` up to `tip`.

    `base` is empty for a root commit, whose base tree is the empty tree. `target` is the name the base
    was derived from, empty when no target is known and the first parent stands in for it.
    """

    tip: Commit
    base: Oid
    base_tree: Oid
    commits: tuple[Commit, ...]
    target: str = ""
