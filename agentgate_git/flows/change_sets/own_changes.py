"""What a commit changed itself, which for a merge is what it did beyond merging."""

from __future__ import annotations

from agentgate_git.model.oid import empty_tree
from agentgate_git.repo.commits import merge_base, read_commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.flows.workspace import Workspace
    from agentgate_git.model.change import Change
    from agentgate_git.model.commit import Commit
    from agentgate_git.model.oid import Oid


class OwnChanges:
    """The own changes of commits, each looked up once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._known: dict[Oid, tuple[Change, ...]] = {}

    def of(self, commit: Commit) -> tuple[Change, ...]:
        """The rows of a commit against its parent, or against the empty tree; for a merge see below."""
        if commit.oid not in self._known:
            self._known[commit.oid] = self._merged(commit) if len(commit.parents) > 1 else self._plain(commit)
        return self._known[commit.oid]

    def paths(self, commits: tuple[Commit, ...]) -> frozenset[str]:
        """Every path that one of these commits changed itself."""
        return frozenset(row.path for commit in commits for row in self.of(commit))

    def tree_of(self, commit: Oid) -> Oid:
        """The tree of a commit."""
        return read_commit(self._workspace.objects, commit).tree

    def _plain(self, commit: Commit) -> tuple[Change, ...]:
        before = self.tree_of(commit.parents[0]) if commit.parents else empty_tree(commit.tree)
        return self._workspace.diff.rows(before, commit.tree)

    def _merged(self, commit: Commit) -> tuple[Change, ...]:
        """Paths whose content in a merge is not what merging its parents cleanly gives.

        A path that differs from every parent was written in the merge (an evil merge), or resolves a conflict. Where
        it comes from some parents and differs from another, that one must have left it alone since it parted from
        them.
        """
        trees = [self.tree_of(parent) for parent in commit.parents]
        rows = [{row.path: row for row in self._workspace.diff.rows(tree, commit.tree)} for tree in trees]
        written = {path: row for path, row in rows[0].items() if all(path in other for other in rows[1:])}
        changed: dict[tuple[int, int], frozenset[str]] = {}
        for index, differing in enumerate(rows):
            for path, row in differing.items():
                givers = [other for other, there in enumerate(rows) if path not in there]
                for giver in givers:
                    if (index, giver) not in changed:
                        changed[index, giver] = self._since_parting(commit.parents[index], commit.parents[giver])
                if givers and all(path in changed[index, giver] for giver in givers):
                    written.setdefault(path, row)
        return tuple(written.values())

    def _since_parting(self, parent: Oid, other: Oid) -> frozenset[str]:
        """Paths that one parent changed since it parted from another; all it has where they have no common past."""
        parted = merge_base(self._workspace.room, parent, other)
        before = self.tree_of(parted) if parted else empty_tree(parent)
        return frozenset(row.path for row in self._workspace.diff.rows(before, self.tree_of(parent)))
