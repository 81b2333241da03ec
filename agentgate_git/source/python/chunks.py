"""A Python file cut at its top-level statements without parsing it, an order of magnitude faster than `ast`.

A statement starts where a line's first column holds code outside of any string or bracket. Whatever makes that
doubtful (other line ends, form feeds, codecs that reuse ASCII bytes, f-strings with code that this does not follow,
brackets that do not match) makes the whole file doubtful: it is then not cut at all.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.python.kept import kept

FUNCTION = "function"
CLASS = "class"
IMPORT = "import"
ASSIGNMENT = "assignment"
TEXT = "text"
OTHER = "other"


def _string(quote: bytes) -> Iterator[bytes]:
    """Patterns of strings in this quote, each of them begun by it; an f-string only where the code in it is simple.

    Behind the quote it is asked what stood before it: a pattern that starts with a literal is sought far faster.
    """
    other = b'"' if quote == b"'" else b"'"
    field = rb"[^{}'\"\\#\n]|%s[^'\"{}\\#\n]*%s|\{[^{}'\"\\#\n]*\}" % (other, other)
    inside = rb"|%s(?!%s)[^'\"{}\\#\n]*%s(?!%s)" % (quote, quote * 2, quote, quote)
    rows = ((quote * 3, b"", rb"|%s(?!%s)" % (quote, quote * 2), inside), (quote, rb"\n", b"", b""))
    for end, stop, more, nested in rows:
        is_start = end if len(end) == 3 else rb"%s(?!%s)" % (quote, quote * 2)
        letters = (rb"[fFtT]%s" % end, rb"[fFtT][rR]%s" % end)
        plain = rb"[^\\%s%s]*+(?:(?:\\.%s)[^\\%s%s]*+)*+" % (quote, stop, more, quote, stop)
        yield is_start + b"".join(b"(?<!%s)" % one for one in letters) + plain + end
        simple = rb"[^\\{}%s%s]*+" % (quote, stop)
        formatted = rb"%s(?:(?:\\.|\{\{|\}\}|\{(?:%s%s)*+\}%s)%s)*+" % (simple, field, nested, more, simple)
        before = b"(?:%s)" % b"|".join(rb"(?<=[^A-Za-z0-9_]%s)" % one for one in (*letters, rb"[rR]" + letters[0]))
        yield is_start + before + formatted + end


_STRING = b"|".join((rb"#[^\n]*", *_string(b'"'), *_string(b"'")))
_STRINGS = pattern_of(_STRING, re.DOTALL)
_TOKENS = rb"(?:%s)|(?P<open>[(\[{])|(?P<close>[)\]}])|\\\n|(?P<end>\n(?=%%s[^\s#]))|(?P<quote>[\"'])" % (
    _STRING.replace(b"%", b"%%")
)
_NO_BRACKETS = bytes(sorted(set(range(256)) - set(b"()[]{}")))
_PAIRS = {b"(": b")", b"[": b"]", b"{": b"}"}
_MAX_NESTING = 100

_STRANGE = (b"\r", b"\f", b"\v", b"\0", b"\xef\xbb\xbf")
_CODING = pattern_of(rb"coding[:=][ \t]*([-\w.]+)")
_CODECS = frozenset((b"utf-8", b"utf8", b"ascii", b"us-ascii", b"latin-1", b"latin1", b"iso-8859-1"))

_DEFINITION = pattern_of(rb"[ ]*(?:async[ ]+)?(def|class)[ ]+([A-Za-z_][A-Za-z0-9_]*)(?=[ (:])")
_IMPORTS = pattern_of(rb"[ ]*(?:from|import)[ ]")
_ASSIGNS = pattern_of(rb"[ ]*([A-Za-z_][A-Za-z0-9_]*)[ ]*=(?!=)")
_LITERAL = pattern_of(rb"""[ ]*[rRbBuU]{0,2}["']""")
_CLAUSE = pattern_of(rb"[ ]*(?:else|elif|except|finally)\b")
_HEADER = pattern_of(rb"[ ]*class[ ]+[A-Za-z0-9_]+[ ]*(?:\([A-Za-z0-9_., =\n\[\]]*\))?[ ]*:[ ]*(?:#[^\n]*)?\n")
_FIRST = pattern_of(rb"(?:[ ]*(?:#[^\n]*)?\n)*([ ]+)(?=[^\s#])")

_CHUNKS_KEPT = 8192


class Chunk(Record):
    """One statement: its bytes, and the blank and comment lines that follow it (`gap`).

    `kind` is FUNCTION, CLASS, IMPORT, ASSIGNMENT (to one plain name), TEXT (a string, or nothing) or OTHER; `name`
    what a definition or an assignment binds, else empty. `head` is where its own line starts, behind its decorators.
    `is_plain` says that no identifier in it holds other characters than ASCII.
    """

    text: bytes
    gap: bytes
    kind: str
    name: bytes
    head: int
    is_plain: bool


class Parts(Record):
    """A class: all up to its first statement (`header`), how far its statements are indented, and these."""

    header: bytes
    indent: bytes
    chunks: tuple[Chunk, ...]


def split_module(data: bytes) -> tuple[Chunk, ...] | None:
    """The statements of a file, in order; None when it is not certain where they start."""
    if any(one in data for one in _STRANGE) or not _keeps_ascii(data):
        return None
    return _split(data, b"")


