"""Text of others on a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """Text that cannot move the cursor, colour the screen or break a line: controls and surrogates are escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
