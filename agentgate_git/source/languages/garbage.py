"""What a parser that repairs errors takes far too long for, told by its bytes before it is parsed.

Parsers of tree-sitter go on after every error, some of them in time that grows with the square of what they have open.
Real source is far from these bounds, strings and comments included.
"""

from __future__ import annotations

import string

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source import test_names

MAX_OPEN = 1_500
MAX_ANGLES = 100
MAX_WORDS_IN_A_ROW = 2_000
MAX_DART_WORDS_IN_A_ROW = 200
# Of a large file, of what is no layout; source has half and more, tables of short texts a quarter.
LEAST_WORDS = 0.2
_LARGE = 16_384
_WORDS = string.ascii_letters.encode() + string.digits.encode() + b"_" + bytes(range(0x80, 0x100))
_LAYOUT = b" \t\r\n\f"
_WINDOW = 2_048
_MOST_QUOTES = _WINDOW // 2
_BRACKETS = pattern_of(rb"[(\[{)\]}]")
_ANGLES = pattern_of(rb"[<>;{}]")
_ROWS = pattern_of(rb"(?<![\w$])(?:[\w$]++\s++)++")
_QUOTES = b"\"'`"


def garbage(language: str, data: bytes) -> str:
    """Why a file is not worth parsing; empty for source."""
    if _most_open(data) > MAX_OPEN:
        return f"more than {MAX_OPEN} brackets in it are open at once, or were never opened"
    if _most_angles(data) > MAX_ANGLES:
        return f"more than {MAX_ANGLES} of its `<` have no `>`"
    most = MAX_DART_WORDS_IN_A_ROW if language == test_names.DART else MAX_WORDS_IN_A_ROW
    if any(len(row[0]) >= 2 * most and len(row[0].split()) >= most for row in _ROWS.finditer(data)):
        return f"{most} words stand in it in a row"
    if len(data) > _LARGE and _share_of_words(data) < LEAST_WORDS:
        return "hardly anything in it is a word or a number"
    if any(_quotes(data[at : at + _WINDOW]) > _MOST_QUOTES for at in range(0, len(data), _WINDOW)):
        return "it is made of quotes"
    return ""


def _most_open(data: bytes) -> int:
    """The most brackets that are open at once, or that nothing opened, whichever are more."""
    depth = most = alone = 0
    for found in _BRACKETS.findall(data):
        if found in b"([{":
            depth += 1
            most = max(most, depth)
        elif depth:
            depth -= 1
        else:
            alone += 1
    return max(most, alone)


def _most_angles(data: bytes) -> int:
    """The most `<` without their `>` between two ends of a statement."""
    if data.count(b"<") <= MAX_ANGLES:
        return 0
    depth = most = 0
    for found in _ANGLES.findall(data):
        if found == b"<":
            depth += 1
            most = max(most, depth)
        else:
            depth = max(0, depth - 1) if found == b">" else 0
    return most


def _share_of_words(data: bytes) -> float:
    shown = data.translate(None, _LAYOUT)
    return 1 - len(shown.translate(None, _WORDS)) / max(1, len(shown))


def _quotes(window: bytes) -> int:
    return len(window) - len(window.translate(None, _QUOTES))