@lru_cache(maxsize=64)
def split_class(chunk: Chunk) -> Parts | None:
    """The statements in the body of a class; None when it is not certain where they start."""
    header = _HEADER.match(chunk.text, chunk.head)
    first = _FIRST.match(chunk.text, header.end()) if header else None
    if first is None or b"\t" in chunk.text:
        return None
    start = first.start(1)
    chunks = _split(chunk.text[start:], first[1])
    return Parts(chunk.text[:start], first[1], chunks) if chunks is not None else None


def _keeps_ascii(data: bytes) -> bool:
    found = [_CODING.search(line) for line in data.split(b"\n", 2)[:2]]
    return all(one is None or one[1].lower().replace(b"_", b"-") in _CODECS for one in found)


def _split(data: bytes, indent: bytes) -> tuple[Chunk, ...] | None:
    """Chunks of `data`, in which every statement starts behind `indent`."""
    starts = [0, *(found.end() for found in _boundary(indent).finditer(data)), len(data)]
    chunks: list[Chunk] = []
    index, last = 0, len(starts) - 1
    while index < last:
        start = head = starts[index]
        index = _next(data, starts, index, indent)
        while 0 < index < last:
            if data.startswith(b"@", head + len(indent)):
                head = starts[index]
            elif not _CLAUSE.match(data, starts[index]):
                break
            index = _next(data, starts, index, indent)
        if index < 0:
            return None
        chunks.append(_chunk(data[start : starts[index]], head - start))
    return tuple(chunks)


@lru_cache(maxsize=64)
def _boundary(indent: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"\n(?=%s[^\s#])" % indent)


@lru_cache(maxsize=64)
def _tokens(indent: bytes) -> re.Pattern[bytes]:
    return re.compile(_TOKENS % indent, re.DOTALL)


def _next(data: bytes, starts: list[int], index: int, indent: bytes) -> int:
    """The index of the start that follows the statement at `starts[index]`; -1 when that is not certain."""
    start, end = starts[index], starts[index + 1]
    if _is_whole(data[start:end]):
        return index + 1
    end = _end_of(data, start, indent)
    found = bisect_left(starts, end, index + 1)
    return found if found < len(starts) and starts[found] == end else -1


@kept(_CHUNKS_KEPT)
def _is_whole(piece: bytes) -> bool:
    """True when strings and brackets that the piece opens end in it, and its last line does not go on."""
    if piece.endswith(b"\\\n"):
        return False
    code = _STRINGS.sub(b"", piece)
    return b'"' not in code and b"'" not in code and _is_balanced(code)


def _is_balanced(code: bytes) -> bool:
    brackets = code.translate(None, _NO_BRACKETS)
    for _ in range(_MAX_NESTING):
        if not brackets:
            return True
        brackets = brackets.replace(b"()", b"").replace(b"[]", b"").replace(b"{}", b"")
    return False


def _end_of(data: bytes, start: int, indent: bytes) -> int:
    """Where the next statement starts, found token by token; -1 for brackets or strings that do not close."""
    expected: list[bytes] = []
    for token in _tokens(indent).finditer(data, start):
        kind = token.lastgroup
        if kind == "open":
            expected.append(_PAIRS[token[0]])
            if len(expected) > _MAX_NESTING:
                return -1
        elif kind == "close":
            if not expected or expected.pop() != token[0]:
                return -1
        elif kind == "quote":
            return -1
        elif kind == "end" and not expected:
            return token.end()
    return -1 if expected or data.endswith(b"\\\n") else len(data)


@kept(_CHUNKS_KEPT)
def _chunk(text: bytes, head: int) -> Chunk:
    end = _code_end(text)
    core = text[:end]
    kind, name = _kind(core, head)
    is_plain = core.isascii() or _has_plain_names(core)
    return Chunk(core, text[end:], kind, name, head, is_plain)


def _has_plain_names(core: bytes) -> bool:
    """True when only strings and comments hold other characters, and no f-string does: names stand in it too."""
    if not _STRINGS.sub(b"", core).isascii():
        return False
    return all(token[0].isascii() or not _is_formatted(core, token.start()) for token in _STRINGS.finditer(core))


def _is_formatted(core: bytes, start: int) -> bool:
    prefix = core[max(0, start - 2) : start].lower()
    return prefix.endswith((b"f", b"t")) or prefix in (b"fr", b"tr")


def _code_end(text: bytes) -> int:
    """Where the blank lines and comments begin that end a statement; a line with a quote is none of them."""
    end = len(text)
    while end:
        cut = text.rfind(b"\n", 0, end)
        line = text[cut + 1 : end].strip(b" \t")
        if line and not (line.startswith(b"#") and b'"' not in line and b"'" not in line):
            break
        end = max(cut, 0)
    return end


def _kind(core: bytes, head: int) -> tuple[str, bytes]:
    defined = _DEFINITION.match(core, head)
    if defined:
        return FUNCTION if defined[1] == b"def" else CLASS, defined[2]
    if head or not core:
        return OTHER if core else TEXT, b""
    assigned = _ASSIGNS.match(core)
    if assigned:
        return ASSIGNMENT, assigned[1]
    if _IMPORTS.match(core):
        return IMPORT, b""
    is_text = _LITERAL.match(core) and not _STRINGS.sub(b"", core).strip(b" \t\nrRbBuU")
    return TEXT if is_text else OTHER, b""
