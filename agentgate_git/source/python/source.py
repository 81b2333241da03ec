"""Python source: bytes to a syntax tree as CPython would read them, or the reason why not.

CPython takes any codec that a comment names, utf-7 and rot13 among them, and so hides code from whoever reads
bytes. Only codecs that keep ASCII as it is are read here; the rest is a problem to be told, never skipped.
"""

from __future__ import annotations

import ast
import codecs
import re
import warnings
from collections.abc import Iterator

from agentgate_git.model.facts import NO_PYTHON, NO_PYTHON_EVER, OF_BOTH
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record

MAX_BYTES = 2 << 20
# Words and opening brackets, which is what reading takes time for: as many in every file, more for each byte of it that
# is no space, and never more than the most. The largest test files that were looked at have 53,000 in 420 KB.
FREE_PARTS = 15_000
TEST_PARTS_PER_BYTE = 0.17
PARTS_PER_BYTE = 0.4
MAX_TEST_PARTS = 55_000
MAX_PARTS = 200_000

# Functions, classes and decorators, each of which takes as long as many words. The densest files that were looked at
# have 1,600 in 300 KB of tests, and generated production 3,200 in 190 KB.
FREE_TEST_DEFINITIONS = 1_200
TEST_DEFINITIONS_PER_BYTE = 0.003
FREE_DEFINITIONS = 2_000
DEFINITIONS_PER_BYTE = 0.005

# The same for two versions that are read whole to be compared: as many, and more for each byte of both.
FREE_PARTS_OF_BOTH = 24_000
PARTS_PER_BYTE_OF_BOTH = 0.06
FREE_DEFINITIONS_OF_BOTH = 1_400

_OPENING = (b"(", b"[", b"{")
# Each byte, with a space for those that stand in no word of ASCII.
_SPACED = bytes(byte if chr(byte).isascii() and (chr(byte).isalnum() or byte == 95) else 32 for byte in range(256))
_WORD_PART = pattern_of(r"\w+|[\[({]")
_DEFINITION_WORDS = (b"def", b"class", b"lambda", b"@")
_DEFINITION = pattern_of(r"\b(?:def|class|lambda)\b|@")
_DEFINITIONS = "functions, classes and decorators"
_COOKIE = pattern_of(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = pattern_of(rb"^[ \t\f]*(?:#.*)?$")
_LINE_END = pattern_of(rb"\r\n?|\n")
# A string of each quote, up to its end or, where it has none, the end of the line or file; or a comment.
_TRIPLE = r"%s[^%s\\]*+(?:(?:\\(?:.|\Z)|%s(?!%s))[^%s\\]*+)*+(?:%s|\Z)"
_SINGLE = r"%s[^%s\\\n]*+(?:\\(?:.|\Z)[^%s\\\n]*+)*+%s?"
_QUOTED = pattern_of(
    "|".join(
        (
            *(_TRIPLE % (3 * quote, quote, quote, 2 * quote, quote, 3 * quote) for quote in "'\""),
            *(_SINGLE % (quote, quote, quote, quote) for quote in "'\""),
            r"(?P<comment>#[^\n]*+)",
        )
    ),
    re.DOTALL,
)
_REFUSED = ("Missing parentheses in call to 'print'", "Missing parentheses in call to 'exec'", "leading zeros in")
_CONFLICT = ("<<<<<<< ", ">>>>>>> ", "=======\n")
# A file that no default name makes a test file, and that looks like one.
_SEEMS_TEST = pattern_of(rb"^[ \t]{0,16}(?:async )?def test\w*\(|^class \w+\([\w.]*TestCase\)", re.M)
_LATIN = ("latin-1", "iso-8859-1", "iso-latin-1")
_CODECS = frozenset(
    (
        *("utf-8", "ascii", "iso8859-1", "big5", "euc_jp", "euc_kr", "gb18030", "gb2312", "gbk", "shift_jis", "cp932"),
        *("koi8-r", "koi8-u", "mac-roman", "cp437", "cp850", "cp866", "cp949", "cp950", "tis-620"),
        *(f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16)),
        *(f"cp125{digit}" for digit in range(9)),
    )
)


class PythonSource(Record):
    """A parsed file; `problem` says why there is no tree, else it is empty."""

    tree: ast.Module | None
    problem: str = ""


def read_python(data: bytes) -> PythonSource:
    """Parse a file. Never raises, and takes time linear in its size: what is too large or too deep is a problem."""
    if len(data) > MAX_BYTES:
        return PythonSource(None, f"it has {len(data)} bytes; at most {MAX_BYTES} are read")
    try:
        text = decode_python(data)
    except ValueError as error:
        return PythonSource(None, str(error))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return PythonSource(ast.parse(text))
    except (RecursionError, MemoryError):
        return PythonSource(None, "it is nested too deeply to be read")
    except SyntaxError as error:
        said = NO_PYTHON_EVER if _is_refused_by_all(error) else f"{NO_PYTHON} that this version reads"
        return PythonSource(None, f"{said} (line {error.lineno or 1}: {error.msg})")
    except ValueError as error:
        return PythonSource(None, f"{NO_PYTHON} ({error})")


def _is_refused_by_all(error: SyntaxError) -> bool:
    """True for what newer grammars will not allow either: layout, brackets, conflict marks, statements of Python 2."""
    if isinstance(error, IndentationError) or "was never closed" in error.msg:
        return True
    return error.msg.startswith(_REFUSED) or (error.text or "").startswith(_CONFLICT)


