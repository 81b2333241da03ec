"""What a property reads that differs from run to run, and which of its pins that concerns."""

from __future__ import annotations

from agentgate_git.model.record import Record

MISSING = "missing"
UNREAD = "unread"


class Read(Record):
    """One place that reads such a thing: `what` is the source, `owner` the function, empty at module level."""

    path: str
    line: int
    owner: str
    what: str


class PinUse(Record):
    """A pin that a property lacks (`missing`, with the `reads` that it would fix), or that nothing reads (`unread`).

    `source` is one of clock, rng, tz, locale, network, fs; `pin` the name of the pin.
    """

    property_id: str
    kind: str
    pin: str
    source: str
    reads: tuple[Read, ...] = ()


class Seen(Record):
    """A read that was seen in a run: `pin` fixes it, empty for none; `is_needed` where only that makes it stable."""

    pin: str
    source: str
    is_needed: bool
    read: Read


class PropertyUse(Record):
    """All that was found about one property: the `files` looked at (test, then what it imports from the tree)."""

    property_id: str
    module: str
    files: tuple[str, ...]
    uses: tuple[PinUse, ...]
    unpinnable: tuple[Read, ...] = ()
