"""Results as versioned JSON: the source of every other machine format."""

from __future__ import annotations

import json

from agentgate_git.model.actor import Classification
from agentgate_git.model.finding import Finding
from agentgate_git.model.verdict import BaseComparison, CheckResult, EvidenceRef, FileDrift, VerifyResult

CHECK_SCHEMA = "agentgate.check/1"
SCAN_SCHEMA = "agentgate.scan/1"
VERIFY_SCHEMA = "agentgate.verify/1"


def check_json(result: CheckResult, schema: str = CHECK_SCHEMA) -> str:
    """`agentgate.check/1` or `agentgate.scan/1`, one line."""
    return _dump(
        {
            "schema": schema,
            "findings": [_finding(finding) for finding in result.findings],
            "commits": [_commit(commit) for commit in result.commits],
            "notes": list(result.notes),
            "evidence": [_evidence(line) for line in result.evidence],
            "exit": result.exit_status,
        }
    )


def verify_json(results: tuple[VerifyResult, ...], exit_status: int) -> str:
    """`agentgate.verify/1`, one line."""
    return _dump({"schema": VERIFY_SCHEMA, "results": [_result(result) for result in results], "exit": exit_status})


def _result(result: VerifyResult) -> dict[str, object]:
    return {
        "rev": result.rev,
        "commit": result.commit,
        "tree": result.tree,
        "base": result.base,
        "base_tree": result.base_tree,
        "decision": result.decision,
        "verdict": result.verdict or None,
        "drifted": list(result.drifted),
        "drift_detail": _drift(result),
        "rung": result.rung,
        "evidence": [_evidence(line) for line in result.evidence],
        "findings": [_finding(finding) for finding in result.findings],
        "authorship": [_commit(commit) for commit in result.authorship],
        "reran": result.has_rerun,
        "with_base": _with_base(result.with_base),
        "sealed_run": result.sealed_run or None,
        "message": result.message,
        "next": result.next_step,
        "policy": result.policy_note,
        "exit": result.exit_status,
    }


def _with_base(compared: BaseComparison) -> dict[str, object]:
    return {
        "replay": compared.replay or None,
        "failed": list(compared.failed),
        "not_replayable": list(compared.not_replayable),
        "notes": list(compared.notes),
    }


def _drift(result: VerifyResult) -> dict[str, object]:
    detail: dict[str, object] = {
        row.field: {"recorded": row.recorded, "derived": row.derived} for row in result.drift_detail
    }
    if result.test_drift:
        detail["files"] = [_file_drift(row) for row in result.test_drift]
        detail["added"] = [node_id for row in result.test_drift for node_id in row.added]
        detail["removed"] = [node_id for row in result.test_drift for node_id in row.removed]
    return detail


def _file_drift(row: FileDrift) -> dict[str, object]:
    return {
        "path": row.path,
        "recorded_count": row.recorded_count,
        "derived_count": row.derived_count,
        "added": list(row.added),
        "removed": list(row.removed),
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "path": finding.path,
        "line": finding.line,
        "commit": finding.commit,
        "message": finding.message,
        "next": finding.next_step,
        "tests": list(finding.tests),
        "adopted_by": finding.adopted_by or None,
    }


def _commit(commit: Classification) -> dict[str, object]:
    return {
        "id": commit.commit,
        "class": commit.actor,
        "rule": commit.rule,
        "detail": commit.detail,
        "evidence": [reason._asdict() for reason in commit.reasons],
    }


def _evidence(line: EvidenceRef) -> dict[str, object]:
    return {
        "kind": line.kind,
        "object": line.object,
        "commit": line.commit,
        "sha256": line.sha256,
        "signed_by": line.signed_by or None,
        "recorded_in": line.recorded_in or None,
    }


def _dump(value: dict[str, object]) -> str:
    # ASCII only: a path that is no UTF-8 keeps its surrogates as escapes and harms no terminal or parser.
    return json.dumps(value, ensure_ascii=True, sort_keys=False, separators=(",", ":"))
