"""Findings for the tests of what is printed."""

from __future__ import annotations

from agentgate_git.model.finding import BLOCK, WARN, Finding
from agentgate_git.model.verdict import CheckResult

SKIPPED = Finding(
    "E_SKIP_MARKER", BLOCK, "tests/test_core.py", "test_one is skipped", "take it out", line=3, commit="c" * 40
)
WHOLE_PATH = Finding("E_GUARDED_PATH", WARN, ".github/ci.yml", "a guarded path is changed", "ask a human")
# Whatever an author can put into a name: what terminals, runners, XML and strict JSON readers stumble over.
ODD = Finding("E_NOT_JUDGED", BLOCK, "a:b,c\udce5\n<&>.py", '\x1b[31m\udce5 %0A\r\n::error::<x a="b">&]]>', "go on")


def result_of(*findings: Finding) -> CheckResult:
    """The answer with these findings."""
    return CheckResult(findings, (), int(any(finding.is_blocking() for finding in findings)))


def many(count: int, severity: str = BLOCK) -> tuple[Finding, ...]:
    """So many findings, each of its own."""
    return tuple(SKIPPED._replace(path=f"tests/test_{n}.py", severity=severity) for n in range(count))
