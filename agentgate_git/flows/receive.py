"""`receive`: what a push would do to a server repository, ref by ref; nothing is written.

git runs the pre-receive hook while the pushed objects are in quarantine; they are read there, beside what the
repository has. Ids are compared with what the refs hold now, since the old ones are only what the client says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from agentgate_git.flows.check import judge
from agentgate_git.flows.clone.server import real_ref, server_target
from agentgate_git.flows.receive_notes import NotesJudge
from agentgate_git.flows.signers.line_signers import LineSigners
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model import code
from agentgate_git.model.failure import Failure, PolicyFailure, Undecided, UsageFailure
from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.model.oid import Oid, is_oid, is_zero
from agentgate_git.model.paths import POLICY_PATH, SIGNERS_PATH
from agentgate_git.model.received import Limits, RefAnswer, RefUpdate, Target
from agentgate_git.policy.received_notes import writers_of
from agentgate_git.policy.received_refs import brings_no_code, closed_ref, kind_of, missing_target, target_loss
from agentgate_git.repo.commits import is_ancestor
from agentgate_git.repo.peel import peel_to_commit
from agentgate_git.repo.refs import read_ref


class OutOfTime(Undecided):
    """The time that a push may take is over: nothing more is judged."""


def read_updates(listed: bytes) -> tuple[RefUpdate, ...]:
    """The refs of a push from a pre-receive hook's stdin; UsageFailure for a line that git would not write."""
    return tuple(_update(*row.split(b" ", 2)) for row in listed.split(b"\n") if row)


def ref_update(ref: str, old: str, new: str) -> RefUpdate:
    """The ref of an update hook's arguments; UsageFailure when they are none."""
    return _update(*map(os.fsencode, (old, new, ref)))


def receive(workspace: Workspace, updates: tuple[RefUpdate, ...], limits: Limits) -> Iterator[RefAnswer]:
    """An answer for each ref, as soon as it is known; one for the whole push when it cannot be looked at."""
    try:
        push = _Push(workspace, updates, limits)
    except OutOfTime:
        raise
    except Failure as failure:
        yield RefAnswer("", (_undecided(failure),))
        return
    for update in updates:
        yield push.answer(update)


class _Push:
    """One push: what was judged for one of its refs is not judged again for another."""

    def __init__(self, workspace: Workspace, updates: tuple[RefUpdate, ...], limits: Limits) -> None:
        if workspace.environ.get("GIT_NAMESPACE"):
            raise Undecided("this push goes to a namespace of refs", "push to the repository itself")
        if len(updates) > limits.refs:
            step = "push fewer at once, or raise agentgate.maxRefs on the server"
            raise Undecided(f"this push has {len(updates)} refs, more than {limits.refs}", step)
        self._workspace = workspace
        self._limits = limits
        self._target = server_target(workspace.clone)
        self._has_target = bool(self._target.oid) or _creates(workspace, updates, self._target)
        self._commits = 0
        self._answers: dict[Oid, tuple[Finding, ...]] = {}
        self._notes: NotesJudge | None = None

    def answer(self, update: RefUpdate) -> RefAnswer:
        """The findings on one ref; what could not be looked at is one of them."""
        try:
            return RefAnswer(update.ref, tuple(self._findings(update)))
        except OutOfTime:
            raise
        except Failure as failure:
            return RefAnswer(update.ref, (_undecided(failure),))

    def _findings(self, update: RefUpdate) -> Iterator[Finding]:
        ref = real_ref(self._workspace.clone, update.ref)
        closed = closed_ref(update.ref) or closed_ref(ref)
        if closed is not None:
            yield closed
            return
        held = read_ref(self._workspace.clone, ref) or ""
        known = "" if is_zero(update.old) else update.old
        if held != known or (ref == self._target.ref and known != self._target.oid):
            raise Undecided(f"{ref} is not what this push says it is", "fetch, and push again")
        if kind_of(ref):
            policy = self._workspace.policy_of(self._target.oid)
            yield from self._notes_judge().findings(update._replace(ref=ref), writers_of(policy, kind_of(ref)))
        elif not brings_no_code(ref):
            yield from self._code(update._replace(ref=ref))

    def _code(self, update: RefUpdate) -> Iterator[Finding]:
        """A branch, a tag or any other ref: what its commits bring that the target does not have."""
        is_deletion = is_zero(update.new)
        if update.ref == self._target.ref and not is_zero(update.old):
            is_forward = not is_deletion and is_ancestor(self._workspace.room, update.old, update.new)
            loss = target_loss(update.ref, is_deletion=is_deletion, is_forward=is_forward)
            if loss is not None:
                yield loss
                return
        tip = None if is_deletion else peel_to_commit(self._workspace.objects, update.new)
        if tip is None:
            return
        if not self._has_target:
            yield missing_target(self._target.ref)
            return
        if tip not in self._answers:
            self._answers[tip] = self._judge(tip)
        yield from self._answers[tip]

    def _judge(self, tip: Oid) -> tuple[Finding, ...]:
        if not self._count(tip):
            return ()
        proposal = self._workspace.proposals.of_commit(tip, self._target.oid, self._target.ref)
        return (*self._new_policy(tip), *judge(self._workspace, proposal).findings)

    def _new_policy(self, tip: Oid) -> Iterator[Finding]:
        """A policy that cannot be read would keep every later push out, the one that repairs it too."""
        try:
            self._workspace.policy_of(tip)
        except PolicyFailure as failure:
            step = "repair that line in this push"
            yield Finding(code.MANIFEST_INVALID, BLOCK, POLICY_PATH, failure.message, step)

    def _count(self, tip: Oid) -> int:
        """How many commits a ref brings, counted before any is read; no more than the push may still bring."""
        known = (f"^{self._target.oid}",) if self._target.oid else ()
        left = self._limits.commits - self._commits
        count = int(self._workspace.room.text("rev-list", "--count", f"--max-count={left + 1}", tip, *known))
        self._commits += count
        if self._commits > self._limits.commits:
            raise Undecided(
                f"this push brings more than {self._limits.commits} commits that {self._target.ref} does not have",
                "push fewer at once, or raise agentgate.maxCommits on the server",
            )
        return count

    def _notes_judge(self) -> NotesJudge:
        """Keys are those of the target as it stands: a push cannot enrol whoever signed what it brings along."""
        if self._notes is None:
            oid = self._target.oid
            allowed = self._workspace.objects.file_at(oid, SIGNERS_PATH) if oid else None
            signers = LineSigners(allowed or b"", self._workspace.environ)
            self._notes = NotesJudge(self._workspace, signers, self._limits.notes)
        return self._notes


def _creates(workspace: Workspace, updates: tuple[RefUpdate, ...], target: Target) -> bool:
    return any(not is_zero(update.new) and real_ref(workspace.clone, update.ref) == target.ref for update in updates)


def _update(old: bytes, new: bytes = b"", ref: bytes = b"") -> RefUpdate:
    update = RefUpdate(os.fsdecode(ref), os.fsdecode(old), os.fsdecode(new))
    if not (is_oid(update.old) and len(update.new) == len(update.old) and is_oid(update.new) and ref):
        shown = b" ".join((old, new, ref))[:80]
        raise UsageFailure(f"{shown!r} is no ref of a push", "let git run this as a hook of a server repository")
    return update


def _undecided(failure: Failure) -> Finding:
    return Finding(code.UNDECIDED, BLOCK, "", failure.message, failure.next_step)
