"""reviewdog's diagnostics: one JSON object a line, nothing at all where nothing was found."""

from __future__ import annotations

import json

from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.portable import TOOL, portable, with_next_step

_SEVERITIES = {BLOCK: "ERROR", WARN: "WARNING", ADVICE: "INFO"}


def check_rdjsonl(result: CheckResult) -> str:
    """The lines, ASCII, without the last newline."""
    return "\n".join(json.dumps(_diagnostic(finding), separators=(",", ":")) for finding in result.findings)


def _diagnostic(finding: Finding) -> dict[str, object]:
    location: dict[str, object] = {"path": portable(finding.path)}
    if finding.line:
        location["range"] = {"start": {"line": finding.line}}
    return {
        "message": portable(with_next_step(finding)),
        "location": location,
        "severity": _SEVERITIES[finding.severity],
        "source": {"name": TOOL},
        "code": {"value": finding.code},
    }
