"""Stored packets against what the tree gives now: the one that drifts least is the one a verdict is about."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.flows.packets.rederive import Rederived, rederive
from agentgate_git.flows.packets.runs import RunPlan
from agentgate_git.flows.packets.stored import StoredPacket
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.commit import Proposal
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import IN_PLACE, PASSED, SCRATCH, Packet
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import DriftDetail, FileDrift
from agentgate_git.policy.runs.drift import drift_of, tests_drift


class Comparison(Record):
    """The packet that agrees best, how it drifts, and what was derived; `derived` is None when nothing was."""

    chosen: StoredPacket
    drift: tuple[DriftDetail, ...]
    tests: tuple[FileDrift, ...] = ()
    derived: Rederived | None = None

    def has_rerun(self) -> bool:
        """True when the tests were run again."""
        return self.derived is not None and self.derived.has_run

    def is_good(self) -> bool:
        """True when nothing that was derived stands against the packet."""
        return not self.drift and not self.lost() and not (self.derived and self.derived.findings)

    def lost(self) -> int:
        """How many tests passed for the packet and did not pass now; by count where ids were not kept."""
        if self.derived is None or not self.derived.has_run:
            return 0
        recorded, derived = self.chosen.packet, self.derived.packet
        if recorded.outcome_lines and derived.outcome_lines:
            passed = {line for line in recorded.outcome_lines if line.startswith(f"{PASSED} ")}
            return len(passed - set(derived.outcome_lines))
        before, now = dict(recorded.outcomes).get(PASSED, 0), dict(derived.outcomes).get(PASSED, 0)
        return max(0, before - now)


def compare_unrun(stored: tuple[StoredPacket, ...], tree: Oid, args: tuple[str, ...]) -> Comparison:
    """What can be said without running anything: whether it is the same tree, run with the policy's arguments."""
    first, recorded = stored[0], stored[0].packet
    derived = recorded._replace(tree=tree, argv=args if first.has_other_arguments(args) else recorded.argv)
    return Comparison(first, drift_of(recorded, derived))


def compare_derived(
    workspace: Workspace, proposal: Proposal, plan: RunPlan, stored: tuple[StoredPacket, ...], *, may_run: bool
) -> Comparison:
    """Collect the tree's tests, compare, and run them when nothing drifted and they may be run."""
    found: list[tuple[StoredPacket, tuple[DriftDetail, ...]]] = []

    def wants_run(derived: Packet) -> bool:
        found.append(_least_drifted(stored, derived))
        return may_run and not found[0][1]

    derived = rederive(workspace, proposal, plan, wants_run)
    if not found:  # collection came to no end: there is nothing to compare, and no pass
        return Comparison(stored[0], (), (), derived)
    chosen, drift = found[0]
    if drift:
        return Comparison(chosen, drift, tests_drift(chosen.packet, derived.packet, derived.ids), derived)
    return min(_undrifted(stored, derived), key=Comparison.lost)


def _undrifted(stored: tuple[StoredPacket, ...], derived: Rederived) -> Iterator[Comparison]:
    """Every packet that holds: one of them reproduced whole is enough, and losing the others changes nothing."""
    for one in stored:
        if not drift_of(one.packet, _isolated_as(one.packet, derived.packet)):
            yield Comparison(one, (), (), derived)


def _least_drifted(stored: tuple[StoredPacket, ...], derived: Packet) -> tuple[StoredPacket, tuple[DriftDetail, ...]]:
    compared = [(one, drift_of(one.packet, _isolated_as(one.packet, derived))) for one in stored]
    return min(compared, key=lambda pair: len(pair[1]))


def _isolated_as(recorded: Packet, derived: Packet) -> Packet:
    """We run in scratch; a packet of a run in place is as good, a word that we do not know is not."""
    return derived._replace(isolation=recorded.isolation) if recorded.isolation in (IN_PLACE, SCRATCH) else derived
