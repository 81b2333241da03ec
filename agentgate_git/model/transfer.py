"""How far a fetch or push is."""

from __future__ import annotations

from agentgate_git.model.record import Record


class Progress(Record):
    """How far a transfer is; `total` is 0 while it is not known."""

    stage: str
    done: int
    total: int
