"""Workflow commands of GitHub Actions: findings as annotations of a pull request."""

from __future__ import annotations

from agentgate_git.model.finding import ADVICE, BLOCK, WARN, Finding
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.portable import with_next_step
from agentgate_git.render.printable import printable

# GitHub keeps ten annotations of each kind for a step and drops the others without a word.
MAX_OF_A_KIND = 10

_KINDS = {BLOCK: "error", WARN: "warning", ADVICE: "notice"}


def check_github(result: CheckResult) -> str:
    """Commands, and what is no command as plain lines; nothing of the author's can begin a line."""
    lines = []
    for severity, kind in _KINDS.items():
        findings = [finding for finding in result.findings if finding.severity == severity]
        lines += [_command(kind, finding) for finding in findings[:MAX_OF_A_KIND]]
        if len(findings) > MAX_OF_A_KIND:
            lines.append(f"and {len(findings) - MAX_OF_A_KIND} more of kind {kind}; --format text lists them all")
    lines += [f"note: {printable(note)}" for note in result.notes]
    return "\n".join(lines)


def _command(kind: str, finding: Finding) -> str:
    commit = f"in {finding.commit[:12]}: " if finding.commit else ""
    place = [("file", finding.path)] if finding.path else []
    place += [("line", str(finding.line))] if finding.line else []
    properties = ",".join(f"{name}={_property(value)}" for name, value in (*place, ("title", finding.code)))
    return f"::{kind} {properties}::{_data(commit + with_next_step(finding))}"


def _data(text: str) -> str:
    """The runner's own escapes, then ours for whatever else a terminal would obey."""
    return printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
