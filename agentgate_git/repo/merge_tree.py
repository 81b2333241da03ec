"""What merging two commits gives by itself, without any repository being touched."""

from __future__ import annotations

import os

from agentgate_git.model.oid import is_oid
from agentgate_git.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.model.oid import Oid
    from agentgate_git.repo.process import Git


class MergedTree(Record):
    """The tree that git makes of two commits, and the paths that it leaves to somebody to resolve."""

    tree: Oid
    conflicts: frozenset[str]


def merge_trees(git: Git, one: Oid, other: Oid) -> MergedTree | None:
    """The merge of two commits; None where git cannot merge them. New objects are written."""
    flags = ("--write-tree", "-z", "--name-only", "--no-messages", "--allow-unrelated-histories")
    answer = git.try_run("merge-tree", *flags, one, other)
    tree, *names = answer.stdout.split(b"\0")
    oid = tree.decode("ascii", "replace").strip()
    if answer.status not in (0, 1) or not is_oid(oid):
        return None
    return MergedTree(oid, frozenset(os.fsdecode(name) for name in names if name))
