"""How far a fetch, a push or a long look at a history is."""

from __future__ import annotations

from agentgate_git.model.record import Record


class Progress(Record):
    """How far it is; `total` is 0 while it is not known."""

    stage: str
    done: int
    total: int
