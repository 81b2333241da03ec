"""`check`: what a change set does to the gate, judged commit by commit and over the whole range."""

from __future__ import annotations

from agentgate_git.flows.change_sets.adoptions import Adoptions
from agentgate_git.flows.change_sets.changed_parts import Pair
from agentgate_git.flows.change_sets.facts_cache import FactsCache, facts_of
from agentgate_git.flows.change_sets.head_files import HeadTree
from agentgate_git.flows.change_sets.judged_files import forbidden_markers, pin_findings
from agentgate_git.flows.change_sets.own_changes import OwnChanges
from agentgate_git.flows.change_sets.read_facts import is_read
from agentgate_git.flows.change_sets.step_by_step import step_findings
from agentgate_git.flows.change_sets.weakened import weakened
from agentgate_git.flows.shipped import shipped_registry
from agentgate_git.flows.signers.signatures import Signers
from agentgate_git.flows.target import find_target
from agentgate_git.model.actor import AGENT, HUMAN, REPORT, Classification
from agentgate_git.model.commit import Commit, Ident, Proposal
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_REJECTED
from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.oid import empty_tree
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import CheckResult
from agentgate_git.policy.authors.adoption import with_way_out
from agentgate_git.policy.authors.authorship import DEFAULT, FILE_KEY, classify, mode_of, strongest
from agentgate_git.policy.every_parent import against_all, stands_in
from agentgate_git.policy.guarded_names import is_named
from agentgate_git.policy.guarded_paths import by_bot, guarded_changes, guarded_finding
from agentgate_git.policy.settings.skipped_pipeline import message_findings, skipping_words
from agentgate_git.repo.commits import read_commit, read_commits
from agentgate_git.repo.refs import is_unborn, resolve_commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from agentgate_git.flows.change_sets.staged import Staged
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


def check_staged(workspace: Workspace, proposal: Proposal, *, is_hook: bool = False) -> CheckResult:
    """Judge what is about to be committed; the environment can show that an agent does it."""
    return judge(workspace, proposal, workspace.environ, is_hook=is_hook)


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
    brought = _brought(workspace, head, staged.merge_heads)
    return Proposal(tip, head, read_commit(objects, head).tree, (*brought, tip))


def _brought(workspace: Workspace, head: Oid, others: tuple[Oid, ...]) -> Iterator[Commit]:
    """The commits that a merge brings in; those that the target holds were judged when they went in there."""
    if others:
        target, _ = find_target(workspace.clone)
        known = (f"^{head}", f"^{target}") if target else (f"^{head}",)
        listed = workspace.room.text("rev-list", "--topo-order", "--reverse", *others, *known).split()
        yield from read_commits(workspace.objects, listed)


def judge(
    workspace: Workspace, proposal: Proposal, environ: Mapping[str, str] | None = None, *, is_hook: bool = False
) -> CheckResult:
    """All findings on a proposal. `environ` is the environment that the last commit is made in, if it is being made.

    A hook (`is_hook`) lets through what a human was asked to adopt, so that it can be committed and seen at all.
    """
    if not proposal.commits:
        return CheckResult((), (), EXIT_ALLOW, ("the range is empty",))
    policy = workspace.policy_of(proposal.base)
    registry, signers = shipped_registry(), Signers(workspace, proposal.base_tree)
    policy = policy._replace(mode=mode_of(policy, signers.has_human()))
    classes = tuple(
        classify(
            commit,
            registry,
            policy,
            environ if commit is proposal.commits[-1] else None,
            signers.facts(commit),
        )
        for commit in proposal.commits
    )
    own = OwnChanges(workspace)
    findings = (
        *_guarded(workspace, proposal, policy, classes, own),
        *_own_work(workspace, proposal, own, tuple(_pins(workspace, proposal, classes))),
        *_weakened(workspace, proposal, own),
        *_skipped(proposal, own),
    )
    if policy.mode == REPORT:
        findings = tuple(finding._replace(severity=WARN) for finding in findings)
    adoptions = Adoptions(workspace, signers, proposal, policy.mode)
    applied = adoptions.apply(findings)
    findings = adoptions.with_requests(applied.findings) if is_hook else applied.findings
    findings = tuple(_with_way_out(finding, classes, proposal) for finding in findings)
    status = EXIT_REJECTED if any(finding.severity == BLOCK for finding in findings) else EXIT_ALLOW
    notes = (*_notes(policy, classes), *signers.notes, *applied.notes)
    return CheckResult(findings, classes, status, notes, applied.evidence)


def _with_way_out(finding: Finding, classes: tuple[Classification, ...], proposal: Proposal) -> Finding:
    """How it is adopted, by who did it; where no commit is named, all of a range did."""
    about = [one for one in classes if finding.commit in ("", one.commit) and one.actor == AGENT]
    is_unproven = bool(about) and all(one.rule in (DEFAULT, FILE_KEY) for one in about)
    is_staged = proposal.tip.oid == STAGED
    return with_way_out(finding, is_by_agent=bool(about), is_unproven=is_unproven, is_staged=is_staged)


