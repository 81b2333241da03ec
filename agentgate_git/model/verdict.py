"""What re-deriving a packet showed, and what follows from it."""

from __future__ import annotations

from agentgate_git.model.actor import Classification
from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record

REPRODUCED = "REPRODUCED"
STALE = "STALE"
FAILED = "FAILED"

DRIFT_FIELDS = ("tree", "tests", "node_count", "interpreter", "env", "manifest", "argv", "isolation")

RUNG_TREE = "tree"
RUNG_NONE = "none"

REPLAY_GREEN = "REPLAY_GREEN"
REPLAY_RED = "REPLAY_RED"
REPLAYS = (REPLAY_GREEN, REPLAY_RED)
MAX_NAMED = 500


class EvidenceRef(Record):
    """A line that was used: where it is kept, which commit it names, and who vouches for it."""

    kind: str
    object: Oid
    commit: Oid
    sha256: str
    signed_by: str
    recorded_in: Oid = ""


class DriftDetail(Record):
    """One drifted field: what the packet says, what was derived now."""

    field: str
    recorded: str
    derived: str


class FileDrift(Record):
    """How the test ids of one file differ; ids are empty when the packet did not keep them."""

    path: str
    recorded_count: int
    derived_count: int
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class BaseComparison(Record):
    """What the runs of the base say about the head. `replay` is one of REPLAYS, empty when nothing was replayed.

    `failed` names base tests that are red on the head's code, as many as MAX_NAMED; `not_replayable` are changed
    files of the head that hold tests beside code; `notes` say what was compared, and what could not be.
    """

    replay: str = ""
    failed: tuple[str, ...] = ()
    not_replayable: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class VerifyResult(Record):
    """The answer for one revision; `decision` is ALLOW or exactly one code, `verdict` may be empty.

    `sealed_run` is what the merge rule answers for its sealed runs, empty where there is none and none is demanded.
    """

    rev: str
    commit: Oid
    tree: Oid
    base: Oid
    base_tree: Oid
    decision: str
    verdict: str
    message: str
    next_step: str
    exit_status: int
    drifted: tuple[str, ...] = ()
    drift_detail: tuple[DriftDetail, ...] = ()
    test_drift: tuple[FileDrift, ...] = ()
    rung: str = RUNG_NONE
    evidence: tuple[EvidenceRef, ...] = ()
    findings: tuple[Finding, ...] = ()
    authorship: tuple[Classification, ...] = ()
    has_rerun: bool = False
    policy_note: str = ""
    with_base: BaseComparison = BaseComparison()
    sealed_run: str = ""


class CheckResult(Record):
    """The answer of `check` and `scan`: findings, who made what, and the exit status.

    `evidence` are the adoptions that a finding was let through by.
    """

    findings: tuple[Finding, ...]
    commits: tuple[Classification, ...]
    exit_status: int
    notes: tuple[str, ...] = ()
    evidence: tuple[EvidenceRef, ...] = ()
