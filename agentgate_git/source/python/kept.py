"""Answers about pieces of text, remembered: most of what one version of a file holds the next one holds too."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar

_MAX_SMALL = 8 << 10
_LARGE = 32

Read = TypeVar("Read", bound=Callable[..., Any])


def kept(most: int) -> Callable[[Read], Read]:
    """A function of a text that remembers what it said of the texts asked about last, `most` of them.

    Of texts of more than 8 KB it remembers 32, since each of them may be as long as a file.
    """

    def remembering(read: Read) -> Read:
        small, large = lru_cache(maxsize=most)(read), lru_cache(maxsize=_LARGE)(read)

        @wraps(read)
        def answer(text: bytes, *rest: Any) -> Any:
            return (small if len(text) <= _MAX_SMALL else large)(text, *rest)

        return answer  # type: ignore[return-value]

    return remembering
