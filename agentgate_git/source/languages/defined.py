"""What production files of other languages define, told by their words: what a test of it may go with."""

from __future__ import annotations

import re

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.fingerprint import digest_of
from agentgate_git.source.test_names import RUST

MAX_NAMES = 5_000
# How far behind a name its parameters and result are looked for.
_HEAD = 400
_ENDS = pattern_of(rb"[{;]|=>|\n[ \t]*\n|\bdo\b|\)[ \t]*\n")
_DEFAULT = pattern_of(rb"(?<![=!<>])=(?![=>])[^,()]*")
# What names a value, which is called only where it is a function.
_VALUE = pattern_of(rb"(?:const|let|var|val)\b")
_FUNCTION = pattern_of(rb"[\w$]+(?:\s*:[^=\n]{1,80})?\s*=\s*(?:async\b\s*)?(?:function\b|\(|[\w$]+\s*=>|\{)")
_LOOSE = pattern_of(rb"[\s?]+|//[^\n]*")
_DEFINED = pattern_of(
    rb"\b(?:function\*?|class|interface|struct|enum|trait|object|record|module|def|defp|defmacro|fn|func|fun|const|let|var|val"
    rb"|macro_rules!|type)[ \t]+(?:\([^()\n]{1,80}\)[ \t]*)?(?:self\.)?([A-Za-z_$][\w$]*[?!]?)"
    rb"|\b([A-Za-z_$][\w$]*)[ \t]*\([^;{}()\n]{0,200}\)[^;{}()\n]{0,60}\{"
)
# Texts, which stay, and comments, by what begins one; what is never closed goes to the end, so that all is read once.
_TEXTS = (
    rb"(\"\"\"(?:[^\"]|\"(?!\"\"))*(?:\"\"\"|\Z)|\"(?:[^\"\\\n]|\\.)*(?:\"|(?=\n)|\\?\Z)"
    rb"|'(?:[^'\\\n]|\\.)*(?:'|(?=\n)|\\?\Z)|`[^`]*(?:`|\Z))"
)
_LONG_COMMENT = rb"|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)"
_SLASHED = pattern_of(_TEXTS + rb"|//[^\n]*" + _LONG_COMMENT)
_HASHED = pattern_of(_TEXTS + rb"|(?<![\w$&{\\])\#(?![{\[])[^\n]*|(?<!:)//[^\n]*" + _LONG_COMMENT)
_TESTS = pattern_of(
    rb"#\[cfg\(test\)\]\s{0,20}(?:#\[[^\]\n]{0,80}\]\s{0,20}){0,3}"
    rb"(?:pub(?:\([^)\n]{0,40}\))? )?mod \w{1,80}\s{0,20}\{"
)
_BRACES = pattern_of(rb"\"(?:[^\"\\]|\\.)*(?:\"|\\?\Z)|'\\?[^\n]'|//[^\n]*|[{}]", re.DOTALL)
_HASHES = frozenset(("ruby", "php", "elixir", "shell"))
_MAX_PLAIN = 1 << 20


def defined_in(data: bytes) -> tuple[str, ...]:
    """The names of functions, methods and types, each once, in their order; at most MAX_NAMES of them."""
    found: dict[str, None] = {}
    for one in _DEFINED.finditer(data):
        found[(one[1] or one[2]).decode("utf-8", "replace")] = None
        if len(found) >= MAX_NAMES:
            break
    return tuple(found)


def plain_part(language: str, data: bytes) -> tuple[tuple[str, str], ...]:
    """One part, without a name, that stays the same while only comments and layout change; none of what is huge."""
    if len(data) > _MAX_PLAIN:
        return ()
    if language == RUST:
        data = _without_tests(data)
    pattern = _HASHED if language in _HASHES else _SLASHED
    plain = pattern.sub(lambda found: found[1] or b" ", data)
    return (("", digest_of(" ".join(plain.decode("utf-8", "replace").split()))),)


def _without_tests(data: bytes) -> bytes:
    """A file of Rust without the module of tests at its end."""
    found = _TESTS.search(data)
    if found is None:
        return data
    rest = data[found.end() - 1 :]
    depth = 0
    for one in _BRACES.finditer(rest):
        depth += (one[0] == b"{") - (one[0] == b"}")
        if depth == 0:
            return data[: found.start()] if not rest[one.end() :].strip() else data
    return data


def interfaces_in(data: bytes) -> tuple[tuple[str, str], ...]:
    """(name, digest of how it is called) of functions, methods and types; a name can stand there more than once.

    Values that parameters have by default, and whether they may be missing, do not change how a test calls them.
    """
    found: dict[tuple[str, str], None] = {}
    for one in _DEFINED.finditer(data):
        start = one.start(1) if one[1] else one.start(2)
        head = data[start : start + _HEAD]
        if _VALUE.match(one[0]) and _FUNCTION.match(head) is None:
            continue
        end = _ENDS.search(head)
        plain = _LOOSE.sub(b"", _DEFAULT.sub(b"", head[: end.start()] if end else head.partition(b"\n")[0]))
        found[(one[1] or one[2]).decode("utf-8", "replace"), digest_of(plain.decode("utf-8", "replace"))] = None
        if len(found) >= MAX_NAMES:
            break
    return tuple(found)
