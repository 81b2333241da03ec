"""SARIF 2.1.0: one run, the table of codes as its rules."""

from __future__ import annotations

import json

from agentgate_git import __version__
from agentgate_git.model.code import ALLOW, CODES, CodeInfo
from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.portable import TOOL, portable, with_next_step, worst_first

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "agentgateFinding/v1"
# GitHub shows no more results of a run than this, and takes those that it likes.
MAX_RESULTS = 5_000

_ROOT = "%SRCROOT%"
_LEVELS = {BLOCK: "error", WARN: "warning", ADVICE: "note"}
_RULES = tuple(row for row in CODES.values() if row.code != ALLOW)
_RULE_INDEX = {row.code: index for index, row in enumerate(_RULES)}
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")


def check_sarif(result: CheckResult) -> str:
    """One SARIF log, one line of ASCII."""
    run = {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "the top of the repository"}}},
        "invocations": [
            {
                "executionSuccessful": True,
                "exitCode": result.exit_status,
                "toolExecutionNotifications": [_notification(text) for text in _notes(result)],
            }
        ],
        "results": [_result(finding, mark) for finding, mark in worst_first(result.findings)[:MAX_RESULTS]],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, separators=(",", ":"))


def path_uri(path: str) -> str:
    """A path of the repository as a relative URI: every byte but letters, digits, `-._~/` is percent-encoded."""
    data = path.encode("utf-8", "surrogateescape")
    return "".join(chr(byte) if byte in _PLAIN else f"%{byte:02X}" for byte in data)


def _driver() -> dict[str, object]:
    return {"name": TOOL, "version": __version__, "rules": [_rule(row) for row in _RULES]}


def _rule(row: CodeInfo) -> dict[str, object]:
    return {
        "id": row.code,
        "shortDescription": {"text": row.title},
        "help": {"text": f"{row.title}. Next: {row.next_step}. `git agentgate help {row.code}` explains it."},
        "defaultConfiguration": {"level": _LEVELS[BLOCK]},
    }


def _result(finding: Finding, mark: str) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": portable(with_next_step(finding))},
        "locations": [_location(finding)] if finding.path else [],
        "partialFingerprints": {FINGERPRINT: mark},
        "properties": {"severity": finding.severity, "commit": finding.commit},
    }
    if finding.code in _RULE_INDEX:
        result["ruleIndex"] = _RULE_INDEX[finding.code]
    return result


def _location(finding: Finding) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": {"uri": path_uri(finding.path), "uriBaseId": _ROOT}}
    if finding.line:
        place["region"] = {"startLine": finding.line}
    return {"physicalLocation": place}


def _notes(result: CheckResult) -> tuple[str, ...]:
    left_out = len(result.findings) - MAX_RESULTS
    if left_out <= 0:
        return result.notes
    return (*result.notes, f"{left_out} more findings are left out; --format json has them all")


def _notification(text: str) -> dict[str, object]:
    return {"level": "note", "message": {"text": portable(text)}}
