"""What merging two commits gives by itself, without any repository being touched."""

from __future__ import annotations

import os

from agentgate_git.model.oid import is_oid
from agentgate_git.model.record import Record
from agentgate_git.repo.process import Git
from agentgate_git.repo.refs import objects_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.model.oid import Oid


class MergedTree(Record):
    """The tree that git makes of two commits, and the paths that it leaves to somebody to resolve."""

    tree: Oid
    conflicts: frozenset[str]


def with_own_objects(room: Git, clone: Git, directory: str) -> Git:
    """A git that reads what the clone has and writes new objects into a directory of ours."""
    store = os.path.join(directory, "objects")
    os.makedirs(os.path.join(store, "info"))
    with open(os.path.join(store, "info", "alternates"), "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(objects_dir(clone) + "\n")
    return Git(room.directory, {**room.environment, "GIT_OBJECT_DIRECTORY": store})


def merge_trees(git: Git, one: Oid, other: Oid) -> MergedTree | None:
    """The merge of two commits; None where git cannot merge them. New objects are written."""
    flags = ("--write-tree", "-z", "--name-only", "--no-messages", "--allow-unrelated-histories")
    answer = git.try_run("merge-tree", *flags, one, other)
    tree, *names = answer.stdout.split(b"\0")
    oid = tree.decode("ascii", "replace").strip()
    if answer.status not in (0, 1) or not is_oid(oid):
        return None
    return MergedTree(oid, frozenset(os.fsdecode(name) for name in names if name))
