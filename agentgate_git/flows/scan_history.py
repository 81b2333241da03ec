"""`scan` over a history: each commit on its own against its parents, without the rules of a proposal.

There is no base that could hold a policy's guarded paths or a rotation, so only what a commit does to pins and to
tests is judged. Who made it is listed beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from agentgate_git.flows.facts_cache import FactsCache
from agentgate_git.flows.judged_files import forbidden_markers, pin_findings, read_blob
from agentgate_git.flows.read_facts import is_read
from agentgate_git.flows.shipped import shipped_registry
from agentgate_git.flows.signatures import Signers
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.actor import Classification
from agentgate_git.model.change import ABSENT, GITLINK, SYMLINK, Change
from agentgate_git.model.commit import Commit
from agentgate_git.model.failure import Undecided
from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid, empty_tree
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.model.transfer import Progress
from agentgate_git.model.verdict import EXIT_ALLOW, EXIT_REJECTED, CheckResult
from agentgate_git.policy.authorship import classify, mode_of
from agentgate_git.policy.every_parent import against_all
from agentgate_git.policy.weakening import weakening_findings
from agentgate_git.repo.commits import read_commit, read_commits
from agentgate_git.repo.history import TreeDiff, count_history, list_history
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.refs import resolve_commit

_NO_FILE = (ABSENT, GITLINK, SYMLINK)
_AT_ONCE = 64
_KNOWN_TREES = 20_000


Show = Callable[[Progress], None]


def scan_range(workspace: Workspace, start: str, end: str, show: Show | None = None) -> CheckResult:
    """Judge each commit that `end` has and `start` has not; policy and keys of `start` say who is an agent."""
    base = resolve_commit(workspace.clone, start)
    return _scan(workspace, resolve_commit(workspace.clone, end), base, show)


def scan_all(workspace: Workspace, rev: str, show: Show | None = None) -> CheckResult:
    """Judge each commit that `rev` has; built-in rules say who is an agent."""
    return _scan(workspace, resolve_commit(workspace.clone, rev), "", show)


def _scan(workspace: Workspace, tip: Oid, base: Oid, show: Show | None) -> CheckResult:
    base_tree = read_commit(workspace.objects, base).tree if base else empty_tree(tip)
    signers = Signers(workspace, base_tree)
    registry, policy = shipped_registry(), workspace.policy_of(base)
    policy = policy._replace(mode=mode_of(policy, signers.has_human()))
    findings: list[Finding] = []
    classes: list[Classification] = []
    total = count_history(workspace.room, tip, base) if show is not None else 0
    with TreeDiff(workspace.room) as diff:
        history = _History(workspace.objects, diff)
        for commit in _commits(workspace, tip, base):
            classes.append(classify(commit, registry, policy, signature_facts=signers.facts(commit)))
            findings.extend(history.findings(commit))
            if show is not None:
                show(Progress("commits", len(classes), total))
    status = EXIT_REJECTED if any(finding.is_blocking() for finding in findings) else EXIT_ALLOW
    return CheckResult(tuple(findings), tuple(classes), status, () if classes else ("the range is empty",))


def _commits(workspace: Workspace, tip: Oid, base: Oid) -> Iterator[Commit]:
    """Parents first, a few at a time: between two of them other objects are read."""
    oids = list_history(workspace.room, tip, base)
    while some := tuple(islice(oids, _AT_ONCE)):
        for commit in tuple(read_commits(workspace.objects, some)):
            if commit.oid in workspace.shallow:
                raise Undecided(
                    f"the parents of {commit.oid[:12]} lie beyond the shallow boundary", "run `git fetch --unshallow`"
                )
            yield commit


class _History:
    """Judges commits in an order in which most parents were seen before their children."""

    def __init__(self, objects: Objects, diff: TreeDiff) -> None:
        self._objects = objects
        self._diff = diff
        self._cache = FactsCache(objects)
        self._trees: dict[Oid, Oid] = {}

    def findings(self, commit: Commit) -> tuple[Finding, ...]:
        """What the commit does to every one of its parents; the first of them tells the message."""
        before = [self._tree_of(parent) for parent in commit.parents] or [empty_tree(commit.tree)]
        self._remember(commit)
        standing = tuple(against_all(self._answers(before, commit.tree)))
        return tuple(finding._replace(commit=commit.oid) for finding in standing)

    def _answers(self, before: list[Oid], after: Oid) -> Iterator[tuple[Finding, ...]]:
        """The findings against each parent; none are looked for against others once one of them has none."""
        for tree in before:
            found = self._against(tree, after)
            yield found
            if not found:
                break

    def _against(self, before: Oid, after: Oid) -> tuple[Finding, ...]:
        rows = [row for row in self._diff.rows(before, after) if _matters(row.path)]
        if not rows:
            return ()
        manifest = read_blob(self._objects, before, MANIFEST_PATH)
        baseline = read_blob(self._objects, before, BASELINE_PATH)
        proposed = read_blob(self._objects, after, MANIFEST_PATH)
        return (
            *pin_findings(manifest, baseline, proposed),
            *self._weakened(rows, forbidden_markers(manifest, baseline, proposed)),
        )

    def _weakened(self, rows: Iterable[Change], forbidden: tuple[str, ...]) -> tuple[Finding, ...]:
        read = [row for row in rows if is_read(row.path)]
        old = [(row.path, row.old_oid) for row in read if row.old_mode not in _NO_FILE]
        new = [(row.path, row.new_oid) for row in read if row.new_mode not in _NO_FILE]
        return weakening_findings(self._cache.facts(old, forbidden), self._cache.facts(new, forbidden))

    def _tree_of(self, commit: Oid) -> Oid:
        return self._trees.get(commit) or read_commit(self._objects, commit).tree

    def _remember(self, commit: Commit) -> None:
        if len(self._trees) >= _KNOWN_TREES:
            del self._trees[next(iter(self._trees))]
        self._trees[commit.oid] = commit.tree


def _matters(path: str) -> bool:
    return path in (MANIFEST_PATH, BASELINE_PATH) or is_read(path)