def _guarded(
    workspace: Workspace,
    proposal: Proposal,
    policy: Policy,
    classes: tuple[Classification, ...],
    own: OwnChanges,
) -> Iterator[Finding]:
    """Guarded paths that agent work touches: per agent commit, then over the range, which takes its strongest class.

    The second look needs a target: with a first parent standing in for it, a merge brings in other people's work. So
    it does after merges to and fro, where two bases are as good: there a path counts when a commit changed it.
    """
    seen: set[str] = set()
    for commit, actor in zip(proposal.commits, classes, strict=True):
        if actor.actor == HUMAN:
            continue
        for change in guarded_changes(own.of(commit), policy.guarded):
            seen.add(change.path)
            yield from _guarded_by(actor.actor, change, policy, commit.oid)
    actor_of_range = strongest(classes)
    if not proposal.target or actor_of_range == HUMAN:
        return
    changes = workspace.diff.rows(proposal.base_tree, proposal.tip.tree)
    others = [change for change in guarded_changes(changes, policy.guarded) if change.path not in seen]
    if others:
        made = own.paths(proposal.commits)
        for change in others:
            if change.path in made:
                yield from _guarded_by(actor_of_range, change, policy)


def _guarded_by(actor: str, change: Change, policy: Policy, commit: Oid = "") -> Iterator[Finding]:
    """What stands against an agent, or against a bot outside the paths that are left to bots."""
    finding = guarded_finding(change, commit)
    if actor == AGENT:
        yield finding
    elif not is_named(change.path, policy.bot_paths):
        yield by_bot(finding)


def _pins(workspace: Workspace, proposal: Proposal, classes: tuple[Classification, ...]) -> Iterator[Finding]:
    """Lost or changed pins; enrolled humans may rotate them, and are told what they did."""
    is_rotation = all(actor.actor == HUMAN and actor.rule != DEFAULT for actor in classes)
    answers = (pin_findings(*_pinned(workspace, base, proposal.tip.tree)) for base in _bases(workspace, proposal))
    for finding in against_all(answers):
        yield finding._replace(severity=WARN) if is_rotation else finding


def _weakened(workspace: Workspace, proposal: Proposal, own: OwnChanges) -> Iterator[Finding]:
    """Tests that stopped running or check less, and what else makes their green mean less.

    Over the whole range, where a loss can take two steps, each harmless; then commit by commit, for what only a single
    one shows. The latter needs a target: with a first parent standing in for it, a merge brings in others' commits.
    """
    forbidden = forbidden_markers(*_pinned(workspace, proposal.base_tree, proposal.tip.tree))
    changes = (workspace.diff.rows(base, proposal.tip.tree) for base in _bases(workspace, proposal))
    cache = FactsCache(workspace.objects.blobs, lambda: facts_of(workspace.room))
    head = HeadTree(workspace.objects, workspace.diff, proposal.tip.tree)
    answers = (weakened(cache, map(Pair.of, rows), forbidden, head) for rows in changes)
    shown = _own_work(workspace, proposal, own, tuple(against_all(answers)))
    steps: list[Finding] = []
    if proposal.target and (len(proposal.commits) > 1 or len(proposal.tip.parents) > 1):
        blocking = [finding for finding in shown if finding.is_blocking()]
        for finding in step_findings(workspace, proposal, own, cache, forbidden):
            if not stands_in(finding, (*blocking, *steps)):
                steps.append(finding)
    yield from (finding for finding in shown if finding.is_blocking() or not stands_in(finding, steps))
    yield from steps


def _skipped(proposal: Proposal, own: OwnChanges) -> Iterator[Finding]:
    """Commits whose message keeps the pipeline from running."""
    for commit in proposal.commits:
        if skipping_words(commit.message):
            is_code = any(is_read(change.path) for change in own.of(commit))
            yield from message_findings(commit.message, is_code=is_code, commit=commit.oid)


def _own_work(
    workspace: Workspace, proposal: Proposal, own: OwnChanges, findings: tuple[Finding, ...]
) -> tuple[Finding, ...]:
    """The findings but those on paths that no commit of the proposal changed: with several bases that are as good,
    what lies between the one that was taken and the tip is also the others' work."""
    if not proposal.target or not findings or all(len(commit.parents) < 2 for commit in proposal.commits):
        return findings
    between = {row.path for row in workspace.diff.rows(proposal.base_tree, proposal.tip.tree)}
    others = between - own.paths(proposal.commits)
    return tuple(finding for finding in findings if finding.path not in others)


def _pinned(workspace: Workspace, base: Oid, head: Oid) -> Pinned:
    return Pinned(
        workspace.objects.file_at(base, MANIFEST_PATH),
        workspace.objects.file_at(base, BASELINE_PATH),
        workspace.objects.file_at(head, MANIFEST_PATH),
    )


def _bases(workspace: Workspace, proposal: Proposal) -> Iterator[Oid]:
    """The trees to compare with: the base's, and for a merge that is being made those of its other parents."""
    yield proposal.base_tree
    if proposal.tip.oid == STAGED:
        for parent in proposal.tip.parents[1:]:
            yield read_commit(workspace.objects, parent).tree


def _notes(policy: Policy, classes: Iterable[Classification]) -> tuple[str, ...]:
    notes = []
    if policy.is_builtin:
        notes.append("the base has no .agentgate/policy.yaml: built-in defaults hold")
    unlabelled = [one.actor for one in classes if one.rule == DEFAULT]
    if unlabelled:
        whose = " or ".join(f"{'an' if actor == AGENT else 'a'} {actor}'s" for actor in sorted(set(unlabelled)))
        notes.append(
            f"{len(unlabelled)} commit(s) carry no mark of who made them and count as {whose} ({policy.mode} mode)"
        )
    return tuple(notes)
