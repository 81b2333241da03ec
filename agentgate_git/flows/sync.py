"""`sync`: exchange evidence with a remote, as a union of lines, so that neither side loses any.

Everything known of the remote is united into the local refs before anything else moves. So a remote whose notes
were rewritten can be followed: its tracking ref is dropped only when the local ref holds all that it held, and the
next push brings the lost lines back.
"""

from __future__ import annotations

from collections.abc import Callable

from agentgate_git.evidence.lock import pause
from agentgate_git.flows.ports import SharedLedger
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.evidence import KINDS, MergeReport, ref_of
from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.model.transfer import Progress
from agentgate_git.repo.remote import PushStatus, Remote
from agentgate_git.repo.tracking import Tracking

ATTEMPTS = 6
_FIRST_PAUSE = 0.1


class FetchReport(Record):
    """What came in: lines gained by kind, and the kinds whose history on the remote was rewritten.

    `left_out` counts, by kind, the objects of which something was too large to take in.
    """

    gained: tuple[tuple[str, int], ...]
    rewritten: tuple[str, ...] = ()
    left_out: tuple[tuple[str, int], ...] = ()


class SyncReport(Record):
    """What came in and what went out; `attempts` counts the pushes that were tried."""

    fetched: FetchReport
    pushed: tuple[str, ...]
    attempts: int


def connect(
    workspace: Workspace, name: str, progress: Callable[[Progress], None] | None = None
) -> tuple[Remote, Tracking]:
    """A configured remote, and what its notes refs held when we last looked."""
    return Remote(workspace.clone, name, workspace.environ, progress), Tracking(workspace.clone, name)


def fetch(ledger: SharedLedger, remote: Remote, tracking: Tracking) -> FetchReport:
    """Bring in what the remote has."""
    gained = {kind: report.gained for kind, report in _unite(ledger, tracking).items()}
    before = tracking.tips()
    if not remote.fetch(tracking.refspec()):
        _forget_refused(remote, tracking, before)
        if not remote.fetch(tracking.refspec()):
            raise Undecided(f"the notes of {remote.name} could not be fetched", "run it again")
    after = tracking.tips()
    rewritten = tuple(
        kind for kind, seen in before.items() if kind in after and not tracking.follows(seen, after[kind])
    )
    reports = _unite(ledger, tracking)
    for kind, report in reports.items():
        gained[kind] = gained.get(kind, 0) + report.gained
    left_out = tuple((kind, report.left_out) for kind, report in reports.items() if report.left_out)
    return FetchReport(tuple(item for item in gained.items() if item[1]), rewritten, left_out)


def sync(ledger: SharedLedger, remote: Remote, tracking: Tracking) -> SyncReport:
    """Fetch, unite, push; again while the remote refuses, because somebody else was faster, or for any other reason."""
    gained: dict[str, int] = {}
    rewritten: dict[str, None] = {}
    left_out: dict[str, int] = {}
    pushed: dict[str, None] = {}
    refused: list[PushStatus] = []
    for attempt in range(ATTEMPTS):
        if attempt:
            pause(_FIRST_PAUSE * 2**attempt)
        fetched = fetch(ledger, remote, tracking)
        rewritten.update(dict.fromkeys(fetched.rewritten))
        left_out.update(fetched.left_out)
        for kind, count in fetched.gained:
            gained[kind] = gained.get(kind, 0) + count
        done, refused = _push(ledger, remote, tracking)
        pushed.update(dict.fromkeys(done))
        if not refused:
            came = FetchReport(tuple(gained.items()), tuple(rewritten), tuple(left_out.items()))
            return SyncReport(came, tuple(pushed), attempt + 1)
    told = ", ".join(f"{status.ref} ({status.reason})" for status in refused)
    raise Undecided(
        f"{remote.name} refused {told} in {ATTEMPTS} attempts; nothing is lost, the records are in this repository",
        "see who may push refs/notes/agentgate/*, then run sync again",
    )


def _unite(ledger: SharedLedger, tracking: Tracking) -> dict[str, MergeReport]:
    return {kind: ledger.merge(kind, tip) for kind, tip in tracking.tips().items() if kind in KINDS}


def _forget_refused(remote: Remote, tracking: Tracking, seen: dict[str, Oid]) -> None:
    """Drop the tracking refs that stood in the way; what they held is in the local refs."""
    there = remote.refs(ref_of("*"))
    for kind, tip in seen.items():
        if there.get(ref_of(kind), tip) != tip:
            tracking.forget(kind, tip)


def _push_each(remote: Remote, wanted: dict[str, Oid]) -> tuple[PushStatus, ...]:
    """Push all at once; a server may refuse a whole push for one ref, so what it refused is pushed by itself again."""
    statuses = remote.push(wanted)
    if len(wanted) == 1 or all(status.is_done() for status in statuses):
        return statuses
    return tuple(
        status if status.is_done() else remote.push({status.ref: wanted[status.ref]})[0] for status in statuses
    )


def _push(ledger: SharedLedger, remote: Remote, tracking: Tracking) -> tuple[list[str], list[PushStatus]]:
    """Push the kinds that the remote does not hold as we do: those that went, and the refusals."""
    seen = tracking.tips()
    tips = {kind: tip for kind in KINDS if (tip := ledger.settle(kind)) and tip != seen.get(kind)}
    if not tips:
        return [], []
    kinds = {ref_of(kind): kind for kind in tips}
    statuses = _push_each(remote, {ref: tips[kind] for ref, kind in kinds.items()})
    done = [kinds[status.ref] for status in statuses if status.is_done()]
    for kind in done:
        tracking.record(kind, tips[kind], seen.get(kind))
    return done, [status for status in statuses if not status.is_done()]
