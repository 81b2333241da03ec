"""What a server says to whoever pushed: one line a finding; git puts `remote: ` before each."""

from __future__ import annotations

from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.model.received import RefAnswer
from agentgate_git.render.place import place_text
from agentgate_git.render.printable import printable

_SHOWN = 50


def received_lines(answer: RefAnswer) -> list[str]:
    """The findings on one ref, blocking ones first; of a large number the first, and how many more there are."""
    findings = sorted(answer.findings, key=lambda finding: finding.severity != BLOCK)
    lines = [_line(answer.ref, finding) for finding in findings[:_SHOWN]]
    if len(findings) > _SHOWN:
        more = len(findings) - _SHOWN
        lines.append(f"agentgate: {printable(answer.ref)}: and {more} more; next: run `git agentgate check` on it")
    return lines


def refusal_line(message: str, next_step: str) -> str:
    """The line for a push that could not be looked at."""
    return f"agentgate: refused: {printable(message)}; next: {printable(next_step)}"


def summary_line(refused: int, *, is_one_ref: bool) -> str:
    """What became of the push; empty when nothing is refused."""
    if not refused:
        return ""
    if is_one_ref:
        return "agentgate: this ref is refused"
    return f"agentgate: the whole push is refused, for {refused} of its refs; nothing was written"


def _line(ref: str, finding: Finding) -> str:
    word = "refused" if finding.severity == BLOCK else finding.severity
    about = f" {printable(ref)}:" if ref else ""
    said = f"{printable(finding.message)}; next: {printable(finding.next_step)}"
    return f"agentgate: {word}:{about} {finding.code}{place_text(finding)}: {said}"
