"""Who signed a commit, as far as the keys that the base holds tell; nothing else enrols anybody."""

from __future__ import annotations

from agentgate_git.flows.signers.line_signers import MAX_SIGNATURES
from agentgate_git.flows.signers.pgp_keys import PgpKeys
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.actor import AGENT, HUMAN
from agentgate_git.model.commit import Commit
from agentgate_git.model.evidence import Envelope, Signature
from agentgate_git.model.oid import Oid
from agentgate_git.model.paths import REVOKED_PATH, SIGNERS_PATH
from agentgate_git.model.registry import BAD, GOOD, UNVERIFIED, SignatureFacts
from agentgate_git.repo.commits import signed_payload
from agentgate_git.repo.ssh_keygen import COMMIT_NAMESPACE, EVIDENCE_NAMESPACE, Verifier
from agentgate_git.wire.allowed_signers import Enrolment, read_allowed_signers, read_revoked_keys, silent_lines
from agentgate_git.wire.dsse import pae
from agentgate_git.wire.sshsig import armoured, fingerprint, read_sshsig, signature_facts, unarmour


class Signers:
    """The enrolled keys of a proposal's base tree, which is the only place they are read from.

    `notes` are sentences about files there that could not be read whole.
    """

    def __init__(self, workspace: Workspace, base_tree: Oid) -> None:
        data = workspace.objects.file_at(base_tree, SIGNERS_PATH) or b""
        revoked, unread = read_revoked_keys(workspace.objects.file_at(base_tree, REVOKED_PATH) or b"")
        self._objects = workspace.objects
        # A key with several principals is an agent's when one of them is an agent.
        rows = sorted(read_allowed_signers(data), key=lambda one: one.role == AGENT)
        self._enrolled = {one.fingerprint: one for one in rows}
        self._revoked = revoked
        self._ssh = Verifier(data, workspace.environ)
        self._pgp = PgpKeys(workspace, base_tree)
        silent = silent_lines(data)
        silent_note = (f"{silent} line(s) of {SIGNERS_PATH} at the base hold no key and a name, and enrol nobody",)
        unread_note = (f"{unread} line(s) of {REVOKED_PATH} at the base hold no public key and revoke nothing",)
        self.notes = (*self._pgp.notes, *(silent_note if silent else ()), *(unread_note if unread else ()))

    def has_human(self) -> bool:
        """True when a human's key is enrolled."""
        return self._pgp.has_human() or any(one.role == HUMAN for one in self._enrolled.values())

    def facts(self, commit: Commit) -> SignatureFacts | None:
        """What is known about a commit's signature; None for an unsigned one.

        A key that nobody enrolled stays unverified. A revoked key is bad, and so is a signature that claims an
        enrolled key and is not good for it, today and in git's namespace.
        """
        facts = signature_facts(commit.signature)
        if facts is None or facts.status != UNVERIFIED or not facts.fingerprint:
            return facts
        if facts.fingerprint in self._revoked:
            return facts._replace(status=BAD, problem=f"is of a key that {REVOKED_PATH} revokes")
        if enrolment := self._enrolled.get(facts.fingerprint):
            is_good = self._ssh.is_good(enrolment.principal, COMMIT_NAMESPACE, self._payload(commit), commit.signature)
            problem = "" if is_good else f"is not good for {enrolment.principal}, now and in the namespace git"
            return _answered(facts, enrolment.role, enrolment.principal, problem)
        if key := self._pgp.find(facts.fingerprint):
            problem = self._pgp.problem(key, self._payload(commit), commit.signature)
            return _answered(facts, key.role, key.principal, problem)
        return facts

    def enrolment_of(self, fingerprint: str) -> Enrolment | None:
        """Whose SSH key it is, None for one that nobody enrolled or that is revoked."""
        return None if fingerprint in self._revoked else self._enrolled.get(fingerprint)

    def is_good(self, enrolment: Enrolment, namespace: str, signed: tuple[bytes, str], at: str) -> bool:
        """True when a payload and its armoured signature are that principal's, in the namespace, by a key valid `at`.

        `at` is RFC 3339 with `Z`.
        """
        return self._ssh.is_good(enrolment.principal, namespace, *signed, at)

    def of_line(self, envelope: Envelope, at: str) -> tuple[str, ...]:
        """The principals with a good signature on a line of evidence, by SSH keys that are valid `at`.

        A signature that cannot be read, or is of a key that nobody enrolled, says nothing; no more than MAX_SIGNATURES
        are looked at.
        """
        payload = pae(envelope.payload_type, envelope.payload)
        good: list[str] = []
        for signature in envelope.signatures[:MAX_SIGNATURES]:
            try:
                text = armoured(signature.sig)
                enrolment = self.enrolment_of(fingerprint(read_sshsig(unarmour(text)).public_key))
            except ValueError:
                continue
            if enrolment and self.is_good(enrolment, EVIDENCE_NAMESPACE, (payload, text), at):
                good.append(enrolment.principal)
        return tuple(dict.fromkeys(good))

    def claims_of(self, envelope: Envelope, at: str) -> str:
        """Whose keys signed a line, as clauses for a message; what `of_line` says nothing of is told here too."""
        payload = pae(envelope.payload_type, envelope.payload)
        claims = (self._claim(one, payload, at) for one in envelope.signatures[:MAX_SIGNATURES])
        return "; ".join(dict.fromkeys(claims)) or "nobody signed it"

    def _claim(self, signature: Signature, payload: bytes, at: str) -> str:
        try:
            text = armoured(signature.sig)
            key = fingerprint(read_sshsig(unarmour(text)).public_key)
        except ValueError:
            return "a signature cannot be read"
        enrolment = self._enrolled.get(key)
        if key in self._revoked:
            return f"the key {key} is revoked"
        if enrolment is None:
            return f"the key {key} is enrolled for nobody"
        if self.is_good(enrolment, EVIDENCE_NAMESPACE, (payload, text), at):
            return f"the key {key} is enrolled for {enrolment.principal}"
        ends = f"in the namespace {EVIDENCE_NAMESPACE}"
        return f"the key {key} is enrolled for {enrolment.principal}, and not valid now {ends}"

    def _payload(self, commit: Commit) -> bytes:
        return signed_payload(self._objects.read(commit.oid, "commit"))


def _answered(facts: SignatureFacts, role: str, principal: str, problem: str) -> SignatureFacts:
    if problem:
        return facts._replace(status=BAD, problem=problem)
    return facts._replace(status=GOOD, enrolled_as=role, principal=principal)
