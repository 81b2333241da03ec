"""`check`: what a change set does to the gate, judged commit by commit and over the whole range."""

from __future__ import annotations

from agentgate_git.flows.judged_files import forbidden_markers, inventories, pin_findings, read_blob
from agentgate_git.model.actor import AGENT, HUMAN, REPORT, Classification
from agentgate_git.model.commit import Commit, Ident, Proposal
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.oid import empty_tree
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import EXIT_ALLOW, EXIT_REJECTED, CheckResult
from agentgate_git.policy.authorship import DEFAULT, classify, strongest
from agentgate_git.policy.guarded_paths import guarded_changes, guarded_finding
from agentgate_git.policy.skip_marker import skip_findings
from agentgate_git.repo.commits import commits_between, merge_base, read_commit
from agentgate_git.repo.diff import tree_changes
from agentgate_git.repo.refs import is_unborn, resolve_commit
from agentgate_git.wire.sshsig import signature_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agentgate_git.flows.staged import Staged
    from agentgate_git.flows.workspace import Workspace
    from agentgate_git.model.change import Change
    from agentgate_git.model.oid import Oid
    from agentgate_git.model.policy import Policy


class Pinned(Record):
    """The manifests that count: the base's, the base's baseline, and the proposed one."""

    base: bytes | None
    baseline: bytes | None
    head: bytes | None


# Stands for the id of the commit that a hook judges before it exists.
STAGED = "staged"


def check_revision(workspace: Workspace, rev: str, base: str) -> CheckResult:
    """Judge the proposal that ends at `rev`."""
    return judge(workspace, workspace.proposals.of_revision(rev, base))


def check_range(workspace: Workspace, start: str, end: str) -> CheckResult:
    """Judge the commits of `start..end` as one proposal."""
    return judge(workspace, workspace.proposals.of_range(start, end))


def check_staged(workspace: Workspace, proposal: Proposal) -> CheckResult:
    """Judge what is about to be committed; the environment can show that an agent does it."""
    return judge(workspace, proposal, workspace.environ)


def staged_proposal(workspace: Workspace, staged: Staged, message: str) -> Proposal:
    """The frozen index as a proposal on HEAD, together with the commits that a merge would bring in."""
    objects = workspace.objects
    tree, environ = staged.tree, workspace.environ
    author = Ident(environ.get("GIT_AUTHOR_NAME", ""), environ.get("GIT_AUTHOR_EMAIL", ""))
    committer = Ident(environ.get("GIT_COMMITTER_NAME", ""), environ.get("GIT_COMMITTER_EMAIL", ""))
    if is_unborn(workspace.clone):
        tip = Commit(STAGED, tree, (), author, committer, message)
        return Proposal(tip, "", empty_tree(tree), (tip,))
    head = resolve_commit(workspace.clone, "HEAD")
    tip = Commit(STAGED, tree, (head, *staged.merge_heads), author, committer, message)
    brought = (
        commit for other in staged.merge_heads for commit in commits_between(workspace.room, objects, head, other)
    )
    return Proposal(tip, head, read_commit(objects, head).tree, (*brought, tip))


def judge(workspace: Workspace, proposal: Proposal, environ: Mapping[str, str] | None = None) -> CheckResult:
    """All findings on a proposal. `environ` is the environment that the last commit is made in, if it is being made."""
    if not proposal.commits:
        return CheckResult((), (), EXIT_ALLOW, ("the range is empty",))
    policy = workspace.policy_of(proposal.base)
    registry = workspace.registry()
    classes = tuple(
        classify(
            commit,
            registry,
            policy,
            environ if commit is proposal.commits[-1] else None,
            signature_facts(commit.signature) if commit.signature else None,
        )
        for commit in proposal.commits
    )
    pinned = Pinned(
        read_blob(workspace.objects, proposal.base_tree, MANIFEST_PATH),
        read_blob(workspace.objects, proposal.base_tree, BASELINE_PATH),
        read_blob(workspace.objects, proposal.tip.tree, MANIFEST_PATH),
    )
    findings = (
        *_guarded(workspace, proposal, policy, classes),
        *_pins(pinned, classes),
        *_silenced(workspace, proposal, forbidden_markers(*pinned)),
    )
    if policy.mode == REPORT:
        findings = tuple(finding._replace(severity=WARN) for finding in findings)
    status = EXIT_REJECTED if any(finding.severity == BLOCK for finding in findings) else EXIT_ALLOW
    return CheckResult(findings, classes, status, _notes(policy, classes))


