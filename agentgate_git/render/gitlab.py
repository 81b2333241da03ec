"""The code quality report of GitLab: one array."""

from __future__ import annotations

import json

from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.portable import fingerprints, portable, with_next_step

_SEVERITIES = {BLOCK: "blocker", WARN: "minor", ADVICE: "info"}


def check_gitlab(result: CheckResult) -> str:
    """The report, one line of ASCII; a finding on a whole path stands in its first line, as the format has no other."""
    marks = fingerprints(result.findings)
    rows = [_issue(finding, mark) for finding, mark in zip(result.findings, marks, strict=True)]
    return json.dumps(rows, separators=(",", ":"))


def _issue(finding: Finding, mark: str) -> dict[str, object]:
    return {
        "description": portable(f"{finding.code}: {with_next_step(finding)}"),
        "check_name": finding.code,
        "fingerprint": mark,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": portable(finding.path) or ".", "lines": {"begin": finding.line or 1}},
    }
