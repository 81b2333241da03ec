"""`capture`: run the tests of one tree and keep what happened as a packet under that tree."""

from __future__ import annotations

import os
from hashlib import sha256

from agentgate_git.flows.packets.runs import RanTests, RunPlan, run_in_place, run_in_scratch
from agentgate_git.model.change import TreeEntry
from agentgate_git.model.evidence import PACKETS, Entry
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_REJECTED, EXIT_UNDECIDED
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.finding import some_of
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import IN_PLACE, SCRATCH, CaptureResult
from agentgate_git.model.paths import MANIFEST_PATH
from agentgate_git.model.record import Record
from agentgate_git.repo.materialise import list_tree
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from agentgate_git.repo.worktree import Photograph, Untracked, moved_since, photograph, staged_paths, untracked
from agentgate_git.runner.conclude import RunFacts, conclude, judge
from agentgate_git.runner.run_tests import Observer
from agentgate_git.wire.dsse import encode_envelope
from agentgate_git.wire.packet_statement import packet_payload
from agentgate_git.wire.statement import unsigned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.flows.ports import Ledger

_NAMED = 3
_COMMIT_FIRST = "commit or stash it, or run `git agentgate capture HEAD`"


class Subject(Record):
    """What is captured, and for whom: `author_job` names the job that wrote the change, empty when unknown."""

    commit: Oid
    tree: Oid
    base_tree: Oid
    author_job: str
    tool: str


def capture_in_place(
    git: Git,
    ledger: Ledger,
    subject: Subject,
    plan: RunPlan,
    top: str,
    standing_in: str,
    observer: Observer | None = None,
) -> CaptureResult:
    """Run in the work tree `top`, which must hold exactly the subject's tree; `standing_in` is the user's directory."""
    _require_arguments_of_top(plan.args, top, standing_in)
    examination = _Examination(git, subject.tree, top)
    run = run_in_place(examination, top, plan, observer)
    others = examination.untracked
    facts = _facts(subject, plan, run, IN_PLACE, _manifest_sha256(git, examination.entries))
    facts = facts._replace(untracked_count=len(others.paths), untracked_sha256=others.sha256)
    if moved := moved_since(git, examination.seen, top):
        note = (
            f"not recorded: the run changed tracked files ({some_of(moved, _NAMED)}), so it was not a run of this tree"
        )
        return _unrecorded(run, facts, note)
    return _record(ledger, run, facts, _untracked_notes(others))


def capture_revision(
    git: Git, ledger: Ledger, subject: Subject, plan: RunPlan, observer: Observer | None = None
) -> CaptureResult:
    """Run in a directory that holds the subject's tree and nothing else, and is removed afterwards."""
    entries = list_tree(git, subject.tree)
    run = run_in_scratch(git, subject.tree, plan, observer)
    return _record(ledger, run, _facts(subject, plan, run, SCRATCH, _manifest_sha256(git, entries)), ())


def _require_arguments_of_top(args: tuple[str, ...], top: str, standing_in: str) -> None:
    """pytest runs at the top, so a path that only exists from where the user stands would be another one."""
    for arg in args:
        path = arg.partition("::")[0]
        if os.path.lexists(os.path.join(standing_in, path)) and not os.path.lexists(os.path.join(top, path)):
            meant = os.path.relpath(os.path.join(standing_in, arg), top)
            raise UsageFailure(
                f"{arg} does not exist at the top of the work tree, where the tests run", f"name {meant}"
            )


class _Examination:
    """Looks at the work tree before the run, and keeps what was seen for afterwards."""

    entries: tuple[TreeEntry, ...]
    seen: Photograph
    untracked: Untracked

    def __init__(self, git: Git, tree: Oid, top: str) -> None:
        self._git = git
        self._tree = tree
        self._top = top

    def __call__(self) -> frozenset[str]:
        """The paths of the tree; UsageFailure when the work tree or the index holds anything else."""
        if staged := staged_paths(self._git, self._tree):
            raise UsageFailure(f"the index differs from the commit ({some_of(staged, _NAMED)})", _COMMIT_FIRST)
        self.entries = list_tree(self._git, self._tree)
        self.seen = photograph(self._git, self.entries, self._top)
        if self.seen.dirty:
            raise UsageFailure(
                f"the work tree differs from the commit ({some_of(self.seen.dirty, _NAMED)})", _COMMIT_FIRST
            )
        self.untracked = untracked(self._git, self._top)
        return frozenset(entry.path for entry in self.entries)


def _facts(subject: Subject, plan: RunPlan, run: RanTests, isolation: str, manifest_sha256: str) -> RunFacts:
    return RunFacts(
        tree=subject.tree,
        base_tree=subject.base_tree,
        commit=subject.commit,
        author_job=subject.author_job,
        argv=plan.args,
        isolation=isolation,
        nonce=plan.nonce,
        tool=subject.tool,
        foreign_imports=run.foreign,
        manifest_sha256=manifest_sha256,
    )


def _manifest_sha256(git: Git, entries: tuple[TreeEntry, ...]) -> str:
    oid = next((entry.oid for entry in entries if entry.path == MANIFEST_PATH), "")
    if not oid:
        return ""
    with Objects(git) as objects:
        return sha256(objects.read(oid, "blob")).hexdigest()


def _record(ledger: Ledger, run: RanTests, facts: RunFacts, notes: tuple[str, ...]) -> CaptureResult:
    """Store the packet, a failed one too: it says that this tree was tried."""
    packet = conclude(run.report, facts)
    line = encode_envelope(unsigned(packet_payload(packet)))
    ledger.append(PACKETS, (Entry(packet.tree, line),))
    status = EXIT_ALLOW if packet.is_pass() else EXIT_REJECTED
    return CaptureResult(packet, True, judge(run.report, run.foreign), notes, status)


def _unrecorded(run: RanTests, facts: RunFacts, note: str) -> CaptureResult:
    findings = judge(run.report, run.foreign)
    return CaptureResult(conclude(run.report, facts), False, findings, (note,), EXIT_UNDECIDED)


def _untracked_notes(others: Untracked) -> tuple[str, ...]:
    if not others.paths:
        return ()
    return (f"files that git does not track were there during the run: {some_of(others.paths, _NAMED)}",)
