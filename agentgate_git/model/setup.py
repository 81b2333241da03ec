"""What `install`, `uninstall` and `doctor` say about a clone's set-up: one row a fact."""

from __future__ import annotations

from agentgate_git.model.record import Record

DONE = "done"
PRESENT = "already there"
BY_HAND = "by hand"

OK = "ok"
WARNING = "warning"
MISSING = "missing"


class SetupRow(Record):
    """One fact: `state` is one of the six words above; `next_step` is empty when there is nothing to do."""

    state: str
    message: str
    next_step: str = ""
