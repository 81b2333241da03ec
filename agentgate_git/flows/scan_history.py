"""`scan` over a history: each commit on its own against its parents, without the rules of a proposal.

There is no base that could hold a policy's guarded paths or a rotation, so only what a commit does to pins and to
tests is judged. Who made it is listed beside it. A long history is shared out to several processes, and what was
found on a commit is kept for the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agentgate_git.flows.facts_cache import FactsCache
from agentgate_git.flows.head_files import HeadTree
from agentgate_git.flows.judged_files import forbidden_markers, pin_findings, read_blob
from agentgate_git.flows.read_facts import is_read
from agentgate_git.flows.scan_cache import ScanCache
from agentgate_git.flows.shipped import shipped_registry
from agentgate_git.flows.signatures import Signers
from agentgate_git.flows.weakened import Pair, weakened
from agentgate_git.flows.workers import core_count, in_order
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.change import Change
from agentgate_git.model.commit import Commit
from agentgate_git.model.failure import Undecided
from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid, empty_tree
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.model.policy import Policy
from agentgate_git.model.record import Record
from agentgate_git.model.transfer import Progress
from agentgate_git.model.verdict import EXIT_ALLOW, EXIT_REJECTED, CheckResult
from agentgate_git.policy.authorship import classify, mode_of
from agentgate_git.policy.every_parent import against_all
from agentgate_git.policy.skipped_pipeline import message_findings
from agentgate_git.repo.commits import read_commit, read_commits
from agentgate_git.repo.history import TreeDiff, list_history
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.refs import common_dir, resolve_commit
from agentgate_git.wire.judged_commits import JudgedCommit, dump_judged, read_judged

_JOB = 64
_ONE_PROCESS = 256
_KNOWN_TREES = 20_000


Show = Callable[[Progress], None]


class _Rules(Record):
    """Who is an agent: the policy in force, and the keys that are enrolled."""

    policy: Policy
    signers: Signers


def scan_range(
    workspace: Workspace, start: str, end: str, show: Show | None = None, *, keeps: bool = True
) -> CheckResult:
    """Judge each commit that `end` has and `start` has not; policy and keys of `start` say who is an agent.

    `keeps` lets what was found before stand, and keeps what is found now.
    """
    base = resolve_commit(workspace.clone, start)
    return _scan(workspace, resolve_commit(workspace.clone, end), base, show, keeps)


def scan_all(workspace: Workspace, rev: str, show: Show | None = None, *, keeps: bool = True) -> CheckResult:
    """Judge each commit that `rev` has; built-in rules say who is an agent."""
    return _scan(workspace, resolve_commit(workspace.clone, rev), "", show, keeps)


def _scan(workspace: Workspace, tip: Oid, base: Oid, show: Show | None, keeps: bool) -> CheckResult:
    base_tree = read_commit(workspace.objects, base).tree if base else empty_tree(tip)
    signers = Signers(workspace, base_tree)
    policy = workspace.policy_of(base)
    rules = _Rules(policy._replace(mode=mode_of(policy, signers.has_human())), signers)
    cache = _cache_of(workspace, base_tree, rules) if keeps else None
    oids = tuple(list_history(workspace.room, tip, base))
    _refuse_cut(workspace, oids)
    known = cache.read() if cache else {}
    missing = tuple(oid for oid in oids if oid not in known)
    fresh: list[JudgedCommit] = []
    try:
        for one in _judged(workspace, rules, missing):
            known[one.oid] = one
            fresh.append(one)
            if show is not None:
                show(Progress("commits", len(oids) - len(missing) + len(fresh), len(oids)))
    finally:
        if cache and fresh:
            cache.add(fresh)
    found = [known[oid] for oid in oids]
    findings = tuple(finding for one in found for finding in one.findings)
    status = EXIT_REJECTED if any(finding.is_blocking() for finding in findings) else EXIT_ALLOW
    return CheckResult(findings, tuple(one.actor for one in found), status, () if found else ("the range is empty",))


def _cache_of(workspace: Workspace, base_tree: Oid, rules: _Rules) -> ScanCache | None:
    """None where keys may be enrolled: whether a signature is good can change from one day to the next."""
    if base_tree != empty_tree(base_tree) and workspace.objects.find(f"{base_tree}:.agentgate") is not None:
        return None
    return ScanCache(common_dir(workspace.clone), repr(rules.policy).encode("utf-8", "surrogateescape"))


def _refuse_cut(workspace: Workspace, oids: tuple[Oid, ...]) -> None:
    for oid in oids if workspace.shallow else ():
        if oid in workspace.shallow:
            raise Undecided(f"the parents of {oid[:12]} lie beyond the shallow boundary", "run `git fetch --unshallow`")


def _judged(workspace: Workspace, rules: _Rules, oids: tuple[Oid, ...]) -> Iterator[JudgedCommit]:
    """Every commit judged, in their order."""
    jobs = tuple(oids[at : at + _JOB] for at in range(0, len(oids), _JOB))
    workers = core_count() if len(oids) > _ONE_PROCESS else 1

    @contextmanager
    def opened() -> Iterator[Callable[[tuple[Oid, ...]], bytes]]:
        with Objects(workspace.room) as objects, TreeDiff(workspace.room) as diff:
            history = _History(objects, diff, rules)
            yield lambda some: dump_judged(history.judged(some))

    for answer in in_order(jobs, opened, workers):
        yield from read_judged(answer)


class _History:
    """Judges commits in an order in which most parents were seen before their children."""

    def __init__(self, objects: Objects, diff: TreeDiff, rules: _Rules) -> None:
        self._objects = objects
        self._diff = diff
        self._rules = rules
        self._registry = shipped_registry()
        self._cache = FactsCache(objects.blob)
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
        if len(rows) > 1 and not set.intersection(*({row.path for row in some} for some in rows)):
            return skipped  # a finding stands on a path that changed against every parent
        standing = against_all(self._answers(before, commit.tree, rows))
        return (*(finding._replace(commit=commit.oid) for finding in standing), *skipped)

    def _answers(self, before: list[Oid], after: Oid, rows: list[list[Change]]) -> Iterator[tuple[Finding, ...]]:
        """The findings against each parent; none are looked for against others once one of them has none."""
        for tree, some in zip(before, rows, strict=True):
            found = self._against(tree, after, some)
            yield found
            if not found:
                break

    def _rows(self, before: Oid, after: Oid) -> list[Change]:
        return [row for row in self._diff.rows(before, after) if _matters(row.path)]

    def _against(self, before: Oid, after: Oid, rows: list[Change]) -> tuple[Finding, ...]:
        if not rows:
            return ()
        manifest = read_blob(self._objects, before, MANIFEST_PATH)
        baseline = read_blob(self._objects, before, BASELINE_PATH)
        proposed = read_blob(self._objects, after, MANIFEST_PATH)
        forbidden = forbidden_markers(manifest, baseline, proposed)
        head = HeadTree(self._objects, self._diff, after)
        found = weakened(self._cache, map(Pair.of, rows), forbidden, head)
        return (*pin_findings(manifest, baseline, proposed), *found)

    def _tree_of(self, commit: Oid) -> Oid:
        return self._trees.get(commit) or read_commit(self._objects, commit).tree

    def _remember(self, commit: Commit) -> None:
        if len(self._trees) >= _KNOWN_TREES:
            del self._trees[next(iter(self._trees))]
        self._trees[commit.oid] = commit.tree


def _matters(path: str) -> bool:
    return path in (MANIFEST_PATH, BASELINE_PATH) or is_read(path)
