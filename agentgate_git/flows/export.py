"""`ledger export`: a signed line once more, with the signature that tools of DSSE check (docs/adr/0021-export.md).

The key that signed a line signs the same statement again, in another form. It vouches for nothing that it did not
vouch for before, and a line that it never signed is left out.
"""

from __future__ import annotations

from agentgate_git.flows.signers.line_signers import LineSigners
from agentgate_git.flows.signers.signing import signing_key
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.evidence import Envelope, Line, Signature
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.oid import Oid
from agentgate_git.repo.ssh_agent import AgentKey
from agentgate_git.repo.ssh_keygen import EVIDENCE_NAMESPACE
from agentgate_git.wire.dsse import encode_envelope, pae
from agentgate_git.wire.sshsig import fingerprint, key_line, plain_signature


def export(workspace: Workspace, kind: str, key: Oid, key_file: str) -> tuple[tuple[bytes, ...], int]:
    """The lines of one object that a key signed, signed by it over the bare PAE, and how many lines are left out.

    `key_file` is a private key, or a public one that the user's agent holds; empty for the key of commits.
    """
    note = workspace.ledger().read(kind, (key,)).get(key)
    lines = note.lines if note else ()
    if not lines:
        return (), 0
    with AgentKey(key_file or signing_key(workspace), workspace.environ) as signer:
        allowed = f'exporter namespaces="{EVIDENCE_NAMESPACE}" {key_line(signer.public_key)}\n'.encode()
        signers = LineSigners(allowed, workspace.environ)
        own = [line for line in lines if signers.facts(line.envelope)[0]]
        return tuple(_exported(signer, line) for line in own), len(lines) - len(own)


def _exported(signer: AgentKey, line: Line) -> bytes:
    envelope = line.envelope
    try:
        signature = plain_signature(signer.sign(pae(envelope.payload_type, envelope.payload)))
    except ValueError as reason:
        raise UsageFailure(f"this key cannot make the signature ({reason})", "name another key with --key") from None
    return encode_envelope(
        Envelope(envelope.payload, envelope.payload_type, (Signature(fingerprint(signer.public_key), signature),))
    )
