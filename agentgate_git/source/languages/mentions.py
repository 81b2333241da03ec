"""How often a file names each of its functions: by itself or of itself, in its code or as a whole text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

_WORD = rb"[\w$\x80-\xff]+"
# A method of that name of something else is no mention.
_MENTION = re.compile(
    rb"(?<![\w$.>\"'])(?:(?:this|self|super)\.|\$this->|self::)?(" + _WORD + rb")(?=\s*[^\w\s$\"'])"
    rb"|[\"'](" + _WORD + rb")[\"']"
)
# Go's way to keep a name from being unused.
_KEPT = re.compile(rb"(?<![\w$])_\s*=\s*(" + _WORD + rb")(?![\w$(])")


def mentions_of(data: bytes, comments: Iterable[bytes]) -> Counter[bytes]:
    """The mentions of each name in a file, without its comments and what only keeps a name from being unused."""
    found = Counter(_mentions(data))
    found.subtract(_KEPT.findall(data))
    for comment in comments:
        found.subtract(_mentions(comment))
    return found


def _mentions(data: bytes) -> Iterator[bytes]:
    return (bare or quoted for bare, quoted in _MENTION.findall(data))
