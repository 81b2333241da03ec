"""Keeping a verdict as a note on the tree, for bots that only read."""

from __future__ import annotations

from hashlib import sha256

from agentgate_git import __version__
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.evidence import VERDICTS, Entry
from agentgate_git.model.paths import POLICY_PATH
from agentgate_git.model.verdict import VerifyResult
from agentgate_git.wire.dsse import encode_envelope
from agentgate_git.wire.statement import unsigned
from agentgate_git.wire.verdict_statement import Verification, verdict_payload


def record_verdicts(workspace: Workspace, results: tuple[VerifyResult, ...], verifier: str, now: str) -> int:
    """Store verdicts, all in one batch; how many lines were new. `verifier` is the URI that readers know it by."""
    payloads = [(result.tree, payload_of(workspace, result, verifier, now)) for result in results]
    entries = [Entry(tree, encode_envelope(unsigned(payload))) for tree, payload in payloads]
    return workspace.ledger().append(VERDICTS, entries).written


def payload_of(workspace: Workspace, result: VerifyResult, verifier: str, now: str) -> bytes:
    """The statement of a verdict, to be signed or not."""
    policy = workspace.objects.file_at(result.base, POLICY_PATH) if result.base else None
    verification = Verification(
        result=result,
        verifier=verifier,
        version=__version__,
        verified_at=now,
        resource_uri=f"git+tree:{result.tree}",
        policy_uri=f"git+commit:{result.base}#{POLICY_PATH}" if policy is not None else "builtin",
        policy_sha256=sha256(policy or b"").hexdigest(),
    )
    return verdict_payload(verification)
