"""Losses of single commits that the range as a whole does not show, and that its tip has not made good.

A test can be renamed in one commit, where its body says that it is the same, and hollowed in the next: over the range
one test is gone and another one is new. So each commit is judged too, by tests that descend from the base alone: what
a proposal does to tests of its own is its own affair until it is done.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.flows.change_sets.facts_cache import FactsCache
from agentgate_git.flows.change_sets.judged_files import changed_facts
from agentgate_git.flows.change_sets.own_changes import OwnChanges
from agentgate_git.flows.change_sets.read_facts import is_read
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.change import Change
from agentgate_git.model.commit import Commit, Proposal
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid, empty_tree
from agentgate_git.policy.every_parent import against_all, stands_in
from agentgate_git.policy.weakening.checks import weakening_findings
from agentgate_git.repo.diff import tree_changes
from agentgate_git.repo.history import TreeDiff
from agentgate_git.repo.merge_tree import MergedTree, merge_trees
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.stores import own_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.repo.process import Git

    Facts = tuple[FileFacts, ...]


def step_findings(
    workspace: Workspace, proposal: Proposal, own: OwnChanges, cache: FactsCache, forbidden: tuple[str, ...]
) -> Iterator[Finding]:
    """The blocking findings on single commits that still hold at the tip; what the range shows is left to the caller.

    Paths that one commit alone changed are the range's, so a proposal without a path that two commits changed costs
    no more than its rows.
    """
    changes = {commit.oid: [row for row in own.of(commit) if is_read(row.path)] for commit in proposal.commits}
    again = _changed_again(proposal, changes)
    steps = _Steps(cache, workspace.diff, proposal.tip.tree, forbidden)
    for commit in proposal.commits:
        rows = changes[commit.oid]
        if len(commit.parents) > 1:
            if rows:
                yield from _Merge(workspace, commit, own, forbidden).findings(proposal.tip.tree)
        elif any(row.path in again for row in rows):
            before = own.tree_of(commit.parents[0]) if commit.parents else empty_tree(commit.tree)
            yield from steps.of_commit(commit, before, rows)


def _changed_again(proposal: Proposal, changes: dict[Oid, list[Change]]) -> frozenset[str]:
    """Paths that more than one commit changed."""
    seen: set[str] = set()
    again: set[str] = set()
    for commit in proposal.commits:
        paths = {row.path for row in changes[commit.oid]}
        again |= paths & seen
        seen |= paths
    return frozenset(again)


class _Steps:
    """Judges plain commits, parents first, and remembers which tests descend from the base."""

    def __init__(self, cache: FactsCache, diff: TreeDiff, tip: Oid, forbidden: tuple[str, ...]) -> None:
        self._cache = cache
        self._diff = diff
        self._tip = tip
        self._forbidden = forbidden
        # By path, for files that were changed on the way; all tests of other files are the base's.
        self._descended: dict[str, frozenset[str]] = {}

    def of_commit(self, commit: Commit, before: Oid, rows: list[Change]) -> Iterator[Finding]:
        """What the commit took from tests of the base that the tree before it holds, and the tip still lacks."""
        old, new = changed_facts(self._cache, rows, self._forbidden)
        inherited = self._inherited(old)
        found = [one for one in weakening_findings(inherited, new) if one.is_blocking()]
        if found:
            older, newest = changed_facts(self._cache, self._diff.rows(before, self._tip), self._forbidden)
            at_tip = weakening_findings(self._inherited(older), newest)
            yield from (one._replace(commit=commit.oid) for one in found if stands_in(one, at_tip))
        self._pass_on(inherited, new)

    def _inherited(self, before: Facts) -> Facts:
        """The facts with those tests alone that descend from the base."""
        return tuple(self._only_inherited(one) for one in before)

    def _only_inherited(self, facts: FileFacts) -> FileFacts:
        names = self._descended.get(facts.path)
        if names is None:
            return facts
        tests = tuple(test for test in facts.tests.tests if test.name in names)
        return facts._replace(tests=facts.tests._replace(tests=tests))

    def _pass_on(self, before: Facts, after: Facts) -> None:
        """A test descends from the base when one of its name in its file does, or one with its body anywhere.

        What a file held that could not be read is not known, so all that it shows afterwards may come from there.
        """
        names = {one.path: {test.name for test in one.tests.tests} for one in before}
        unread = {one.path for one in before if one.problem or one.tests.problem}
        bodies = {test.body for one in before for test in one.tests.tests if test.body}
        for one in after:
            here = names.get(one.path, set())
            self._descended[one.path] = frozenset(
                test.name for test in one.tests.tests if one.path in unread or test.name in here or test.body in bodies
            )


class _Merge:
    """Judges a merge by what merging its parents gives without it; where that is not known, against every parent."""

    def __init__(self, workspace: Workspace, commit: Commit, own: OwnChanges, forbidden: tuple[str, ...]) -> None:
        self._workspace = workspace
        self._commit = commit
        self._parents = [own.tree_of(parent) for parent in commit.parents]
        self._forbidden = forbidden

    def findings(self, tip: Oid) -> Iterator[Finding]:
        """What the merge itself took, and the tip still lacks."""
        with own_store(self._workspace.room) as git, Objects(git) as objects:
            merged = merge_trees(git, *self._commit.parents) if len(self._parents) == 2 else None
            cache = FactsCache(objects.blobs)
            found = [one for one in self._losses(git, cache, merged, self._commit.tree) if one.is_blocking()]
            if not found:
                return
            at_tip = found if tip == self._commit.tree else self._losses(git, cache, merged, tip)
        yield from (one._replace(commit=self._commit.oid) for one in found if stands_in(one, at_tip))

    def _losses(self, git: Git, cache: FactsCache, merged: MergedTree | None, after: Oid) -> list[Finding]:
        if merged is None:
            return list(against_all(self._between(git, cache, parent, after) for parent in self._parents))
        found = [one for one in self._between(git, cache, merged.tree, after) if one.path not in merged.conflicts]
        if merged.conflicts:
            everywhere = against_all(self._between(git, cache, parent, after) for parent in self._parents)
            found += [one for one in everywhere if one.path in merged.conflicts]
        return found

    def _between(self, git: Git, cache: FactsCache, before: Oid, after: Oid) -> tuple[Finding, ...]:
        return weakening_findings(*changed_facts(cache, tree_changes(git, before, after), self._forbidden))
