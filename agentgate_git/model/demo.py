"""The demo's story: what somebody does, and what the tool answers."""

from __future__ import annotations

from agentgate_git.model.exit_status import EXIT_ALLOW
from agentgate_git.model.record import Record


class DemoStep(Record):
    """One thing that is done and its answer: `code` is ALLOW or a code, `told` the one that the story expects.

    `command` is what a person would type for it; `why` is the tool's own sentence; `verdict` may be empty.
    """

    story: str
    command: str
    code: str
    verdict: str
    why: str
    exit_status: int
    told: str

    def is_allowed(self) -> bool:
        """True when the answer lets the change go on."""
        return self.exit_status == EXIT_ALLOW

    def is_as_told(self) -> bool:
        """True when the tool answered as the story goes."""
        return self.code == self.told
