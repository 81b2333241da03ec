"""Key pairs, and lines of evidence that are signed with them."""

from __future__ import annotations

import base64
import subprocess
from pathlib import Path

from agentgate_git.model.evidence import Envelope, Signature
from agentgate_git.wire.dsse import IN_TOTO, encode_envelope, pae
from agentgate_git.wire.statement import write_statement


class Keys:
    """A folder of key pairs, made when they are first asked for."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True)

    def path(self, name: str) -> Path:
        """The private key of a name."""
        path = self._directory / name
        if not path.exists():
            options = ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)]
            subprocess.run(["ssh-keygen", *options], check=True, capture_output=True)
        return path

    def public(self, name: str) -> str:
        """The public key of a name, one line."""
        return self.path(name).with_suffix(".pub").read_text()

    def enrolment(self, principal: str, name: str, options: str = 'namespaces="agentgate"') -> str:
        """A line of allowed signers."""
        return f"{principal} {options} {self.public(name)}"

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
