"""What a push would publish, ref by ref."""

from __future__ import annotations

import os

from agentgate_git.flows.check import judge
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.commit import Proposal
from agentgate_git.model.evidence import REF_PREFIX
from agentgate_git.model.exit_status import EXIT_ALLOW
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.oid import Oid, empty_tree, is_oid, is_zero
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import CheckResult
from agentgate_git.repo.commits import read_commits
from agentgate_git.repo.refs import read_ref

_NOTHING = CheckResult((), (), EXIT_ALLOW)


class PushedRef(Record):
    """One line of git's list: a zero id stands for "no such ref" on that side."""

    local_ref: str
    local_oid: Oid
    remote_ref: str
    remote_oid: Oid


def read_pushed_refs(listed: bytes) -> tuple[PushedRef, ...]:
    """The refs of a push from a pre-push hook's stdin; UsageFailure for a line that git would not write."""
    refs = []
    for row in listed.split(b"\n"):
        fields = os.fsdecode(row).split(" ")
        if not row:
            continue
        if len(fields) != 4 or not (is_oid(fields[1]) and is_oid(fields[3])):
            raise UsageFailure(f"{row[:80]!r} is no line of a push", "let git run this hook, or give it git's own list")
        refs.append(PushedRef(*fields))
    return tuple(refs)


def outgoing_branches(workspace: Workspace, handed_over: str) -> tuple[PushedRef, ...]:
    """Every local branch, and the ref that was handed over, as if each were pushed for the first time."""
    git = workspace.clone
    names = git.text("for-each-ref", "--format=%(refname)", "refs/heads").split("\n")
    if handed_over and handed_over not in names:
        names.insert(0, handed_over)
    tips = ((name, read_ref(git, f"{name}^{{commit}}")) for name in names if name)
    return tuple(PushedRef(name, tip, name, "0" * len(tip)) for name, tip in tips if tip)


def check_push(workspace: Workspace, ref: PushedRef, remote: str) -> CheckResult:
    """Judge the commits that a ref brings to the remote; a deletion and a push of notes bring none."""
    if is_zero(ref.local_oid) or ref.remote_ref.startswith(REF_PREFIX):
        return _NOTHING
    tip = read_ref(workspace.clone, f"{ref.local_oid}^{{commit}}")
    if tip is None:
        return _NOTHING
    commits = _outgoing(workspace, tip, ref.remote_oid, remote)
    if not commits:
        return _NOTHING
    return judge(workspace, _proposal(workspace, tip, commits), is_hook=True)


def _outgoing(workspace: Workspace, tip: Oid, known: Oid, remote: str) -> tuple[Oid, ...]:
    """Commits that the remote does not have, parents first: past what its ref holds, or past all that we saw of it."""
    git = workspace.clone
    is_known = not is_zero(known) and git.try_run("cat-file", "-e", known).status == 0
    seen = (f"^{known}",) if is_known else _seen_of(remote)
    return tuple(git.text("rev-list", "--topo-order", "--reverse", tip, *seen).split())


def _proposal(workspace: Workspace, tip: Oid, oids: tuple[Oid, ...]) -> Proposal:
    """Outgoing commits against the newest commit that they build on and do not bring along.

    After merges there are several of these. An ancestor of another one is left out; what remains beside the base is
    told apart by what the commits changed themselves.
    """
    commits = tuple(read_commits(workspace.objects, oids))
    last = next(commit for commit in commits if commit.oid == tip)
    outgoing = frozenset(oids)
    outside = dict.fromkeys(parent for commit in commits for parent in commit.parents if parent not in outgoing)
    base = _newest(workspace, tuple(outside))
    base_tree = next(read_commits(workspace.objects, (base,))).tree if base else empty_tree(tip)
    return Proposal(last, base, base_tree, commits, "the remote" if base else "")


def _newest(workspace: Workspace, oids: tuple[Oid, ...]) -> Oid:
    """Of commits, the first in the order of git that is no ancestor of another; empty without any."""
    if len(oids) < 2:
        return "".join(oids)
    return workspace.room.text("merge-base", "--independent", *oids).split("\n")[0]


def _seen_of(remote: str) -> tuple[str, ...]:
    """What rev-list leaves out: the tracking refs of a remote. A URL has none; nor has a remote that nobody named.

    The name is a pattern there, and an empty one would match the tracking refs of every remote.
    """
    name = "".join(f"[{char}]" if char in "*?[" else char for char in remote)
    return ("--not", f"--remotes={name}") if name else ()
