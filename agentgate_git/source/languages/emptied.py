"""Lists with nothing in them where a loop of a test goes through them: an empty one, or one of which all is left out.

Only what is written down in the file is counted: a list of literals or of objects, and a filter that compares one of
their values with a literal. Whatever else stands there may hold something.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import split, unquoted
from agentgate_git.source.languages.truth import UNKNOWN, value_of

_LONG = 2_000
_MAX_ROWS = 50
_ENDINGS = (".forEach", ".map", ".every", ".entries()", ".values()")
_CUT = pattern_of(r"(.+)\.slice\(0,0\)")
_FILTERED = pattern_of(r"(.+?)\.filter\(\(?([A-Za-z_$][\w$]*)\)?=>(.+)\)")
_PART = pattern_of(r"\.([A-Za-z_$][\w$]*)")
_PLAIN = pattern_of(r"[\w\s.\"'<>=!&|()+-]{1,200}")


def is_emptied(text: str, table: Callable[[str], str]) -> bool:
    """True for the normalised source of a list that holds nothing; `table` gives the list that a name is bound to."""
    if not text or len(text) > _LONG:
        return False
    for ending in _ENDINGS:
        text = text.removesuffix(ending)
    cut = _CUT.fullmatch(text)
    if cut is not None:
        return True
    filtered = _FILTERED.fullmatch(text)
    if filtered is None:
        return _rows(table(text)) == ()
    rows = _rows(table(filtered[1]))
    if rows is None or len(rows) > _MAX_ROWS:
        return False
    return all(_is_left_out(row, filtered[2], filtered[3]) for row in rows)


def _rows(text: str) -> tuple[str, ...] | None:
    """The items of a list, None for what is none or takes in others."""
    if not (text.startswith("[") and text.endswith("]")):
        return None
    rows = tuple(row for row in split(text[1:-1]) if row)
    return None if any(row.startswith("...") for row in rows) else rows


def _is_left_out(row: str, name: str, condition: str) -> bool:
    """True where a filter certainly does not hold for a row."""
    if not _PLAIN.fullmatch(condition):
        return False
    values = _values(row)
    told = re.sub(
        rf"(?<![\w.$]){re.escape(name)}{_PART.pattern}", lambda found: values.get(found[1], found[0]), condition
    )
    if not row.startswith(("{", "[")):
        told = re.sub(rf"(?<![\w.$]){re.escape(name)}(?![\w.$])", lambda _: row, told)
    value = value_of(told)
    return value is not UNKNOWN and not value


def _values(row: str) -> dict[str, str]:
    """What the keys of an object hold, as it is written."""
    if not (row.startswith("{") and row.endswith("}")):
        return {}
    parts = (part.partition(":") for part in split(row[1:-1]))
    return {unquoted(key): value for key, colon, value in parts if colon}