def _guarded(
    workspace: Workspace, proposal: Proposal, policy: Policy, classes: tuple[Classification, ...]
) -> Iterator[Finding]:
    """Guarded paths that agent work touches: per agent commit, then over the range, which takes its strongest class.

    The second look needs a target: with a first parent standing in for it, a merge brings in other people's work.
    """
    seen: set[str] = set()
    for commit, actor in zip(proposal.commits, classes, strict=True):
        if actor.actor != AGENT:
            continue
        for change in guarded_changes(_changes_of(workspace, commit), policy.guarded):
            seen.add(change.path)
            yield guarded_finding(change, commit.oid)
    if not proposal.target or strongest(classes) != AGENT:
        return
    changes = tree_changes(workspace.room, proposal.base_tree, proposal.tip.tree)
    yield from (
        guarded_finding(change) for change in guarded_changes(changes, policy.guarded) if change.path not in seen
    )


def _pins(pinned: Pinned, classes: tuple[Classification, ...]) -> Iterator[Finding]:
    """Lost or changed pins; enrolled humans may rotate them, and are told what they did."""
    is_rotation = all(actor.actor == HUMAN and actor.rule != DEFAULT for actor in classes)
    for finding in pin_findings(*pinned):
        yield finding._replace(severity=WARN) if is_rotation else finding


def _silenced(workspace: Workspace, proposal: Proposal, forbidden: tuple[str, ...]) -> tuple[Finding, ...]:
    """Tests that stopped running; a merge that is being made answers only for what no parent has."""
    bases = [proposal.base_tree]
    if proposal.tip.oid == STAGED:
        bases += [read_commit(workspace.objects, parent).tree for parent in proposal.tip.parents[1:]]
    answers = []
    for base in bases:
        changes = tree_changes(workspace.room, base, proposal.tip.tree)
        answers.append(skip_findings(*inventories(workspace.objects, changes, forbidden)))
    return tuple(finding for finding in answers[0] if all(finding in other for other in answers[1:]))


def _changes_of(workspace: Workspace, commit: Commit) -> Iterator[Change]:
    """What a commit itself changed: against its parent, for a merge what it did beyond merging."""
    if not commit.parents:
        yield from tree_changes(workspace.room, empty_tree(commit.tree), commit.tree)
    elif len(commit.parents) == 1:
        yield from tree_changes(workspace.room, commit.parents[0], commit.tree)
    else:
        yield from _merge_changes(workspace, commit)


def _merge_changes(workspace: Workspace, commit: Commit) -> Iterator[Change]:
    """Paths whose content in a merge is not what merging its parents cleanly gives.

    A path that a parent changed since the parents parted must come out as that parent has it. A path that
    differs from every parent was written in the merge (an evil merge), or resolves a conflict.
    """
    rows = [{row.path: row for row in tree_changes(workspace.room, parent, commit.tree)} for parent in commit.parents]
    written = {path: row for path, row in rows[0].items() if all(path in other for other in rows[1:])}
    for index, differing in enumerate(rows):
        since = _since_parting(workspace, commit.parents, index) if differing else frozenset()
        written.update((path, row) for path, row in differing.items() if path in since)
    yield from written.values()


def _since_parting(workspace: Workspace, parents: tuple[Oid, ...], index: int) -> frozenset[str]:
    """Paths that one parent changed since it parted from the others."""
    changed: set[str] = set()
    for position, other in enumerate(parents):
        parted = merge_base(workspace.room, parents[index], other) if position != index else None
        if parted is not None:
            changed.update(row.path for row in tree_changes(workspace.room, parted, parents[index]))
    return frozenset(changed)


def _notes(policy: Policy, classes: Iterable[Classification]) -> tuple[str, ...]:
    notes = []
    if policy.is_builtin:
        notes.append("the base has no .agentgate/policy.yaml: built-in defaults hold")
    unlabelled = sum(1 for actor in classes if actor.rule == DEFAULT)
    if unlabelled:
        notes.append(f"{unlabelled} commit(s) carry no mark of who made them and count as {policy.mode} mode says")
    return tuple(notes)
