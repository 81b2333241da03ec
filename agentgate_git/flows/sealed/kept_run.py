"""What a sealed run leaves in the ledger: lines that one runner signs, in an order that proves what came first."""

from __future__ import annotations

from collections.abc import Callable

from agentgate_git.flows.packets.record_verdict import payload_of
from agentgate_git.flows.sealed.run_logs import OpenRun, publish_logs
from agentgate_git.flows.sealed.seal import is_same_run, seals_of_job
from agentgate_git.flows.sealed.sealed_runs import SealedRuns
from agentgate_git.flows.signers.signing import signed_line
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model import code
from agentgate_git.model.commit import Proposal
from agentgate_git.model.evidence import CREDITS, LOGS, PACKETS, SEALS, VERDICTS, Entry, Line
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.packet import Packet
from agentgate_git.model.paths import SIGNERS_PATH
from agentgate_git.model.run_evidence import ScoredCredit, Seal, SignedSeal
from agentgate_git.model.run_record import RunDecision
from agentgate_git.model.verdict import RUNG_TREE, EvidenceRef, VerifyResult
from agentgate_git.wire.packet_statement import packet_payload
from agentgate_git.wire.run_statements import credit_payload, seal_payload
from agentgate_git.wire.statement import Unreadable
from agentgate_git.wire.verdict_statement import read_verdict

# Who says so, in the verdict of a run.
_VERIFIER = "urn:agentgate-git:run"


class KeptRun:
    """Keeps one run. `key` signs it, empty for the key that commits are signed with."""

    def __init__(self, workspace: Workspace, proposal: Proposal, key: str, clock: Callable[[], str]) -> None:
        self._workspace = workspace
        self._proposal = proposal
        self._key = key
        self._clock = clock
        self._ledger = workspace.ledger()
        self._used: list[tuple[str, str]] = []  # the lines that a verdict rests on: kind and name

    def seal(self, seal: Seal) -> SignedSeal | RunDecision:
        """Keep a seal, or find the one of an earlier call; a decision where this runner sealed other bytes before.

        UsageFailure for a key that nobody would believe: nothing is run for that.
        """
        line = self._signed(seal_payload(seal))
        runs = self._runs()
        if problem := runs.signing_problem(runs.signers_of(line)):
            step = f"have {SIGNERS_PATH} of the base branch enrol the key of a runner, and name it with --key"
            raise UsageFailure(f"this run would count for nothing: {problem.reason} ({runs.claims_of(line)})", step)
        for earlier, kept in seals_of_job(self._workspace, seal.proposal_id, seal.runner_job):
            signers = runs.signers_of(kept)
            if runs.signing_problem(signers) is not None:
                continue  # anybody may have written it
            if not is_same_run(earlier, seal):
                return RunDecision(
                    code.DIGEST_OPEN,
                    f"runner job {seal.runner_job!r} has sealed other bytes for proposal {seal.proposal_id!r}"
                    f" (tree {earlier.tree[:12]} on {earlier.base_tree[:12]})",
                    "run it under a name of its own: another --runner-job, or another --proposal",
                )
            self._used.append((SEALS, kept.sha256))
            return SignedSeal(earlier, kept.sha256, signers)
        self._append(SEALS, line)
        return SignedSeal(seal, line.sha256, runs.signers_of(line))

    def known(self, sealed: SignedSeal) -> tuple[ScoredCredit, Packet] | None:
        """What an earlier call kept under the seal, when it came to its end."""
        runs = self._runs()
        packets = [packet for packet, signers in runs.packets() if runs.signing_problem(signers) is None]
        packet = next((packet for packet in packets if packet.seal_sha256 == sealed.sha256), None)
        own = [run for run in runs.runs if run.seal.sha256 == sealed.sha256]
        credit = next((run.credit for run in own if runs.signing_problem(run.credit_signers) is None), None)
        return (credit, packet) if credit is not None and packet is not None else None

    def credit(self, credit: ScoredCredit) -> None:
        """Keep the credit."""
        self._keep(CREDITS, credit_payload(credit))

    def logs(self, sealed: SignedSeal, run: OpenRun) -> None:
        """Publish the log, which nobody could read before."""
        line = publish_logs(self._workspace, run, sealed, self._signed, self._clock())
        self._used.append((LOGS, line.sha256))

    def packet(self, packet: Packet) -> None:
        """Keep the packet: with it the run is whole."""
        self._keep(PACKETS, packet_payload(packet))

    def verdict(self, sealed: SignedSeal, decision: RunDecision) -> None:
        """Keep what was decided, once, for bots that only read: `decide` and `verify` derive it again."""
        proposal = self._proposal
        if self._has_verdict(sealed):
            return
        result = VerifyResult(
            rev=proposal.tip.oid,
            commit=proposal.tip.oid,
            tree=proposal.tip.tree,
            base=proposal.base,
            base_tree=proposal.base_tree,
            decision=decision.code,
            verdict="",
            message=decision.reason or "a sealed run whose changed symbols earned credit",
            next_step=decision.next_step(),
            exit_status=code.exit_of(decision.code),
            rung=RUNG_TREE,
            evidence=tuple(
                EvidenceRef(kind, proposal.tip.tree, proposal.tip.oid, name, "") for kind, name in self._used
            ),
        )
        self._keep(VERDICTS, payload_of(self._workspace, result, _VERIFIER, self._clock()))

    def _has_verdict(self, sealed: SignedSeal) -> bool:
        lines = self._workspace.lines_of(VERDICTS, sealed.seal.tree)
        statements = (read_verdict(line.envelope) for line in lines)
        return any(
            used.sha256 == sealed.sha256
            for statement in statements
            if not isinstance(statement, Unreadable) and statement.verification.verifier == _VERIFIER
            for used in statement.verification.result.evidence
        )

    def _keep(self, kind: str, payload: bytes) -> None:
        self._append(kind, self._signed(payload))

    def _signed(self, payload: bytes) -> Line:
        return signed_line(self._workspace, payload, self._key)

    def _append(self, kind: str, line: Line) -> None:
        self._ledger.append(kind, [Entry(self._proposal.tip.tree, line.text)])
        self._used.append((kind, line.sha256))

    def _runs(self) -> SealedRuns:
        return SealedRuns(self._workspace, self._proposal, self._clock())


def sealed_already(sealed: SignedSeal) -> str:
    """What to say of a run that was made before."""
    return f"runner job {sealed.seal.runner_job!r} has made this run before; for another one name another job"
