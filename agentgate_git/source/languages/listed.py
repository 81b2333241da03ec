"""Rows of data that tests are run on, where they are written as a list somewhere else than on the test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.dialect import Unit
from agentgate_git.source.languages.syntax import Code, Span, closing, split

OPEN = "*"
MAX_BYTES = 20_000
# How many rows of one list are taken for a test: many tests may be run on the same.
MAX_ROWS = 500
_ROWS_AT_ALL = 2_000
_BYTES_PER_ROW = 4
_MEMBER = pattern_of(
    rb"\b(?:static|public|private|internal)\b[^;={}()\n]{1,160}?\b(\w+)"
    rb"[ \t\r\n]{0,40}(?:\([ \t]{0,4}\)[ \t\r\n]{0,40})?(?=\{|=>|=(?!=))"
)
_BRACKETS = pattern_of(rb"[\[({\])};\"]")
_ROW = pattern_of(r"new(?: object\??)?\[\]\{|new(?: \w+)?TestCaseData\(|new object\??\[\]\{|Row\(|\byield return ?\[")
_MADE = pattern_of(r"(?:return |=>?)?(?:new [\w<>\[\],?. ]*|new\(\))?(?:\(\))?(?=[{\[])")
_BREAKS = pattern_of(r'"(?:[^"\\\n]|\\.)*"|[{}]|(?<=[;{}])yield break\b')
_KEY = pattern_of(r"(?<=[\[({,])(?:\"[\w $.-]*\"|\w+)(?:=>|:)(?!:)")
_NAME = pattern_of(r'"[^"]*"(?:=>|:)(?=[\[(a])')


def with_rows(units: Iterable[Unit], size: int) -> Iterator[Unit]:
    """The tests of a file of so many bytes; where many are run on one long list, the rows of the last are open."""
    left = _ROWS_AT_ALL + size // _BYTES_PER_ROW
    for unit in units:
        left -= len(unit.rows)
        yield unit if left >= 0 or len(unit.rows) <= 1 else unit._replace(rows=(f"{OPEN}more rows",))


def rows_in(text: str) -> tuple[str, ...]:
    """The elements of a list as normalised text, `[[1, 2], [3, 4]]`, without keys that name them and their parts."""
    if text[:1] not in ("[", "{", "(") or closing(text, 0) != len(text) - 1:
        return ()
    return tuple(without_keys(row) for row in split(text[1:-1]))


def without_keys(row: str) -> str:
    """A row of values whatever it and they are called: `"none" => ["price" => 1]` is `[1]`."""
    named = _NAME.match(row)
    return _KEY.sub("", row[named.end() :] if named is not None else row)


def member_rows(code: Code, name: str) -> tuple[str, ...]:
    """The rows in a member of a class of C# that gives them: objects in arrays, or in braces."""
    known = code.once(_known_rows)
    if name not in known:
        place = code.once(_members).get(name.encode())
        known[name] = _rows_of(_member(code, place))[:MAX_ROWS] if place is not None else ()
    return known[name]


def dead_rows(code: Code, name: str) -> tuple[str, ...]:
    """The rows that stand in such a member behind the place where it ends whatever happens."""
    place = code.once(_members).get(name.encode()) if code.says(b"yield break") else None
    text = _member(code, place) if place is not None else ""
    left, is_cut = _until_break(text)
    return _rows_of(text[len(left) :])[:MAX_ROWS] if is_cut else ()


def _known_rows(_code: Code) -> dict[str, tuple[str, ...]]:
    """The rows of the members that were asked for."""
    return {}


def _members(code: Code) -> dict[bytes, int]:
    """Where each member of the classes of a file begins, behind its name."""
    return {one[1]: one.end() for one in _MEMBER.finditer(code.data)}


def _rows_of(text: str) -> tuple[str, ...]:
    text, is_cut = _until_break(text)
    found = []
    at = 0
    while (row := _ROW.search(text, at)) is not None:
        end = closing(text, row.end() - 1)
        if end < 0:
            break
        inner = text[row.end() : end]
        if _ROW.search(inner) is None:
            found.append(f"({inner})")
            at = end
        else:
            at = row.end()  # an array of rows
    if found or is_cut:
        return tuple(found)
    made = _MADE.match(text)
    rows = rows_in(text[made.end() :].rstrip(";")) if made is not None else ()
    return tuple(f"({row[1:-1]})" if row[:1] in "{[" else f"({row})" for row in rows)


def _until_break(text: str) -> tuple[str, bool]:
    """The text up to where it gives no more rows whatever happens, and whether there is such a place."""
    depth = 0
    for one in _BREAKS.finditer(text) if "yield break" in text else ():
        depth += (one[0] == "{") - (one[0] == "}")
        if one[0][0] == "y" and depth == 1:
            return text[: one.start()], True
    return text, False


def _member(code: Code, start: int) -> str:
    """What stands behind the name of a member, as normalised text."""
    depth = 0
    is_quoted = False
    for one in _BRACKETS.finditer(code.data, start, start + MAX_BYTES):
        sign = one[0]
        if sign == b'"':
            is_quoted = not is_quoted
        elif not is_quoted:
            depth += (sign in b"[({") - (sign in b"])}")
            is_end = depth <= 0 and sign in b";}"
            if is_end and not (sign == b"}" and code.data[one.end() : one.end() + 1] in (b";", b",")):
                return code.normal(Span(start, one.end()))
    return ""
