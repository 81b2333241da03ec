"""A finding: a code, a place, what was seen, and the next step."""

from __future__ import annotations

from agentgate_git.model.record import Record

BLOCK = "block"
WARN = "warn"
ADVICE = "advice"


class Finding(Record):
    """`line` counts from 1, 0 when the whole path is meant; `commit` is empty for a whole range.

    `tests` are the tests that it is about, each as `path::name`; `adopted_by` is the human who took it over.
    """

    code: str
    severity: str
    path: str
    message: str
    next_step: str
    line: int = 0
    commit: str = ""
    tests: tuple[str, ...] = ()
    adopted_by: str = ""

    def is_blocking(self) -> bool:
        """True when the change may not go in as it stands."""
        return self.severity == BLOCK
