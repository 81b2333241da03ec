"""Which commits are judged, and against what: the proposal of a revision."""

from __future__ import annotations

from agentgate_git.flows.target import find_target
from agentgate_git.model.commit import Commit, Proposal
from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid, empty_tree
from agentgate_git.repo.commits import commits_between, merge_base, read_commit
from agentgate_git.repo.refs import resolve_commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.repo.objects import Objects
    from agentgate_git.repo.process import Git

_SHALLOW_STEP = "run `git fetch --unshallow`, or give --base"


class Proposals:
    """Resolves names in the clone and walks history in the clean room.

    The base is the merge base of the tip and the target (`--base`, `agentgate.target`, `origin/HEAD`); for a
    tip that the target already holds, and where no target is known, it is the tip's first parent.
    """

    def __init__(self, clone: Git, room: Git, objects: Objects, shallow: frozenset[Oid]) -> None:
        self._clone = clone
        self._room = room
        self._objects = objects
        self._shallow = shallow

    def of_revision(self, rev: str, base: str = "") -> Proposal:
        """The proposal whose tip is `rev`."""
        tip = resolve_commit(self._clone, rev)
        target, name = self._target(base)
        if not target:
            return self._from_first_parent(tip, "")
        found = self._merge_base(tip, target)
        if found == tip:
            return self._from_first_parent(tip, name)
        return self._from_base(tip, found, name, target)

    def of_range(self, start: str, end: str) -> Proposal:
        """The commits of `start..end` as one proposal."""
        tip, target = resolve_commit(self._clone, end), resolve_commit(self._clone, start)
        return self._from_base(tip, self._merge_base(tip, target), start, target)

    def of_commit(self, tip: Oid, target: Oid, name: str) -> Proposal:
        """What a commit would bring to a target, both by id; against nothing where they share no history.

        An empty target is one that has no commit yet.
        """
        found = merge_base(self._room, tip, target) if target else None
        if found:
            return self._from_base(tip, found, name, target)
        commit = self._commit(tip)
        commits = self._uncut(commits_between(self._room, self._objects, target, tip))
        return Proposal(commit, "", empty_tree(tip), commits)

    def listed(self, start: str, end: str) -> tuple[Oid, ...]:
        """The ids of `start..end`, oldest first."""
        proposal = self.of_range(start, end)
        return tuple(commit.oid for commit in proposal.commits)

    def _target(self, base: str) -> tuple[Oid, str]:
        """The commit that proposals are measured against and how it was named; empty when there is none."""
        if base:
            return resolve_commit(self._clone, base), base
        return find_target(self._clone)

    def _merge_base(self, tip: Oid, target: Oid) -> Oid:
        found = merge_base(self._room, tip, target)
        if found is None:
            if self._shallow:
                raise Undecided("the base of this proposal lies beyond the shallow boundary", _SHALLOW_STEP)
            raise Undecided(f"{tip[:12]} and {target[:12]} share no history", "give another --base")
        return found

    def _from_first_parent(self, tip: Oid, target: str) -> Proposal:
        commit = read_commit(self._objects, tip)
        if tip in self._shallow:
            raise Undecided(f"the parent of {tip[:12]} lies beyond the shallow boundary", _SHALLOW_STEP)
        if not commit.parents:
            return Proposal(commit, "", empty_tree(tip), (commit,), target)
        return self._from_base(tip, commit.parents[0], target)

    def _from_base(self, tip: Oid, base: Oid, name: str, target: Oid = "") -> Proposal:
        """What `tip` has and the target has not; after merges to and fro that is less than what `base` has not."""
        base_commit = self._commit(base)
        commits = self._uncut(commits_between(self._room, self._objects, target or base, tip))
        return Proposal(self._commit(tip), base, base_commit.tree, commits, name)

    def _uncut(self, commits: tuple[Commit, ...]) -> tuple[Commit, ...]:
        cut = next((commit for commit in commits if commit.oid in self._shallow), None)
        if cut is not None:
            raise Undecided(f"the parents of {cut.oid[:12]} lie beyond the shallow boundary", _SHALLOW_STEP)
        return commits

    def _commit(self, oid: Oid) -> Commit:
        return read_commit(self._objects, oid)
