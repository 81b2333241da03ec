"""Which adoptions count for a proposal: notes on its tree that an enrolled human of its base signed."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.flows.signers.signatures import Signers
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.actor import HUMAN, STRICT
from agentgate_git.model.adoption import Adoption, SignedAdoption
from agentgate_git.model.commit import Proposal
from agentgate_git.model.evidence import ADOPTIONS, REQUESTS, Envelope, Line
from agentgate_git.model.failure import Undecided
from agentgate_git.model.finding import Finding
from agentgate_git.model.paths import POLICY_PATH, SIGNERS_PATH
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import EvidenceRef
from agentgate_git.policy.authors.adoption import adopted, asked_for, is_adoptable
from agentgate_git.policy.authors.authorship import mode_of
from agentgate_git.repo.ssh_keygen import EVIDENCE_NAMESPACE
from agentgate_git.wire.adoption_statement import ADOPTION, REQUEST, read_adoption
from agentgate_git.wire.dsse import pae
from agentgate_git.wire.sshsig import armour, fingerprint, has_presence, read_sshsig
from agentgate_git.wire.statement import Unreadable, misplacement

_SIGN = "name an SSH key with --key"
_ENROL = f"enrol the key as human:<name> in {SIGNERS_PATH} on the base branch, or name another with --key"
_TOUCH = (
    "name a hardware key that you touch (`ssh-keygen -t ed25519-sk`) and that is enrolled, or write `mode: lenient`"
    f" into {POLICY_PATH} of the base branch"
)
_VALID = f"see that {SIGNERS_PATH} lets the key sign in the namespace {EVIDENCE_NAMESPACE}, and that it has not ended"


class Applied(Record):
    """Findings beside the adoptions of their tree, the lines that covered one, and what stands against others."""

    findings: tuple[Finding, ...]
    evidence: tuple[EvidenceRef, ...] = ()
    notes: tuple[str, ...] = ()


class JudgedAdoption(Record):
    """A line of the adoptions of a tree: `problem` says why it counts for nothing, empty when it counts; `step` is what
    whoever makes such a line can do about it.
    """

    sha256: str
    adoption: Adoption | None
    principal: str = ""
    problem: str = ""
    step: str = "make it anew with `git agentgate adopt`"


def adoptions_of(workspace: Workspace, proposal: Proposal) -> Adoptions:
    """The adoptions of a proposal, for whoever has findings of their own to put beside them."""
    signers = Signers(workspace, proposal.base_tree)
    mode = mode_of(workspace.policy_of(proposal.base), signers.has_human())
    return Adoptions(workspace, signers, proposal, mode)


class Adoptions:
    """The adoptions of a proposal's tree, judged by the keys and in the mode of its base."""

    def __init__(self, workspace: Workspace, signers: Signers, proposal: Proposal, mode: str) -> None:
        self._workspace = workspace
        self._signers = signers
        self._proposal = proposal
        self._mode = mode

    def apply(self, findings: tuple[Finding, ...]) -> Applied:
        """Let through what a human adopted; notes are read only where there is something to let through."""
        if not any(map(is_adoptable, findings)):
            return Applied(findings)
        try:
            judged = tuple(self.judged())
        except Undecided as failure:
            return Applied(findings, notes=(f"adoptions cannot be read: {failure}",))
        valid = [
            SignedAdoption(one.adoption, one.principal, one.sha256)
            for one in judged
            if one.adoption is not None and not one.problem
        ]
        found = [adopted(finding, valid) for finding in findings]
        used = {one.sha256: one for _, one in found if one is not None}
        refs = (
            EvidenceRef(ADOPTIONS, one.adoption.tree, one.adoption.commit, one.sha256, one.principal)
            for one in used.values()
        )
        notes = (f"adoption {one.sha256[:12]} counts for nothing: it {one.problem}" for one in judged if one.problem)
        return Applied(tuple(finding for finding, _ in found), tuple(refs), tuple(notes))

    def with_requests(self, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """What a hook lets through: findings of this tree that a human was asked to adopt, whatever the base.

        A hook measures against HEAD, the gate against the target; so an adoption is as good as a request here.
        """
        if not any(map(is_adoptable, findings)):
            return findings
        try:
            requests = (*self._unjudged(REQUESTS, REQUEST), *self._unjudged(ADOPTIONS, ADOPTION))
        except Undecided:
            return findings
        return tuple(asked_for(finding, requests) for finding in findings)

    def _unjudged(self, kind: str, predicate_type: str) -> Iterator[Adoption]:
        tree = self._proposal.tip.tree
        for line in self._workspace.lines_of(kind, tree):
            statement = read_adoption(line.envelope, predicate_type)
            if not isinstance(statement, Unreadable) and statement.adoption.tree == tree:
                yield statement.adoption

    def judged(self) -> Iterator[JudgedAdoption]:
        """Every line that is kept under the tree, in the order of the bytes."""
        return map(self.judge, self._workspace.lines_of(ADOPTIONS, self._proposal.tip.tree))

    def judge(self, line: Line) -> JudgedAdoption:
        """What one line counts for here."""
        statement = read_adoption(line.envelope, ADOPTION)
        if isinstance(statement, Unreadable):
            return JudgedAdoption(line.sha256, None, problem=statement.reason)
        adoption = statement.adoption
        here = (self._proposal.tip.tree, self._proposal.base_tree)
        if problem := misplacement(statement.subject, (adoption.tree, adoption.base_tree), here):
            return JudgedAdoption(line.sha256, adoption, problem=problem)
        principal, problem, step = self._signer(line.envelope, adoption)
        return JudgedAdoption(line.sha256, adoption, principal, problem, step)

    def _signer(self, envelope: Envelope, adoption: Adoption) -> tuple[str, str, str]:
        """The human who signed it, or why nobody did and what to do about that."""
        problem, step = "is not signed", _SIGN
        for signature in envelope.signatures:
            try:
                parsed = read_sshsig(signature.sig)
            except ValueError as error:
                problem, step = f"has a signature that cannot be read: {error}", _SIGN
                continue
            enrolment = self._signers.enrolment_of(fingerprint(parsed.public_key))
            signed = (pae(envelope.payload_type, envelope.payload), armour(signature.sig))
            if enrolment is None or enrolment.role != HUMAN:
                problem, step = "is signed with a key that the base enrols for no human", _ENROL
            elif self._mode == STRICT and not has_presence(parsed):
                problem = f"is signed with a key file of {enrolment.principal}; strict mode asks for a touched key"
                step = _TOUCH
            elif not self._signers.is_good(enrolment, EVIDENCE_NAMESPACE, signed, adoption.made_at):
                problem = f"has no good signature of {enrolment.principal} for {adoption.made_at}"
                step = _VALID
            else:
                return enrolment.principal, "", ""
        return "", problem, step
