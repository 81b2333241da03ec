"""JUnit XML: one suite for the gate, one case for the decision and one for each code that was found."""

from __future__ import annotations

from agentgate_git.model.finding import Finding
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.printable import printable

SUITE = "agentgate"
DECISION = "decision"
# As html.escape has them; loading html would cost every `check` 10 ms.
_ESCAPED = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#x27;"))


def check_junit(result: CheckResult) -> str:
    """The document, ASCII. A code fails when one of its findings blocks; others stand in the output of their case."""
    by_code: dict[str, list[Finding]] = {}
    for finding in result.findings:
        by_code.setdefault(finding.code, []).append(finding)
    blocking = sum(finding.is_blocking() for finding in result.findings)
    cases = [_decision(blocking, result), *(_case(name, rows) for name, rows in by_code.items())]
    failures = sum("<failure" in case for case in cases)
    counts = f'tests="{len(cases)}" failures="{failures}" errors="0" skipped="0"'
    lines = (
        '<?xml version="1.0" encoding="utf-8"?>',
        f"<testsuites {counts}>",
        f'<testsuite name="{SUITE}" {counts} time="0">',
        *cases,
        "</testsuite>",
        "</testsuites>",
    )
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode("ascii")


def _decision(blocking: int, result: CheckResult) -> str:
    failure = _failure(f"refused: {blocking} blocking finding(s)", ()) if blocking else ""
    return _testcase(DECISION, failure + _output(result.notes))


def _case(name: str, findings: list[Finding]) -> str:
    blocking = [_told(finding) for finding in findings if finding.is_blocking()]
    others = [_told(finding) for finding in findings if not finding.is_blocking()]
    failure = _failure(f"{len(blocking)} blocking finding(s)", blocking) if blocking else ""
    return _testcase(name, failure + _output(others))


def _testcase(name: str, content: str) -> str:
    return f'<testcase classname="{SUITE}" name="{_text(name)}" time="0">{content}</testcase>'


def _failure(message: str, lines: list[str] | tuple[str, ...]) -> str:
    return f'<failure message="{_text(message)}">{_joined(lines)}</failure>'


def _output(lines: list[str] | tuple[str, ...]) -> str:
    return f"<system-out>{_joined(lines)}</system-out>" if lines else ""


def _told(finding: Finding) -> str:
    line = f":{finding.line}" if finding.line else ""
    commit = f" [{finding.commit[:12]}]" if finding.commit else ""
    return f"{finding.severity} {finding.path}{line}{commit}: {finding.message}; next: {finding.next_step}"


def _joined(lines: list[str] | tuple[str, ...]) -> str:
    return "\n".join(map(_text, lines))


def _text(text: str) -> str:
    """XML knows no way to write control characters, so they are spelt out before the rest is escaped."""
    text = printable(text)
    for character, escaped in _ESCAPED:
        text = text.replace(character, escaped)
    return text
