"""Who signed a commit, as far as the base's allowed signers know the key."""

from __future__ import annotations

from agentgate_git.flows.judged_files import read_blob
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.actor import HUMAN
from agentgate_git.model.commit import Commit, Proposal
from agentgate_git.model.paths import SIGNERS_PATH
from agentgate_git.model.registry import BAD, GOOD, UNVERIFIED, SignatureFacts
from agentgate_git.repo.commits import signed_payload
from agentgate_git.repo.ssh_keygen import COMMIT_NAMESPACE, Verifier
from agentgate_git.wire.allowed_signers import read_allowed_signers
from agentgate_git.wire.sshsig import signature_facts


class Signers:
    """The enrolled keys of a proposal's base, which is the only place they are read from."""

    def __init__(self, workspace: Workspace, proposal: Proposal) -> None:
        data = read_blob(workspace.objects, proposal.base_tree, SIGNERS_PATH) or b""
        self._objects = workspace.objects
        self._enrolled = {one.fingerprint: one for one in read_allowed_signers(data)}
        self._verifier = Verifier(data, workspace.environ)

    def has_human(self) -> bool:
        """True when a human's key is enrolled."""
        return any(one.role == HUMAN for one in self._enrolled.values())

    def facts(self, commit: Commit) -> SignatureFacts | None:
        """What is known about a commit's signature; None for an unsigned one.

        A key that nobody enrolled stays unverified. A signature that claims an enrolled key and is not good for it
        in git's namespace is bad.
        """
        facts = signature_facts(commit.signature)
        enrolment = self._enrolled.get(facts.fingerprint) if facts and facts.status == UNVERIFIED else None
        if facts is None or enrolment is None:
            return facts
        payload = signed_payload(self._objects.read(commit.oid, "commit"))
        if not self._verifier.is_good(enrolment.principal, COMMIT_NAMESPACE, payload, commit.signature):
            return facts._replace(status=BAD)
        return facts._replace(status=GOOD, enrolled_as=enrolment.role, principal=enrolment.principal)
