"""A finding: a code, a place, what was seen, and the next step."""

from __future__ import annotations

from agentgate_git.model.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BLOCK = "block"
WARN = "warn"
ADVICE = "advice"


def some_of(names: Sequence[str], most: int) -> str:
    """Names for a message, the first of very many: `a, b and 3 more`."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


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
