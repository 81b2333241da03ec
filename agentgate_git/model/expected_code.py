"""The expected codes that are shipped: what a decision is made from, and what must come out of it."""

from __future__ import annotations

from agentgate_git.model.record import Record


class ExpectedCode(Record):
    """The bytes of a run's files, None where there is none, and the code that must come out of them.

    `change` is one of CHANGES (model/run_record.py), `now` is RFC 3339 with a zone.
    """

    id: str
    record: bytes
    credit: bytes | None
    freeze: bytes | None
    change: str
    now: str
    code: str


class SelftestResult(Record):
    """How many expected codes were asked for, and those that came out otherwise: id, expected code, actual code."""

    total: int
    differing: tuple[tuple[str, str, str], ...]
