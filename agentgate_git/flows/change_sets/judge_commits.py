"""Commits judged one by one, each against its parents; a long list is shared out to several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agentgate_git.flows.change_sets.changed_parts import Pair
from agentgate_git.flows.change_sets.facts_cache import FactsCache, facts_of
from agentgate_git.flows.change_sets.head_files import HeadTree
from agentgate_git.flows.change_sets.judged_files import forbidden_markers, pin_findings
from agentgate_git.flows.change_sets.read_facts import is_read
from agentgate_git.flows.change_sets.weakened import weakened
from agentgate_git.flows.change_sets.workers import core_count, in_order
from agentgate_git.flows.shipped import shipped_registry
from agentgate_git.flows.signers.signatures import Signers
from agentgate_git.model.change import Change
from agentgate_git.model.commit import Commit
from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid, empty_tree
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.model.policy import Policy
from agentgate_git.model.record import Record
from agentgate_git.policy.authors.authorship import classify
from agentgate_git.policy.every_parent import against_all
from agentgate_git.policy.settings.skipped_pipeline import message_findings
from agentgate_git.repo.commits import read_commit, read_commits
from agentgate_git.repo.history import TreeDiff
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from agentgate_git.wire.judged_commits import JudgedCommit, dump_judged, read_judged

_JOB = 64
_ONE_PROCESS = 256
_KNOWN_TREES = 20_000


class Rules(Record):
    """Who is an agent: the policy in force, and the keys that are enrolled."""

    policy: Policy
    signers: Signers


def judge_commits(room: Git, rules: Rules, oids: tuple[Oid, ...]) -> Iterator[JudgedCommit]:
    """Every commit judged, in their order."""
    jobs = tuple(oids[at : at + _JOB] for at in range(0, len(oids), _JOB))
    workers = core_count() if len(oids) > _ONE_PROCESS else 1

    @contextmanager
    def opened() -> Iterator[Callable[[tuple[Oid, ...]], bytes]]:
        with Objects(room) as objects, TreeDiff(room) as diff:
            # A few commits may change many files, which are then shared out; a process of many is not to start more.
            cache = FactsCache(objects.blobs, None if workers > 1 else lambda: facts_of(room))
            history = _History(objects, diff, rules, cache)
            yield lambda some: dump_judged(history.judged(some))

    for answer in in_order(jobs, opened, workers):
        yield from read_judged(answer)


class _History:
    """Judges commits in an order in which most parents were seen before their children."""

    def __init__(self, objects: Objects, diff: TreeDiff, rules: Rules, cache: FactsCache) -> None:
        self._objects = objects
        self._diff = diff
        self._rules = rules
        self._registry = shipped_registry()
        self._cache = cache
        self._trees: dict[Oid, Oid] = {}

    def judged(self, oids: tuple[Oid, ...]) -> Iterator[JudgedCommit]:
        """Commits of the history, in the order asked for."""
        for commit in tuple(read_commits(self._objects, oids)):
            facts = self._rules.signers.facts(commit) if commit.signature else None
            actor = classify(commit, self._registry, self._rules.policy, signature_facts=facts)
            yield JudgedCommit(commit.oid, actor, self._findings(commit))

    def _findings(self, commit: Commit) -> tuple[Finding, ...]:
        """What the commit does to every one of its parents; the first of them tells the message."""
        before = [self._tree_of(parent) for parent in commit.parents] or [empty_tree(commit.tree)]
        self._remember(commit)
        rows = [self._rows(tree, commit.tree) for tree in before]
        skipped = tuple(message_findings(commit.message, is_code=any(rows), commit=commit.oid))
        # A finding stands on a path that changed against every parent.
        asked = frozenset.intersection(*(frozenset(row.path for row in some) for some in rows))
        if not asked:
            return skipped
        standing = against_all(self._answers(before, commit.tree, rows, asked if len(rows) > 1 else None))
        return (*(finding._replace(commit=commit.oid) for finding in standing), *skipped)

    def _answers(
        self, before: list[Oid], after: Oid, rows: list[list[Change]], asked: frozenset[str] | None
    ) -> list[tuple[Finding, ...]]:
        """The findings against each parent; none at all once one of them has none.

        The parent from which least changed is asked first: of most merges that one has nothing to tell.
        """
        found: dict[int, tuple[Finding, ...]] = {}
        for at in sorted(range(len(before)), key=lambda at: len(rows[at])):
            found[at] = self._against(before[at], after, rows[at], asked)
            if not found[at]:
                return [()]
        return [found[at] for at in range(len(before))]

    def _rows(self, before: Oid, after: Oid) -> list[Change]:
        return [row for row in self._diff.rows(before, after) if _matters(row.path)]

    def _against(
        self, before: Oid, after: Oid, rows: list[Change], asked: frozenset[str] | None
    ) -> tuple[Finding, ...]:
        manifest = self._objects.file_at(before, MANIFEST_PATH)
        baseline = self._objects.file_at(before, BASELINE_PATH)
        proposed = self._objects.file_at(after, MANIFEST_PATH)
        forbidden = forbidden_markers(manifest, baseline, proposed)
        head = HeadTree(self._objects, self._diff, after)
        found = weakened(self._cache, map(Pair.of, rows), forbidden, head, asked)
        return (*pin_findings(manifest, baseline, proposed), *found)

    def _tree_of(self, commit: Oid) -> Oid:
        return self._trees.get(commit) or read_commit(self._objects, commit).tree

    def _remember(self, commit: Commit) -> None:
        if len(self._trees) >= _KNOWN_TREES:
            del self._trees[next(iter(self._trees))]
        self._trees[commit.oid] = commit.tree


def _matters(path: str) -> bool:
    return path in (MANIFEST_PATH, BASELINE_PATH) or is_read(path)
