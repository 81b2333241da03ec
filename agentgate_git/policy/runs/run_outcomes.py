"""How the tests of one run came out, in the form that two runs are compared in."""

from __future__ import annotations

from collections.abc import Mapping

from agentgate_git.model.packet import ERROR, FAILED, PASSED, XPASSED, Packet, RunReport
from agentgate_git.model.record import Record

# What says something about the code: the test ran to an end of its own.
SPEAKS = frozenset((PASSED, FAILED, ERROR, XPASSED))
IS_RED = frozenset((FAILED, ERROR))


class RunOutcomes(Record):
    """Outcomes by node id; `deselected` and `strict_xfails` as in RunReport."""

    outcomes: Mapping[str, str]
    deselected: frozenset[str] = frozenset()
    strict_xfails: frozenset[str] = frozenset()


def outcomes_of_packet(packet: Packet) -> RunOutcomes:
    """What a packet says of each test; no outcomes at all where it could not keep them."""
    rows = (line.partition(" ") for line in packet.outcome_lines)
    outcomes = {test: outcome for outcome, _, test in rows}
    return RunOutcomes(outcomes, frozenset(packet.deselected), frozenset(packet.strict_xfails))


def outcomes_of_report(report: RunReport) -> RunOutcomes:
    """What a run says of each test; of an id that ran twice, what it said last."""
    return RunOutcomes(dict(report.outcomes), frozenset(report.deselected), frozenset(report.strict_xfails))
