"""Where a finding stands."""

from __future__ import annotations

from agentgate_git.model.finding import Finding
from agentgate_git.render.printable import printable


def place_text(finding: Finding) -> str:
    """` path:line [commit]`, as far as it is known."""
    path = f" {printable(finding.path)}" if finding.path else ""
    line = f":{finding.line}" if finding.line else ""
    return path + line + (f" [{finding.commit[:12]}]" if finding.commit else "")
