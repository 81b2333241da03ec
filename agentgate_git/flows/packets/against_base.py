"""The head's run against the base's: tests that fell silent, and the base's tests on the head's code.

Every run is made at most once and only when its answer can matter (docs/adr/0015-base-tests-on-new-code.md). Stored
packets can accuse; what excuses a test is a run of our own.
"""

from __future__ import annotations

from functools import cached_property

from agentgate_git.flows.packets.outcome_diff import is_alike, silenced_since, sources_of
from agentgate_git.flows.packets.replay import Runs, not_replayable, overlay_of
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.commit import Proposal
from agentgate_git.model.finding import WARN, Finding
from agentgate_git.model.packet import Packet, RunReport
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import MAX_NAMED, REPLAY_GREEN, REPLAY_RED, BaseComparison, EvidenceRef
from agentgate_git.policy.runs.base_tests import FailingTest, base_tests_findings, failing_base_tests, is_red
from agentgate_git.policy.runs.run_outcomes import outcomes_of_packet, outcomes_of_report
from agentgate_git.policy.runs.test_silenced import Silenced, Sources, silenced_findings, silenced_tests


class Wanted(Record):
    """`runs_base` and `replays` are what was asked for; `replays_if_touched` replays a change of the test side.

    `may_run` says that tests may be run to make sure. `is_by_agent` is whose work it is.
    """

    runs_base: bool = False
    replays: bool = False
    replays_if_touched: bool = False
    may_run: bool = False
    is_by_agent: bool = False


class HeadRun(Record):
    """The packet that speaks for the head; `is_ours` when it was made here and now."""

    packet: Packet
    is_ours: bool


class Compared(Record):
    """What came out, the findings that follow, and the adoptions that let some of them through."""

    with_base: BaseComparison = BaseComparison()
    findings: tuple[Finding, ...] = ()
    evidence: tuple[EvidenceRef, ...] = ()


def compare_with_base(
    workspace: Workspace,
    proposal: Proposal,
    head: HeadRun,
    packets: tuple[Packet, ...],
    wanted: Wanted,
    runs: Runs,
) -> Compared:
    """Compare the head with its base; `packets` are those kept for the base's tree."""
    if not proposal.base:
        return _nothing("there is no base to compare with")
    if not head.packet.outcome_lines:
        return _nothing("the head's packet kept no outcomes to compare with the base")
    comparison = _Comparison(workspace, proposal, head, wanted, runs)
    notes, silenced = comparison.silenced(packets)
    replayed = comparison.replayed(packets)
    with_base = replayed.with_base._replace(notes=(*notes, *replayed.with_base.notes))
    return Compared(with_base, (*silenced_findings(silenced), *replayed.findings))


def _nothing(note: str) -> Compared:
    return Compared(BaseComparison(notes=(note,)))


class _Comparison:
    def __init__(self, workspace: Workspace, proposal: Proposal, head: HeadRun, wanted: Wanted, runs: Runs) -> None:
        self._workspace = workspace
        self._proposal = proposal
        self._head = head
        self._outcomes = outcomes_of_packet(head.packet)
        self._wanted = wanted
        self._runs = runs

    def _base_run(self) -> RunReport:
        return self._runs.of_base(self._proposal.base_tree)

    @cached_property
    def _sources(self) -> Sources:
        return sources_of(self._workspace, self._proposal)

    def silenced(self, packets: tuple[Packet, ...]) -> tuple[tuple[str, ...], tuple[Silenced, ...]]:
        """What fell silent, and what that was compared with."""
        base = f"the base tree {self._proposal.base_tree[:12]}"
        if self._wanted.runs_base:
            return (f"outcomes were compared with a run of {base}",), self._confirmed()
        kept = tuple(packet for packet in packets if packet.outcome_lines)
        if not kept:
            why = "the packets kept no outcomes" if packets else "there is no packet of it"
            return (f"outcomes were not compared with {base}: {why}",), ()
        alike = tuple(packet for packet in kept if is_alike(packet, self._head.packet))
        found = silenced_since(alike or kept, self._outcomes, self._sources)
        if found and self._wanted.may_run:
            return (f"outcomes were compared with a packet of {base}, and then with a run of it",), self._confirmed()
        if alike:
            return (f"outcomes were compared with a packet of {base}",), found
        note = f"outcomes were compared with a packet of {base} from other surroundings: what differs only warns"
        return (note,), tuple(one._replace(severity=WARN) for one in found)

    def _confirmed(self) -> tuple[Silenced, ...]:
        return silenced_tests(outcomes_of_report(self._base_run()), self._outcomes, self._sources)

    def replayed(self, packets: tuple[Packet, ...]) -> Compared:
        """What the base's tests say of the head's code, run only where that is not known already."""
        if not (self._wanted.replays or self._wanted.replays_if_touched):
            return Compared(BaseComparison())
        known = (test for packet in packets for test in outcomes_of_packet(packet).outcomes)
        overlaid = overlay_of(self._workspace, self._proposal, (*self._outcomes.outcomes, *known))
        if overlaid.is_head and not self._wanted.replays:
            return Compared(BaseComparison())
        if overlaid.is_head and self._head.is_ours:
            return Compared(
                BaseComparison(
                    REPLAY_GREEN,
                    not_replayable=not_replayable(overlaid, self._outcomes.outcomes),
                    notes=("the tests are the base's own, so the head's run is the replay",),
                )
            )
        report = self._base_run() if overlaid.is_base else self._runs.of_overlay(overlaid)
        failing = self._failing(report)
        return Compared(
            BaseComparison(
                REPLAY_RED if failing else REPLAY_GREEN,
                tuple(one.test for one in failing[:MAX_NAMED]),
                not_replayable(overlaid, (*report.selected, *self._outcomes.outcomes)),
                () if len(failing) <= MAX_NAMED else (f"{len(failing)} tests of the base fail on the head's code",),
            ),
            base_tests_findings(failing, is_by_agent=self._wanted.is_by_agent),
        )

    def _failing(self, report: RunReport) -> tuple[FailingTest, ...]:
        if not is_red(report):
            return ()
        return failing_base_tests(report, outcomes_of_report(self._base_run()), self._outcomes)
