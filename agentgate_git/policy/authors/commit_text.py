"""The text of a commit as marks are looked for in it: folded lines, paragraphs, trailers, addresses.

Reading is more generous than `git interpret-trailers`: what it finds can only make the answer stricter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record

_BREAK = pattern_of("\r\n|[\n\r\v\f\x85\u2028\u2029]")
_TRAILER = pattern_of(r"([a-z0-9][a-z0-9-]*) ?: ?(.*)")
_ADDRESS = pattern_of(r"(.*?) ?<([^<>]*)>[^<>]*")
_DASHES = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D), "-")


class Person(Record):
    """A folded name and address."""

    name: str
    email: str


class Trailer(Record):
    """A folded `key: value` line; `is_in_block` when it stands where git looks for trailers."""

    key: str
    value: str
    is_in_block: bool


class MessageText(Record):
    """A message taken apart: every trailer-like line after the subject, and the lines a footer may stand on."""

    trailers: tuple[Trailer, ...]
    footers: tuple[str, ...]


def fold(text: str) -> str:
    """NFKC, without characters of no width, dashes alike, blanks collapsed, case folded."""
    if text.isascii():
        return " ".join(text.split()).lower()
    wide = unicodedata.normalize("NFKC", text).translate(_DASHES)
    shown = "".join(character for character in wide if not _is_invisible(character))
    return " ".join(unicodedata.normalize("NFKC", shown.casefold()).split())


def read_message(message: str) -> MessageText:
    """The trailers and possible footers of a message; the subject line is neither."""
    paragraphs = _paragraphs(message)
    body = [paragraphs[0][1:], *paragraphs[1:]] if paragraphs else []
    blocks = {len(body) - 1}
    blocks.update(index - 1 for index, lines in enumerate(body) if lines and lines[0] == "---")
    trailers = tuple(
        Trailer(key, value, index in blocks) for index, lines in enumerate(body) for key, value in _trailers(lines)
    )
    footers = tuple(line.strip() for lines in body[-2:] for line in lines)
    return MessageText(trailers, footers)


def read_person(value: str) -> Person:
    """Name and address of a folded trailer value, with or without `<>` around the address."""
    found = _ADDRESS.fullmatch(value)
    if found:
        return Person(found[1], found[2].strip())
    name, _, last = value.rpartition(" ")
    return Person(name, last) if "@" in last else Person(value, "")


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) == "Cf" or "\ufe00" <= character <= "\ufe0f"


def _paragraphs(message: str) -> list[list[str]]:
    """Folded lines by paragraph; a line of its own `---` starts one; a folded line keeps one leading blank."""
    paragraphs: list[list[str]] = []
    is_open = False
    for line in _BREAK.split(message):
        folded = fold(line)
        if not folded:
            is_open = False
            continue
        if not is_open or folded == "---":
            paragraphs.append([])
        is_open = True
        paragraphs[-1].append(" " + folded if line[:1] in (" ", "\t") else folded)
    return paragraphs


def _trailers(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Trailer lines with their continuation lines joined."""
    key = value = ""
    for line in lines:
        if line.startswith(" ") and key:
            value += line
            continue
        if key:
            yield key, value
        found = _TRAILER.fullmatch(line.strip())
        key, value = (found[1], found[2]) if found else ("", "")
    if key:
        yield key, value
