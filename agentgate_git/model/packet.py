"""The packet: what one test run claims, in fields that can be derived again."""

from __future__ import annotations

from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record

PASSED = "passed"
FAILED = "failed"
ERROR = "error"
SKIPPED = "skipped"
XFAILED = "xfailed"
XPASSED = "xpassed"
NOT_RUN = "not_run"
OUTCOMES = (PASSED, FAILED, ERROR, SKIPPED, XFAILED, XPASSED, NOT_RUN)

IN_PLACE = "in-place"
SCRATCH = "scratch"
BOXED = "bubblewrap"  # likewise laid out in scratch, and run in a sandbox; the other two have none


class RunReport(Record):
    """What the pytest plugin and the parent saw of one run, before anything is concluded.

    `selected` are the node ids after collection in order, duplicates kept; `outcomes` pairs each id with
    one of OUTCOMES, in the same order; `trimmed` are ids that vanished from the collected list without
    being reported as deselected. `exit_status` is the process's, `session_status` pytest's own, -1 when it
    was never reported; `main_status` is what `pytest.main` gave back, -1 when it never did. `is_finished` is
    True when both the session and `pytest.main` said so with the right nonce. `origins` pairs module names
    with the file each was loaded from. `unstable` are ids that not every worker collected; `problems` say
    what the parent saw go wrong, each a clause without a full stop. `strict_xfails` are the ids of those that were
    expected to fail and fail the run by passing, whether they did one or the other. `running` is the id of the test
    that a run which did not finish was at, empty when that is not known.
    """

    selected: tuple[str, ...] = ()
    deselected: tuple[str, ...] = ()
    trimmed: tuple[str, ...] = ()
    outcomes: tuple[tuple[str, str], ...] = ()
    reruns: tuple[str, ...] = ()
    collect_errors: tuple[str, ...] = ()
    warnings: int = 0
    interpreter: str = ""
    platform: str = ""
    plugins: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    origins: tuple[tuple[str, str], ...] = ()
    exit_status: int = -1
    session_status: int = -1
    is_finished: bool = False
    started_at: str = ""
    finished_at: str = ""
    main_status: int = -1
    unstable: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    strict_xfails: tuple[str, ...] = ()
    running: str = ""


class Packet(Record):
    """One run of one tree. Digests are lower-case hex sha256; times are RFC 3339 with `Z`.

    `codes` is empty for a pass and otherwise names every reason why the run is not one, in the order of
    runner/conclude.py. `tests_by_file` rows are (path, count, first 16 digits of the sha256 over that file's ids).
    `tests_sha256` is over the sorted ids joined by newlines; `outcomes_sha256` over sorted `outcome id` lines;
    `outcome_lines` holds those lines, empty when they were too many to keep. `deselected` and `strict_xfails` (see
    RunReport) are sorted and cut where they become too long. `seal_sha256` names the line of the seal that the run was
    made under, empty for a run without one.
    """

    tree: Oid
    base_tree: Oid
    commit: Oid
    author_job: str
    codes: tuple[str, ...]
    tests_sha256: str
    node_count: int
    tests_by_file: tuple[tuple[str, int, str], ...]
    outcomes_sha256: str
    outcomes: tuple[tuple[str, int], ...]
    outcome_lines: tuple[str, ...]
    failed: tuple[str, ...]
    trimmed: tuple[str, ...]
    deselected_count: int
    reruns: tuple[str, ...]
    warnings: int
    interpreter: str
    platform: str
    argv: tuple[str, ...]
    plugins: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    isolation: str
    untracked_count: int
    untracked_sha256: str
    foreign_imports: tuple[tuple[str, str], ...]
    manifest_sha256: str
    exit_status: int
    nonce: str
    tool: str
    started_at: str
    finished_at: str
    deselected: tuple[str, ...] = ()
    strict_xfails: tuple[str, ...] = ()
    seal_sha256: str = ""

    def is_pass(self) -> bool:
        """True when nothing was found that keeps the run from being a pass."""
        return not self.codes

    def names_all_failed(self) -> bool:
        """True when every test that failed stands in `failed`, which is cut where it becomes too long."""
        return sum(count for outcome, count in self.outcomes if outcome in (FAILED, ERROR)) <= len(self.failed)


class CaptureResult(Record):
    """What a capture came to: `findings` are the reasons why it is no pass, `notes` what else is worth saying.

    A packet that was not stored (`is_recorded` is False) must not be used for anything.
    """

    packet: Packet
    is_recorded: bool
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    exit_status: int
