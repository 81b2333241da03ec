"""What checks of settings answer with before it becomes a finding."""

from __future__ import annotations

from agentgate_git.model.record import Record


class GateChange(Record):
    """One change for the worse: its severity, where it stands at the head (line 0 for what is gone), and what it is.

    `key` is that of the setting, where it is one that others of its kind are looked at with.
    """

    severity: str
    path: str
    line: int
    message: str
    key: str = ""
