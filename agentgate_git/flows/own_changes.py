"""What a commit changed itself, which for a merge is what it did beyond merging."""

from __future__ import annotations

from agentgate_git.model.oid import empty_tree
from agentgate_git.repo.commits import merge_base
from agentgate_git.repo.diff import tree_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentgate_git.flows.workspace import Workspace
    from agentgate_git.model.change import Change
    from agentgate_git.model.commit import Commit
    from agentgate_git.model.oid import Oid


def own_changes(workspace: Workspace, commit: Commit) -> Iterator[Change]:
    """The rows of a commit against its parent, or against the empty tree; for a merge see below."""
    if len(commit.parents) < 2:
        before = commit.parents[0] if commit.parents else empty_tree(commit.tree)
        yield from tree_changes(workspace.room, before, commit.tree)
    else:
        yield from _merge_changes(workspace, commit)


def _merge_changes(workspace: Workspace, commit: Commit) -> Iterator[Change]:
    """Paths whose content in a merge is not what merging its parents cleanly gives.

    A path that differs from every parent was written in the merge (an evil merge), or resolves a conflict. Where it
    comes from some parents and differs from another, that one must have left it alone since it parted from them.
    """
    rows = [{row.path: row for row in tree_changes(workspace.room, parent, commit.tree)} for parent in commit.parents]
    written = {path: row for path, row in rows[0].items() if all(path in other for other in rows[1:])}
    changed: dict[tuple[int, int], frozenset[str]] = {}
    for index, differing in enumerate(rows):
        for path, row in differing.items():
            givers = [other for other, there in enumerate(rows) if path not in there]
            for giver in givers:
                if (index, giver) not in changed:
                    changed[index, giver] = _since_parting(workspace, commit.parents[index], commit.parents[giver])
            if givers and all(path in changed[index, giver] for giver in givers):
                written.setdefault(path, row)
    yield from written.values()


def _since_parting(workspace: Workspace, parent: Oid, other: Oid) -> frozenset[str]:
    """Paths that one parent changed since it parted from another; all that it has where they have no common past."""
    parted = merge_base(workspace.room, parent, other) or empty_tree(parent)
    return frozenset(row.path for row in tree_changes(workspace.room, parted, parent))
