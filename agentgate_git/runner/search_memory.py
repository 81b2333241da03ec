"""What is kept of a search, symbol by symbol, so that one that was ended early can go on."""

from __future__ import annotations

from agentgate_git.model.symbol import SymbolChange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.runner.event_lines import Event


class SearchMemory:
    """Remembers what the falsifier told about symbols that it was done with; this one for as long as it lives."""

    def __init__(self) -> None:
        self.events: dict[SymbolChange, tuple[Event, ...]] = {}

    def recall(self, change: SymbolChange) -> tuple[Event, ...]:
        """All events of a symbol, as they were told; empty for one that has to be searched."""
        return self.events.get(change, ())

    def keep(self, change: SymbolChange, events: tuple[Event, ...]) -> None:
        """A symbol is done with; these are all of its events."""
        self.events[change] = events
