"""Key pairs, and lines of evidence that are signed with them."""

from __future__ import annotations

import base64
import subprocess

from agentgate_git.model.evidence import Envelope, Signature
from agentgate_git.wire.dsse import IN_TOTO, encode_envelope, pae
from agentgate_git.wire.statement import write_statement
from testing.keys import Keys as SshKeys


class Keys(SshKeys):
    """A folder of key pairs whose signatures stand in evidence."""

    def enrolment(self, principal: str, name: str, options: str = 'namespaces="agentgate"') -> str:
        """A line of allowed signers."""
        return self.line(principal, name, options)

    def sign(self, name: str, data: bytes, namespace: str = "agentgate") -> bytes:
        """The armoured SSH signature over some bytes."""
        argv = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(self.path(name)), "-n", namespace]
        return subprocess.run(argv, input=data, check=True, capture_output=True).stdout

    def signed_line(
        self, name: str, payload: bytes, *, is_armoured: bool = True, namespace: str = "agentgate"
    ) -> bytes:
        """An envelope with one signature, in either form of it."""
        sig = self.sign(name, pae(IN_TOTO, payload), namespace)
        if not is_armoured:
            sig = base64.b64decode(b"".join(sig.splitlines()[1:-1]))
        return encode_envelope(Envelope(payload, IN_TOTO, (Signature("", sig),)))


def some_payload(tree: str, number: int = 1) -> bytes:
    """A statement about a tree, another one for each number."""
    return write_statement(tree, "https://example.org/run/v1", {"number": number})


def unsigned_line(tree: str, number: int = 1) -> bytes:
    """The same in an envelope that nobody signed."""
    return encode_envelope(Envelope(some_payload(tree, number), IN_TOTO))
