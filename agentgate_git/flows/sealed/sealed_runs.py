"""Which sealed runs and freezes a proposal has: lines under its tree, over the same base, that cite one another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from agentgate_git.flows.packets.stored import packets_of
from agentgate_git.flows.signers.signatures import Signers
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.commit import Proposal
from agentgate_git.model.evidence import CREDITS, FREEZES, LOGS, PACKETS, SEALS, Line
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import Packet
from agentgate_git.model.registry import GOOD
from agentgate_git.model.run_evidence import JudgedFreeze, SealedRun, SignedLogs, SignedSeal
from agentgate_git.model.run_record import RunDecision
from agentgate_git.policy.received_notes import writers_of
from agentgate_git.policy.runs.freeze_signers import FreezeSigning, signing_problem, witnesses
from agentgate_git.policy.runs.sealed_run import RunSigning, run_signing_problem
from agentgate_git.wire.run_statements import read_filed_freeze, read_run_logs, read_scored_credit, read_seal
from agentgate_git.wire.statement import Unreadable, misplacement


class SealedRuns:
    """The sealed runs of a proposal, judged by the keys and the policy of its base; `now` is RFC 3339 with `Z`.

    Keys have to be valid now, whatever time a record claims for itself.
    """

    def __init__(self, workspace: Workspace, proposal: Proposal, now: str) -> None:
        self._workspace = workspace
        self._proposal = proposal
        self._now = now
        self._signers = Signers(workspace, proposal.base_tree)
        self._policy = workspace.policy_of(proposal.base)
        self.seals = {seal.sha256: seal for seal in self._seals()}
        self.runs = tuple(self._runs())

    @cached_property
    def authors(self) -> tuple[str, ...]:
        """The principals whose key signed a commit of the proposal, whatever else that key may sign."""
        return tuple(self._authors())

    def signing_problem(self, *lines: tuple[str, ...], kind: str = CREDITS) -> RunDecision | None:
        """What stands against lines of a run by those who signed each; None when one runner signed all of them.

        `kind` is the evidence that the runner must be allowed to write.
        """
        return run_signing_problem(RunSigning(lines, self.authors, self.writers_of(kind)))

    def judged(self) -> Iterator[JudgedFreeze]:
        """Every line of the freezes under the tree, in the order of the bytes."""
        return map(self.judge, self._lines(FREEZES))

    def judge(self, line: Line) -> JudgedFreeze:
        """What one line counts for here."""
        statement = read_filed_freeze(line.envelope)
        if isinstance(statement, Unreadable):
            return JudgedFreeze(line.sha256, None, problem=statement.reason)
        filed = statement.freeze
        problem = self._misplaced(statement.subject, filed.tree, filed.base_tree)
        run = self.run_of(filed.freeze.runner_digest, filed.freeze.credit_id)
        if not problem and run is None:
            problem = "cites a seal and a credit that are not kept here"
        signers = self.signers_of(line)
        if problem or run is None:
            return JudgedFreeze(line.sha256, filed, problem=problem, signers=signers)
        facts = FreezeSigning(
            signers=signers,
            parties=(*run.signers, *self.authors),
            writers=self.writers_of(FREEZES),
        )
        return JudgedFreeze(line.sha256, filed, witnesses(facts), signing_problem(facts), signers)

    def run_of(self, seal_sha256: str, credit_id: str) -> SealedRun | None:
        """The run that a freeze cites."""
        for run in self.runs:
            if run.seal.sha256 == seal_sha256 and run.credit.credit.credit_id == credit_id:
                return run
        return None

    def writers_of(self, kind: str) -> tuple[str, ...]:
        """Who may write a kind of evidence, by the policy of the base."""
        return writers_of(self._policy, kind)

    def signers_of(self, line: Line) -> tuple[str, ...]:
        """The principals whose signature on a line is good."""
        return self._signers.of_line(line.envelope, self._now)

    def claims_of(self, line: Line) -> str:
        """Whose keys signed a line, in words, whether that counts or not."""
        return self._signers.claims_of(line.envelope, self._now)

    def packets(self) -> Iterator[tuple[Packet, tuple[str, ...]]]:
        """The packets that cite a seal of the proposal, each with the principals who signed it."""
        tree = self._proposal.tip.tree
        for stored in packets_of(self._workspace.evidence().read(PACKETS, (tree,)).get(tree)).packets:
            packet = stored.packet
            if packet.seal_sha256 in self.seals and packet.base_tree == self._proposal.base_tree:
                yield packet, self.signers_of(stored.line)

    def logs(self) -> Iterator[SignedLogs]:
        """The logs over the proposal's base, each with the seal that it cites where the job is that seal's."""
        for line in self._lines(LOGS):
            statement = read_run_logs(line.envelope)
            if isinstance(statement, Unreadable):
                continue
            logs = statement.logs
            signed = self.seals.get(logs.seal_sha256)
            is_cited = signed is None or signed.seal.runner_job == logs.runner_job
            if is_cited and not self._misplaced(statement.subject, logs.tree, logs.base_tree):
                yield SignedLogs(logs, line.sha256, signed, self.signers_of(line))

    def _seals(self) -> Iterator[SignedSeal]:
        for line in self._lines(SEALS):
            statement = read_seal(line.envelope)
            if isinstance(statement, Unreadable):
                continue
            seal = statement.seal
            if not self._misplaced(statement.subject, seal.tree, seal.base_tree):
                yield SignedSeal(seal, line.sha256, self.signers_of(line))

    def _runs(self) -> Iterator[SealedRun]:
        for line in self._lines(CREDITS):
            statement = read_scored_credit(line.envelope)
            if isinstance(statement, Unreadable):
                continue
            credit = statement.credit
            signed = self.seals.get(credit.credit.digest)
            is_cited = signed is not None and signed.seal.runner_job == credit.runner_job
            if signed and is_cited and not self._misplaced(statement.subject, credit.tree, credit.base_tree):
                yield SealedRun(signed, credit, self.signers_of(line), line.sha256)

    def _lines(self, kind: str) -> tuple[Line, ...]:
        return self._workspace.lines_of(kind, self._proposal.tip.tree)

    def _misplaced(self, subject: Oid, tree: Oid, base_tree: Oid) -> str:
        return misplacement(subject, (tree, base_tree), (self._proposal.tip.tree, self._proposal.base_tree))

    def _authors(self) -> Iterator[str]:
        for facts in map(self._signers.facts, self._proposal.commits):
            if facts is not None and facts.status == GOOD:
                yield facts.principal
            elif facts is not None and (enrolment := self._signers.enrolment_of(facts.fingerprint)):
                yield enrolment.principal
