"""Who made a commit, as far as it can be shown."""

from __future__ import annotations

from agentgate_git.model.record import Record

AGENT = "agent"
HUMAN = "human"
BOT = "bot"

REPORT = "report"
LENIENT = "lenient"
STRICT = "strict"
MODES = (REPORT, LENIENT, STRICT)


class Classification(Record):
    """Who a commit counts as (`agent`, `human`, `bot`), the rule that said so, and what it saw."""

    commit: str
    actor: str
    rule: str
    detail: str = ""
