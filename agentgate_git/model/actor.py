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


class Reason(Record):
    """One thing that was seen on a commit: the rule it speaks for, where it stood, what stood there, whom it names."""

    rule: str
    place: str
    seen: str
    who: str = ""


class Classification(Record):
    """Who a commit counts as (`agent`, `human`, `bot`), the rule that said so, and why in one sentence.

    `reasons` are everything that was seen, the one that decided first; what follows would have decided without it.
    """

    commit: str
    actor: str
    rule: str
    detail: str = ""
    reasons: tuple[Reason, ...] = ()