def seems_test(data: bytes) -> bool:
    """True for bytes that define tests, whatever their file is called."""
    return (b"def test" in data or b"TestCase" in data) and _SEEMS_TEST.search(data) is not None


def overwork(data: bytes, *, is_test: bool) -> str:
    """Why a file takes more time to read than it is given, by a count of what takes time; empty for most."""
    size = _solid(data)
    share, most = (TEST_PARTS_PER_BYTE, MAX_TEST_PARTS) if is_test else (PARTS_PER_BYTE, MAX_PARTS)
    limit = min(most, FREE_PARTS + int(share * size))
    count = _count(data, limit)
    if count > limit:
        return f"its code holds {count} words and brackets; of its size at most {limit} are read"
    few, share = FREE_DEFINITIONS, DEFINITIONS_PER_BYTE
    if is_test:
        few, share = FREE_TEST_DEFINITIONS, TEST_DEFINITIONS_PER_BYTE
    limit = few + int(share * size)
    count = _definitions(data, limit)
    return f"its code holds {count} {_DEFINITIONS}; of its size at most {limit} are read" if count > limit else ""


def overwork_of_both(old: bytes, new: bytes) -> str:
    """Why two versions take more time to read whole than a comparison is given; empty for most."""
    size = _solid(old) + _solid(new)
    limit = FREE_PARTS_OF_BOTH + int(PARTS_PER_BYTE_OF_BOTH * size)
    count = _count(old, limit // 2) + _count(new, limit // 2) if size > limit else 0
    if count > limit:
        return f"{OF_BOTH} {count} words and brackets; of their size at most {limit} are read"
    limit = FREE_DEFINITIONS_OF_BOTH + int(TEST_DEFINITIONS_PER_BYTE * size)
    count = _definitions(old, limit // 2) + _definitions(new, limit // 2)
    return f"{OF_BOTH} {count} {_DEFINITIONS}; of their size at most {limit} are read" if count > limit else ""


def _solid(data: bytes) -> int:
    """The bytes that are no spaces."""
    return len(data) - data.count(b" ")


def _count(data: bytes, limit: int) -> int:
    """The words and opening brackets of code; 0 where there are not more than `limit` even with what is no code."""
    if len(data) <= limit or _parts(data) <= limit:
        return 0
    return len(_WORD_PART.findall(_code(data)))


def _parts(data: bytes) -> int:
    """The words of ASCII and the opening brackets, with those that are no code."""
    return len(data.translate(_SPACED).split()) + sum(map(data.count, _OPENING))


def _definitions(data: bytes, limit: int) -> int:
    """The functions, classes and decorators of code; 0 where there are not more than `limit` of their words at all."""
    if sum(map(data.count, _DEFINITION_WORDS)) <= limit:
        return 0
    return len(_DEFINITION.findall(_code(data)))


def _code(data: bytes) -> str:
    """What is no comment and no string."""
    return _QUOTED.sub(_code_of, data.decode("utf-8", "replace"))


def _code_of(token: re.Match[str]) -> str:
    """Nothing for a comment or a string, all of a string that may hold code."""
    before = token.string[max(0, token.start() - 1) : token.start()]
    return token[0] if not token.lastgroup and before in ("f", "F", "r", "R", "t", "T") else " "


def decode_python(data: bytes) -> str:
    """The text of a source file by its byte order mark and coding comment; `ValueError` says why it is refused."""
    has_mark = data.startswith(codecs.BOM_UTF8)
    body = data[3:] if has_mark else data
    if b"\0" in body:
        raise ValueError(f"{NO_PYTHON}: it holds NUL bytes, or is UTF-16")
    name = _cookie(body)
    codec = _codec(name) if name else "utf-8"
    if has_mark and codec != "utf-8":
        raise ValueError(f"it has a UTF-8 byte order mark and a comment that says {name}")
    try:
        return body.decode(codec)
    except UnicodeDecodeError as error:
        line = len(_LINE_END.findall(body, 0, error.start)) + 1
        raise ValueError(f"{NO_PYTHON}: line {line} is not {codec}") from None


def comments_of(text: str) -> Iterator[tuple[int, int]]:
    """Where the comments of a source text start and end, without parsing it; lines end in a newline alone."""
    for token in _QUOTED.finditer(text):
        if token.lastgroup:
            yield token.span()


def _cookie(body: bytes) -> str:
    """The codec named in the first line, or in the second when the first holds no code."""
    lines = _LINE_END.split(body[:4096], maxsplit=2)[:2]
    for line in lines:
        found = _COOKIE.match(line)
        if found:
            return found[1].decode("ascii", "replace")
        if not _BLANK.match(line):
            return ""
    return ""


def _codec(name: str) -> str:
    """The codec that CPython takes for a name; it drops what editors add, as in utf-8-unix."""
    plain = name.lower().replace("_", "-")
    if plain == "utf-8" or plain.startswith("utf-8-"):
        return "utf-8"
    if plain in _LATIN or plain.startswith(tuple(f"{latin}-" for latin in _LATIN)):
        return "iso8859-1"
    try:
        known = codecs.lookup(name).name
    except (LookupError, ValueError):
        raise ValueError(f"its coding comment names {name}, which is no codec") from None
    if known not in _CODECS:
        raise ValueError(f"its coding comment names {known}, which is not read; save the file as UTF-8")
    return known
