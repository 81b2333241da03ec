"""Verdicts as SLSA verification summaries: https://slsa.dev/verification_summary/v1.

Any reader of that predicate sees who verified what under which policy, from which lines, and whether it passed;
the whole VerifyResult stands in the extension object.
"""

from __future__ import annotations

from agentgate_git.model.actor import Classification, Reason
from agentgate_git.model.code import ALLOW
from agentgate_git.model.evidence import Envelope, ref_of
from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.model.verdict import BaseComparison, DriftDetail, EvidenceRef, FileDrift, VerifyResult
from agentgate_git.wire.canonical import Malformed
from agentgate_git.wire.shapes import (
    COUNT,
    FLAG,
    OID,
    SHA256,
    TEXT,
    TEXTS,
    list_of,
    optional,
    read_fields,
    record_of,
)
from agentgate_git.wire.statement import EXTENSION, FAILED, PASSED, Unreadable, expect, extension_of, write_statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.wire.canonical import Json

VERIFICATION_SUMMARY = "https://slsa.dev/verification_summary/v1"
TOOL = "agentgate-git"


class Verification(Record):
    """A verdict and its circumstances: who verified, when (RFC 3339 with `Z`), what, under which policy.

    `verifier` and `policy_uri` are URIs; `policy_sha256` is over the policy file's bytes at the base commit,
    over no bytes at all where the built-in policy holds.
    """

    result: VerifyResult
    verifier: str
    version: str
    verified_at: str
    resource_uri: str
    policy_uri: str
    policy_sha256: str


class VerdictStatement(Record):
    """A verification, and the tree that its statement says it is about."""

    subject: Oid
    verification: Verification


_EVIDENCE = record_of(
    EvidenceRef,
    {
        "kind": TEXT,
        "object": OID,
        "commit": optional(OID),
        "sha256": SHA256,
        "signed_by": TEXT,
        "recorded_in": optional(OID),
    },
)
_FINDING = record_of(
    Finding,
    {
        "code": TEXT,
        "severity": TEXT,
        "path": TEXT,
        "message": TEXT,
        "next_step": TEXT,
        "line": COUNT,
        "commit": optional(OID),
    },
    {"tests": TEXTS, "adopted_by": TEXT},
)
_FILE_DRIFT = record_of(
    FileDrift,
    {"path": TEXT, "recorded_count": COUNT, "derived_count": COUNT, "added": TEXTS, "removed": TEXTS},
)
_RESULT = record_of(
    VerifyResult,
    {
        "rev": TEXT,
        "commit": optional(OID),
        "tree": OID,
        "base": optional(OID),
        "base_tree": optional(OID),
        "decision": TEXT,
        "verdict": TEXT,
        "message": TEXT,
        "next_step": TEXT,
        "exit_status": COUNT,
        "drifted": TEXTS,
        "drift_detail": list_of(record_of(DriftDetail, {"field": TEXT, "recorded": TEXT, "derived": TEXT})),
        "test_drift": list_of(_FILE_DRIFT),
        "rung": TEXT,
        "evidence": list_of(_EVIDENCE),
        "findings": list_of(_FINDING),
        "authorship": list_of(
            record_of(
                Classification,
                {"commit": optional(OID), "actor": TEXT, "rule": TEXT, "detail": TEXT},
                {"reasons": list_of(record_of(Reason, {"rule": TEXT, "place": TEXT, "seen": TEXT, "who": TEXT}))},
            )
        ),
        "has_rerun": FLAG,
        "policy_note": TEXT,
        "with_base": record_of(
            BaseComparison, {"replay": TEXT, "failed": TEXTS, "not_replayable": TEXTS, "notes": TEXTS}
        ),
    },
    {"sealed_run": TEXT},
)
# What verdicts of earlier versions have not.
_LATER_FIELDS: dict[str, Json] = {"with_base": {"replay": "", "failed": [], "not_replayable": [], "notes": []}}


def verdict_payload(verification: Verification) -> bytes:
    """The statement of a verdict, canonical."""
    return write_statement(verification.result.tree, VERIFICATION_SUMMARY, _summary(verification))


def read_verdict(envelope: Envelope) -> VerdictStatement | Unreadable:
    """The verdict in an envelope; a summary that says other than the record in it is Unreadable."""
    try:
        statement = expect(envelope, VERIFICATION_SUMMARY)
        return VerdictStatement(statement.subject, _verification(statement.predicate))
    except Malformed as reason:
        return Unreadable(str(reason))


def _summary(verification: Verification) -> dict[str, Json]:
    result = verification.result
    is_pass = result.decision == ALLOW
    return {
        "verifier": {"id": verification.verifier, "version": {TOOL: verification.version}},
        "timeVerified": TEXT.write(verification.verified_at),
        "resourceUri": TEXT.write(verification.resource_uri),
        "policy": {"digest": {"sha256": verification.policy_sha256}, "uri": verification.policy_uri},
        "inputAttestations": [
            {"digest": {"sha256": used.sha256}, "uri": f"{ref_of(used.kind)}:{used.object}"} for used in result.evidence
        ],
        "verificationResult": PASSED if is_pass else FAILED,
        "verifiedLevels": [f"AGENTGATE_{result.verdict}"] if is_pass and result.verdict else [],
        EXTENSION: _RESULT.write(result),
    }


def _verification(predicate: dict[str, Json]) -> Verification:
    result = _RESULT.read({**_LATER_FIELDS, **extension_of(predicate)})
    times = read_fields(predicate, {"timeVerified": TEXT, "resourceUri": TEXT})
    verification = Verification(
        result,
        *_verifier_of(predicate),
        times["timeVerified"],
        times["resourceUri"],
        *_policy_of(predicate),
    )
    derived = _summary(verification)
    if any(predicate.get(name) != derived[name] for name in ("verificationResult", "inputAttestations")):
        raise Malformed("says another result than the record in it")
    return verification


def _verifier_of(predicate: dict[str, Json]) -> tuple[str, str]:
    verifier = predicate.get("verifier")
    version = verifier.get("version") if isinstance(verifier, dict) else None
    return _member(verifier, "id"), _member(version, TOOL)


def _policy_of(predicate: dict[str, Json]) -> tuple[str, str]:
    policy = predicate.get("policy")
    digest = policy.get("digest") if isinstance(policy, dict) else None
    return _member(policy, "uri"), SHA256.read(_member(digest, "sha256"))


def _member(value: Json, name: str) -> str:
    member = value.get(name) if isinstance(value, dict) else None
    if not isinstance(member, str):
        raise Malformed(f"has no {name}")
    return member
