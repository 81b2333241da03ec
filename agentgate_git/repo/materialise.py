"""A tree's files laid out in a directory, through a private index.

Not `git archive` (export-ignore would hide tests) and not `git worktree add` (it fails in quarantine).
"""

from __future__ import annotations

import os

from agentgate_git.model.change import TreeEntry, is_file
from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.repo.process import Git

# Below that many files a second worker costs more processor time than it saves of the clock's.
_WORKERS = ("-c", "checkout.workers=2", "-c", "checkout.thresholdForParallelism=1000")
_PLAIN = ("-c", "core.autocrlf=false", "-c", "core.eol=lf", "-c", "core.symlinks=true", "-c", "core.fileMode=true")


def list_tree(git: Git, tree: Oid) -> tuple[TreeEntry, ...]:
    """Every file, link and gitlink of a tree, recursively, in git's order."""
    rows = git.run("ls-tree", "-r", "-z", "--full-tree", tree).split(b"\0")
    return tuple(_entry(row) for row in rows if row)


def list_files(git: Git, tree: Oid) -> tuple[TreeEntry, ...]:
    """The same without links and gitlinks."""
    return tuple(entry for entry in list_tree(git, tree) if is_file(entry.mode))


def materialise(git: Git, tree: Oid, directory: str) -> None:
    """Write the files of `tree` into `directory`, which exists.

    A directory that this function filled before is brought to the new tree: files that are the same already
    are left alone, others are written, files of the old tree that are gone are removed.
    """
    index = os.path.join(directory, "..", os.path.basename(directory) + ".index")
    extra = {"GIT_INDEX_FILE": os.path.abspath(index), "GIT_WORK_TREE": os.path.abspath(directory)}
    known = os.path.exists(index)
    flags = ("-u", "--reset") if known else ("--reset",)
    git.run(*_PLAIN, *_WORKERS, "read-tree", *flags, tree, extra=extra)
    if known:
        git.run(*_PLAIN, "update-index", "-q", "--refresh", extra=extra)
    git.run(*_PLAIN, *_WORKERS, "checkout-index", "--all", "--force", "--quiet", "-u", extra=extra)


def _entry(row: bytes) -> TreeEntry:
    head, _, path = row.partition(b"\t")
    fields = head.decode("ascii", "replace").split(" ")
    if len(fields) != 3 or not path:
        raise Undecided(f"git wrote a tree row that cannot be read ({row[:80]!r})", "run `git fsck`")
    return TreeEntry(os.fsdecode(path), fields[0], fields[2])
