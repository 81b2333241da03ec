"""Changes of production that no check looks at, told from the lines that changed and without parsing.

A check of production looks for words: of clocks and chance, of test runners, of comments that silence, of answers
written down. Where no such word stands in or beside what changed, and nothing that changed names what a line with
such a word binds, both versions say the same to every check. Whatever is doubtful is not quiet.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.model.role import PRODUCTION
from agentgate_git.source.languages.silences import may_silence
from agentgate_git.source.line_changes import line_changes
from agentgate_git.source.python.hidden_tests import may_differ_in_tests
from agentgate_git.source.python.reduce_production import reduce_production
from agentgate_git.source.python.source import MAX_BYTES
from agentgate_git.source.python.traits.flags import flags_asked
from agentgate_git.source.python.traits.read import may_have_traits, trait_words
from agentgate_git.source.test_names import PYTHON
from agentgate_git.source.word_lines import lines_with

# Lines that are read with a change: the head of the block it stands in, and the value behind it.
_BESIDE = 3
_WORD = pattern_of(rb"[A-Za-z_]\w*")
_BINDS = pattern_of(rb"[ \t]*([A-Za-z_]\w*)[ \t]*(?::[^=\n]{1,80})?=(?!=)|.*?\b(?:import|as)[ \t]+([^\n#]{1,200})")
_EXAMPLE = pattern_of(rb"^.*>>>.*(?:\n[ \t]*\S.*)*", re.MULTILINE)
_STATEMENT = pattern_of(rb"\n(?=[^\s#)\]}])")
_DEFINES = (b"def ", b"async ", b"@")


class Apart(Record):
    """What of two versions of a file is to be read; `has_comments` where comments that silence may differ too."""

    old: bytes
    new: bytes
    has_comments: bool


def told_apart(path: str, old: bytes, new: bytes) -> Apart | None:
    """What of two versions of a production file is to be read to tell them apart; None when no check could.

    The versions themselves where they may differ in the tests they hold, or are more than can be looked through.
    """
    is_large = max(len(old), len(new)) > MAX_BYTES
    if is_large or may_differ_in_tests(old, new) or _examples(old) != _examples(new):
        return Apart(old, new, has_comments=True)
    text = _touched(old.split(b"\n"), new.split(b"\n"))
    has_comments = may_silence(PYTHON, text)
    words = trait_words(path, PRODUCTION)
    named = _bound_by_words(old, words) | _bound_by_words(new, words) | flags_asked(old, text) | flags_asked(new, text)
    if not may_have_traits(path, PRODUCTION, text) and named.isdisjoint(_WORD.findall(text)):
        return Apart(b"", b"", has_comments) if has_comments else None
    parts = reduce_production(old, new, lambda text: may_have_traits(path, PRODUCTION, text), named)
    return Apart(*parts, has_comments)


def _touched(old: list[bytes], new: list[bytes]) -> bytes:
    """The lines of both versions that differ, and those beside them."""
    touched: list[bytes] = []
    for one in line_changes(old, new):
        touched += old[max(0, one.old_start - _BESIDE) : one.old_end + _BESIDE]
        touched += new[max(0, one.new_start - _BESIDE) : one.new_end + _BESIDE]
    return b"\n".join(touched)


def _examples(data: bytes) -> list[bytes]:
    """The lines of the doctests of a file."""
    return _EXAMPLE.findall(data) if b">>>" in data else []


@lru_cache(maxsize=256)
def _bound_by_words(data: bytes, words: tuple[bytes, ...]) -> frozenset[bytes]:
    """What lines with a word bind for a whole module or class: it may be used in what changed."""
    bound: set[bytes] = set()
    starts: list[int] = []
    for start, end in lines_with(words, data):
        found = _BINDS.match(data, start, end)
        if found:
            starts = starts or [0, *(one.end() for one in _STATEMENT.finditer(data))]
            if _is_outside(data, starts[bisect_right(starts, start) - 1], start):
                bound.update((found[1],) if found[1] else _WORD.findall(found[2]))
    return frozenset(bound)


def _is_outside(data: bytes, statement: int, line: int) -> bool:
    """True for a line of no function; those of a class are told by how far they are indented."""
    if not data.startswith((b"class ", *_DEFINES), statement):
        return True
    return data.startswith(b"class ", statement) and not data.startswith((b"     ", b"\t\t"), line)
