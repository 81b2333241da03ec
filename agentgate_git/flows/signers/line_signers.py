"""Who signed a line of evidence, as far as the target's allowed signers know the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.evidence import Envelope, Signature
from agentgate_git.repo.ssh_keygen import EVIDENCE_NAMESPACE, Verifier
from agentgate_git.wire.allowed_signers import Enrolment, read_allowed_signers
from agentgate_git.wire.dsse import pae
from agentgate_git.wire.sshsig import armoured, fingerprint, read_sshsig, unarmour

MAX_SIGNATURES = 16


class LineSigners:
    """The enrolled keys of one file of allowed signers; `environ` is the environment of this process."""

    def __init__(self, allowed: bytes, environ: Mapping[str, str]) -> None:
        self._enrolled: dict[str, list[Enrolment]] = {}
        for one in read_allowed_signers(allowed):
            self._enrolled.setdefault(one.fingerprint, []).append(one)
        self._verifier = Verifier(allowed, environ)

    def facts(self, envelope: Envelope) -> tuple[tuple[str, ...], bool]:
        """The principals with a good signature, and whether a signature claims an enrolled key and is not good.

        A key that nobody enrolled, and a signature of another kind, say nothing. No more than MAX_SIGNATURES are read.
        """
        payload = pae(envelope.payload_type, envelope.payload)
        good: list[str] = []
        has_forged = False
        for signature in envelope.signatures[:MAX_SIGNATURES]:
            claimed, text = self._claim(signature)
            principals = tuple(self._good(claimed, payload, text))
            good += principals
            has_forged = has_forged or bool(claimed and not principals)
        return tuple(dict.fromkeys(good)), has_forged

    def _claim(self, signature: Signature) -> tuple[list[Enrolment], str]:
        """The enrolments of the key that a signature is by; of the key that it names when it cannot be read."""
        try:
            text = armoured(signature.sig)
            key = fingerprint(read_sshsig(unarmour(text)).public_key)
        except ValueError:
            return self._enrolled.get(signature.keyid, []), ""
        return self._enrolled.get(key, []), text

    def _good(self, claimed: list[Enrolment], payload: bytes, text: str) -> Iterator[str]:
        for one in claimed if text else ():
            if self._verifier.is_good(one.principal, EVIDENCE_NAMESPACE, payload, text):
                yield one.principal
