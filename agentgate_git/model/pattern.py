"""`pattern_of`: `re.compile` for constants, put off until the pattern is asked for something.

The readers and checks hold some hundred patterns, of which one change needs a few; compiling them all was half of the
start of `check`.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, AnyStr


def pattern_of(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, as far as its methods and attributes go; a mistake in it is raised at the first use."""
    return _Late(text, flags)  # type: ignore[return-value]


class _Late:
    def __init__(self, text: str | bytes, flags: int) -> None:
        self.pattern = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Found once, then kept beside the others: what comes here is not on the instance yet."""
        found = getattr(re.compile(self.pattern, self._flags), name)
        setattr(self, name, found)
        return found
