"""`scan` over a history: each commit on its own against its parents, without the rules of a proposal.

There is no base that could hold a policy's guarded paths or a rotation, so only what a commit does to pins and to
tests is judged. Who made it is listed beside it. A long history is shared out to several processes, and what was
found on a commit is kept for the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agentgate_git.flows.change_sets.scan_cache import ScanCache
from agentgate_git.flows.signers.signatures import Signers
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_REJECTED
from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid, empty_tree
from agentgate_git.model.policy import Policy
from agentgate_git.model.transfer import Progress
from agentgate_git.model.verdict import CheckResult
from agentgate_git.policy.authors.authorship import mode_of
from agentgate_git.repo.commits import read_commit
from agentgate_git.repo.history import list_history
from agentgate_git.repo.refs import common_dir, resolve_commit
from agentgate_git.wire.judged_commits import JudgedCommit

Show = Callable[[Progress], None]


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
    policy = policy._replace(mode=mode_of(policy, signers.has_human()))
    cache = _cache_of(workspace, base_tree, policy) if keeps else None
    oids = tuple(list_history(workspace.room, tip, base))
    _refuse_cut(workspace, oids)
    known = cache.read() if cache else {}
    missing = tuple(oid for oid in oids if oid not in known)
    fresh: list[JudgedCommit] = []
    try:
        for one in _judged(workspace, policy, signers, missing) if missing else ():
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


def _cache_of(workspace: Workspace, base_tree: Oid, policy: Policy) -> ScanCache | None:
    """None where keys may be enrolled: whether a signature is good can change from one day to the next."""
    if base_tree != empty_tree(base_tree) and workspace.objects.find(f"{base_tree}:.agentgate") is not None:
        return None
    return ScanCache(common_dir(workspace.clone), repr(policy).encode("utf-8", "surrogateescape"))


def _refuse_cut(workspace: Workspace, oids: tuple[Oid, ...]) -> None:
    for oid in oids if workspace.shallow else ():
        if oid in workspace.shallow:
            raise Undecided(f"the parents of {oid[:12]} lie beyond the shallow boundary", "run `git fetch --unshallow`")


def _judged(workspace: Workspace, policy: Policy, signers: Signers, oids: tuple[Oid, ...]) -> Iterator[JudgedCommit]:
    """Every commit judged, in their order. What judges takes as long to load as a history that is known to read."""
    from agentgate_git.flows.change_sets.judge_commits import Rules, judge_commits  # noqa: PLC0415

    return judge_commits(workspace.room, Rules(policy, signers), oids)
