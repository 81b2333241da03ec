"""`decide` from notes: the merge rule over the sealed runs that are kept about a proposal.

One run that holds is enough, so that no line beside it, and no order of lines, can take anything away. That logs came
after the seal needs no flag here: whatever cites a seal was written when the seal was there.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.flows.check import judge
from agentgate_git.flows.sealed.change_class import class_of
from agentgate_git.flows.sealed.sealed_runs import SealedRuns
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model import code
from agentgate_git.model.commit import Proposal
from agentgate_git.model.instant import instant_of
from agentgate_git.model.packet import Packet
from agentgate_git.model.run_evidence import SealedRun, SignedSeal
from agentgate_git.model.run_record import SEALED, RunDecision, RunRecord
from agentgate_git.policy.runs.merge_rule import RunFacts
from agentgate_git.policy.runs.sealed_run import decide_sealed

_SEAL_IT = "have a runner seal and run it (`git agentgate run`), or run `git agentgate sync`"
_Signed = tuple[Packet, tuple[str, ...]]


def decide_revision(workspace: Workspace, rev: str, base: str, now: str) -> RunDecision:
    """ALLOW or one code for the proposal that ends at a revision; `now` is RFC 3339 with `Z`."""
    return decide_with_gate(workspace, workspace.proposals.of_revision(rev, base), now)


def decide_with_gate(workspace: Workspace, proposal: Proposal, now: str, seal_sha256: str = "") -> RunDecision:
    """The same for a proposal. No run earns what the gate blocks: tests that bite can ask for the wrong thing."""
    decision = decide_proposal(workspace, proposal, now, seal_sha256)
    if decision.code != code.ALLOW:
        return decision
    blocking = (one for one in judge(workspace, proposal).findings if one.is_blocking())
    return next((RunDecision(one.code, f"the gate blocks {one.path}: {one.message}") for one in blocking), decision)


def decide_proposal(workspace: Workspace, proposal: Proposal, now: str, seal_sha256: str = "") -> RunDecision:
    """The merge rule over the runs of a proposal; over those of one seal where the sha256 of its line is given."""
    known = SealedRuns(workspace, proposal, now)
    answers = tuple(_Deciding(workspace, proposal, known, now).answers(seal_sha256)) if known.seals else ()
    nothing = RunDecision(code.NO_EVIDENCE, "no seal is kept for this tree on this base", _SEAL_IT)
    return next((one for one in answers if one.code == code.ALLOW), answers[0] if answers else nothing)


class _Deciding:
    """What is the same for every run of one proposal."""

    def __init__(self, workspace: Workspace, proposal: Proposal, known: SealedRuns, now: str) -> None:
        self._change = class_of(workspace, proposal)
        self._known = known
        self._now = instant_of(now) or 0
        self._packets = tuple(known.packets())
        filed = (one.filed for one in known.judged() if not one.problem)
        self._freezes = tuple(one.freeze for one in filed if one is not None)

    def answers(self, only: str) -> Iterator[RunDecision]:
        """One for each seal with each credit and packet that its runner signed; untrusted ones only without these."""
        for seal in self._known.seals.values():
            if only not in ("", seal.sha256):
                continue
            runs = [run for run in self._known.runs if run.seal.sha256 == seal.sha256]
            packets = [one for one in self._packets if one[0].seal_sha256 == seal.sha256]
            trusted = [run for run in runs if self._is_trusted(seal, run.credit_signers)]
            believed = [one for one in packets if self._is_trusted(seal, one[1])]
            for run in trusted or runs[:1] or (None,):
                for packet in believed or packets[:1] or (None,):
                    yield self._answer(seal, run, packet)

    def _is_trusted(self, seal: SignedSeal, signers: tuple[str, ...]) -> bool:
        return self._known.signing_problem(seal.signers, signers) is None

    def _answer(self, seal: SignedSeal, run: SealedRun | None, packet: _Signed | None) -> RunDecision:
        lines = (seal.signers, *((run.credit_signers,) if run else ()), *((packet[1],) if packet else ()))
        problem = self._known.signing_problem(*lines)
        if problem is not None:
            return problem
        record = RunRecord(
            author_job=seal.seal.author_job,
            runner_job=seal.seal.runner_job,
            digest_status=SEALED,
            logs_present=False,
            failed_tests=_failed(packet[0]) if packet else None,
        )
        facts = RunFacts(record, run.credit.credit if run else None, None, self._now, self._change)
        codes = tuple(one for one in packet[0].codes if one != code.TESTS_FAILED) if packet else (code.RUN_INCOMPLETE,)
        return decide_sealed(facts, self._freezes, codes)


def _failed(packet: Packet) -> tuple[str, ...]:
    """What failed, with a test without a name where the packet counts more than it lists."""
    is_short = not packet.names_all_failed() or (code.TESTS_FAILED in packet.codes and not packet.failed)
    return (*packet.failed, "") if is_short else packet.failed
