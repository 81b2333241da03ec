"""What a sealed run leaves in the ledger: the seal, the credit and the log that cite it, a freeze that cites both.

`tree` and `base_tree` are the change that was run, `commit` is a hint at where the tree was seen, empty when unknown.
Times are RFC 3339 with `Z` and claims. A line is named by the sha256 of its text.
"""

from __future__ import annotations

from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.model.run_record import Credit, Freeze


class SealedInput(Record):
    """A file that can change an outcome: its path in the tree, its size in bytes, and the sha256 of those."""

    path: str
    size: int
    sha256: str


class Seal(Record):
    """All inputs of a run, written down before its tests start.

    `inputs` are in the order of their paths, and `inputs_sha256` is over them; where there were too many to keep,
    `inputs` is empty, and `input_count` tells. `pins` pairs the name of each pin with its value, seed, clock and locale
    among them. `manifest_sha256` is over the bytes of `entropy.yaml`, empty without one.
    """

    tree: Oid
    base_tree: Oid
    commit: Oid
    proposal_id: str
    author_job: str
    runner_job: str
    inputs: tuple[SealedInput, ...]
    input_count: int
    inputs_sha256: str
    pins: tuple[tuple[str, str], ...]
    manifest_sha256: str
    sealed_at: str


# Probes: the patch does not apply twice; a bound of a changed line that is moved by one is noticed; with a symbol put
# back to what it was, the old failure can be reached.
IDEMPOTENCE = "idempotence"
BOUNDARY = "boundary"
ABSENCE = "absence"


class Probe(Record):
    """One assertion beside credit: `name` is IDEMPOTENCE, BOUNDARY or ABSENCE; `detail` says what was tried.

    `symbol` is empty for what is about the whole patch. A probe that does not hold is told and decides nothing.
    """

    name: str
    symbol: str
    is_held: bool
    detail: str


class ScoredCredit(Record):
    """What the changed symbols earned in a sealed run; the `digest` of the credit is the name of the seal's line."""

    tree: Oid
    base_tree: Oid
    commit: Oid
    runner_job: str
    credit: Credit
    scored_at: str
    probes: tuple[Probe, ...] = ()


class FiledFreeze(Record):
    """A freeze as somebody filed it; its `runner_digest` is the name of the seal's line. `reason` is free text."""

    tree: Oid
    base_tree: Oid
    commit: Oid
    freeze: Freeze
    reason: str
    filed_at: str


class RunLogs(Record):
    """What the tests of a sealed run printed; `seal_sha256` is the name of the seal's line.

    `log_sha256` and `size`, in bytes, are of the whole log, which stays with the runner. `tail` is the text of its end,
    at most MAX_LOG_TAIL bytes of UTF-8, with U+FFFD for bytes that are none.
    """

    tree: Oid
    base_tree: Oid
    commit: Oid
    runner_job: str
    seal_sha256: str
    log_sha256: str
    size: int
    tail: str
    published_at: str


class SignedSeal(Record):
    """A seal, the name of its line, and the principals whose signature on it is good."""

    seal: Seal
    sha256: str
    signers: tuple[str, ...]


class SealedRun(Record):
    """A credit and the seal that it cites; `signers` are the principals who signed the line of either.

    `credit_sha256` is the name of the credit's line.
    """

    seal: SignedSeal
    credit: ScoredCredit
    credit_signers: tuple[str, ...]
    credit_sha256: str

    @property
    def signers(self) -> tuple[str, ...]:
        """Of the seal first."""
        return (*self.seal.signers, *self.credit_signers)


class SignedLogs(Record):
    """The log of a run, the name of its line, the seal that it cites, and the principals who signed the line.

    `seal` is None when it is not kept here.
    """

    logs: RunLogs
    sha256: str
    seal: SignedSeal | None
    signers: tuple[str, ...]


class JudgedFreeze(Record):
    """A line of the freezes of a tree: `problem` completes "it …" and is empty when the freeze counts.

    `filed` is None for a line that is no freeze; `principals` are those that it counts by, `signers` all whose
    signature on it is good.
    """

    sha256: str
    filed: FiledFreeze | None
    principals: tuple[str, ...] = ()
    problem: str = ""
    signers: tuple[str, ...] = ()


class RunLog(Record):
    """What `logs` answers: ALLOW with a log, or a code with its reason and next step.

    `data` is the whole log, or with `is_whole` False the bytes of its tail. `problem` says why its signatures do not
    count, completing "the line …"; empty when they do. `others` counts further logs that could be shown.
    """

    code: str
    reason: str = ""
    next_step: str = ""
    logs: SignedLogs | None = None
    data: bytes = b""
    is_whole: bool = False
    problem: str = ""
    others: int = 0
