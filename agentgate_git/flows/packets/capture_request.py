"""What a user asks `capture` for, and how it is found out: revision, base, policy, interpreter."""

from __future__ import annotations

import os
import time

from agentgate_git import __version__
from agentgate_git.flows.capture import Subject, capture_in_place, capture_revision
from agentgate_git.flows.packets.runs import RunPlan
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import CaptureResult
from agentgate_git.model.policy import Policy
from agentgate_git.model.record import Record
from agentgate_git.repo.refs import resolve_commit, resolve_tree, top_level, work_tree
from agentgate_git.runner.environment import find_interpreter
from agentgate_git.runner.run_tests import Observer

TOOL = f"agentgate-git {__version__}"

_OTHER_ARGUMENTS = (
    "these are not the policy's arguments, so `verify` will not take this run for one of the project: what every run "
    "needs is named in `pytest_args` of the policy's `capture`"
)


class CaptureRequest(Record):
    """`rev` is empty for the work tree; `pytest_args` replace the policy's when there are any.

    `is_interactive`: a person sits at the terminal and may press its keys.
    """

    rev: str
    base: str
    python: str
    author_job: str
    checks_ids: bool
    pytest_args: tuple[str, ...]
    is_interactive: bool = False


def capture(workspace: Workspace, request: CaptureRequest, observer: Observer | None = None) -> CaptureResult:
    """Run and record."""
    subject, base = _subject(workspace, request)
    plan = plan_of(workspace, workspace.policy_of(base), request.python, subject.tree, may_use_work_tree=True)
    args = request.pytest_args or plan.args
    notes = () if args == plan.args else (_OTHER_ARGUMENTS,)
    plan = plan._replace(args=args, checks_ids=request.checks_ids, is_interactive=request.is_interactive)
    if request.rev:
        result = capture_revision(workspace.room, workspace.ledger(), subject, plan, observer)
    else:
        top = plan.checkouts[0] if plan.checkouts else top_level(workspace.clone)
        standing_in = os.path.abspath(workspace.clone.directory)
        result = capture_in_place(workspace.clone, workspace.ledger(), subject, plan, top, standing_in, observer)
    return result._replace(notes=(*result.notes, *notes))


def plan_of(workspace: Workspace, policy: Policy, python: str, tree: Oid, *, may_use_work_tree: bool) -> RunPlan:
    """How the policy wants the tests of `tree` to be run, with the interpreter that the user named or that is found.

    An interpreter that belongs to the tree is refused: its author could answer for the tests with it.
    """
    top = work_tree(workspace.clone)
    directory = os.path.abspath(workspace.clone.directory)
    chosen = find_interpreter(python, workspace.environ, directory, top if may_use_work_tree else "")
    if top:
        _refuse_supplied(workspace, tree, os.path.relpath(chosen, top))
    return RunPlan(
        python=chosen,
        args=policy.pytest_args,
        environ=workspace.environ,
        settings=policy.environment,
        roots=policy.import_roots,
        time_limit=policy.time_limit,
        nonce=os.urandom(16).hex(),
        now=time.time,
        checkouts=(top,) if top else (),
    )


def _refuse_supplied(workspace: Workspace, tree: Oid, path: str) -> None:
    parts = path.split(os.sep)
    for depth in range(1, len(parts) + 1 if parts[0] != os.pardir else 0):
        found = workspace.objects.find(f"{tree}:{'/'.join(parts[:depth])}")
        if found is not None and found.kind == "blob":
            step = "name an interpreter that its author did not supply, with --python"
            raise UsageFailure(f"{path} belongs to the tree that is to be tested", step)


def _subject(workspace: Workspace, request: CaptureRequest) -> tuple[Subject, Oid]:
    """What is captured, and the base commit; in a shallow clone that lacks the base, it and its tree are empty."""
    rev = request.rev or "HEAD"
    try:
        proposal = workspace.proposals.of_revision(rev, request.base)
    except Undecided:
        commit, tree = resolve_commit(workspace.clone, rev), resolve_tree(workspace.clone, rev)
        return Subject(commit, tree, "", request.author_job, TOOL), ""
    tip = proposal.tip
    return Subject(tip.oid, tip.tree, proposal.base_tree, request.author_job, TOOL), proposal.base
