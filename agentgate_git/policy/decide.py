"""The one decision: ALLOW, or exactly one code. One ordered list of checks; the first that objects decides.

Monotonic: ALLOW needs a packet that is there and passes, so losing a record can only make the answer stricter.
"""

from __future__ import annotations

from collections.abc import Callable

from agentgate_git.model import code
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import FAILED, REPRODUCED, STALE

# In which order the reasons why a run is no pass are told: a run that did not end says little about the rest.
RUN_CODES = (
    code.RUN_INCOMPLETE,
    code.FOREIGN_IMPORT,
    code.SELECTION_DRIFT,
    code.UNSTABLE_IDS,
    code.TESTS_FAILED,
    code.NOT_REPRODUCED,
)


class Facts(Record):
    """What is known when a proposal is decided; the default of every field is the strictest.

    `gate_codes` are the codes of blocking findings. `has_packet` says that a packet of a run that passed is kept
    under this tree; `packet_codes` are those of packets for this tree when none passed; `has_nearest` that there is
    a packet for another tree of the proposal. `drifted` are field names that no longer hold. `run_codes` are those
    of the run just made (`has_rerun`), or of the collection where nothing was run; `lost` counts tests that passed
    for the packet and not in that run. `run_code` is what the merge rule answers for the sealed run that the policy
    demands, ALLOW where it demands none. `base_codes` are those of blocking findings from comparing with the base's
    runs.
    """

    gate_codes: tuple[str, ...] = ()
    has_packet: bool = False
    packet_codes: tuple[str, ...] = ()
    has_nearest: bool = False
    drifted: tuple[str, ...] = ()
    has_rerun: bool = False
    run_codes: tuple[str, ...] = ()
    lost: int = 0
    run_code: str = code.NO_EVIDENCE
    base_codes: tuple[str, ...] = ()


class Decision(Record):
    """`code` is ALLOW or one code; `verdict` what re-deriving the packet showed, empty when nothing was."""

    code: str
    verdict: str
    exit_status: int


def decide(facts: Facts) -> Decision:
    """The answer to all facts together."""
    for check in CHECKS:
        found = check(facts)
        if found is not None:
            name, verdict = found
            return Decision(name, verdict, code.exit_of(name))
    return Decision(code.ALLOW, REPRODUCED if facts.has_rerun else "", code.exit_of(code.ALLOW))


_Answer = tuple[str, str] | None


def _blocked_by_the_gate(facts: Facts) -> _Answer:
    return (_first(facts.gate_codes, tuple(code.CODES)), "") if facts.gate_codes else None


def _no_evidence(facts: Facts) -> _Answer:
    is_empty = not (facts.has_packet or facts.packet_codes or facts.has_nearest)
    return (code.NO_EVIDENCE, "") if is_empty else None


def _only_failed_packets(facts: Facts) -> _Answer:
    is_failed = bool(facts.packet_codes) and not facts.has_packet
    return (_first(facts.packet_codes, RUN_CODES), FAILED) if is_failed else None


def _stale(facts: Facts) -> _Answer:
    return (code.STALE, STALE) if facts.drifted or not facts.has_packet else None


def _failed_again(facts: Facts) -> _Answer:
    return (_first(facts.run_codes, RUN_CODES), FAILED) if facts.run_codes else None


def _not_reproduced(facts: Facts) -> _Answer:
    return (code.NOT_REPRODUCED, FAILED) if facts.lost else None


def _refused_by_the_merge_rule(facts: Facts) -> _Answer:
    if facts.run_code == code.ALLOW:
        return None
    return (facts.run_code, REPRODUCED if facts.has_rerun else "")


def _blocked_by_the_base(facts: Facts) -> _Answer:
    is_reproduced = REPRODUCED if facts.has_rerun else ""
    return (_first(facts.base_codes, tuple(code.CODES)), is_reproduced) if facts.base_codes else None


CHECKS: tuple[Callable[[Facts], _Answer], ...] = (
    _blocked_by_the_gate,
    _no_evidence,
    _only_failed_packets,
    _stale,
    _failed_again,
    _not_reproduced,
    _refused_by_the_merge_rule,
    _blocked_by_the_base,
)


def _first(names: tuple[str, ...], order: tuple[str, ...]) -> str:
    """The name that comes first in `order`; names that are not in it come last."""
    return min(names, key=lambda name: order.index(name) if name in order else len(order))
