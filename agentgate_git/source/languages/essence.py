"""What a file of production says without its comments, its imports and the way it is laid out.

Two versions that are the same in this do the same: nothing that a test asks for can hang on what changed. Told by
words, for nothing of production is parsed; where a comment cannot be told from code, it counts as code.
"""

from __future__ import annotations

import re

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.fingerprint import digest_of
from agentgate_git.source.test_names import CPP, ELIXIR, JAVASCRIPT, PHP, PYTHON, RUBY, SHELL

MAX_BYTES = 1 << 18
# What nothing closes goes on to the end of its line, or of the file: each sign is looked at once.
_QUOTED = rb"\"(?:\\[^\n]|[^\"\\\n])*(?:\"|(?=[\n\\])|\Z)|'(?:\\[^\n]|[^'\\\n])*(?:'|(?=[\n\\])|\Z)"
_TEMPLATE = rb"`(?:\\[\s\S]|[^`\\])*(?:`|\\?\Z)"
# A comment that tells a compiler or a build what to do is none.
_SLASHES = (
    rb"(?<![:\\/\w\"'`*])//(?!go:|[ \t]*\+build|[ \t]*@ts-)[^\n]*|(?:(?<=[\s;{}(),])|^)/\*(?:[^*]|\*(?!/))*(?:\*/|\Z)"
)
_HASHES = rb"(?:(?<=\s)|^)\#(?![{\[!])[^\n]*"
_BY_SLASHES = pattern_of(rb"(?m)%s|%s|(%s)" % (_QUOTED, _TEMPLATE, _SLASHES))
_BY_HASHES = pattern_of(rb"(?m)%s|(%s)" % (_QUOTED, _HASHES))
_BY_BOTH = pattern_of(rb"(?m)%s|(%s|%s)" % (_QUOTED, _SLASHES, _HASHES))
_COMMENTS = {**dict.fromkeys((RUBY, ELIXIR, SHELL), _BY_HASHES), PHP: _BY_BOTH}
# Lines that only say where names come from, or hand them on.
_IMPORTS = pattern_of(
    rb"(?m)^[ \t]*(?:import[ \t][^\n;'\"]{0,400}from[ \t]*['\"][^'\"\n]*['\"]"
    rb"|export[ \t]*(?:type[ \t]*)?(?:\*|\{[^{}\n]{0,400}\})[ \t]*from[ \t]*['\"][^'\"\n]*['\"]"
    rb"|(?:const|let|var)[ \t]+[\w${},: \t]{1,200}=[ \t]*require\([ \t]*['\"][^'\"\n]*['\"][ \t]*\)"
    rb"|(?:import|using)[ \t]+(?:static[ \t]+)?[\w.*]{1,400}|use[ \t]+[\w\\:{}, *]{1,200})[ \t]{0,40};?[ \t]{0,40}$"
)
# The type of what a function of TypeScript gives back.
_RESULT = pattern_of(rb"\)\s*:\s*[A-Za-z_][\w.<>\[\]| ]{0,80}?(?=\s*(?:=>|\{))")
_SPACE = pattern_of(rb"\s+")
_AROUND = pattern_of(rb" ?([{}()\[\];,=<>+*:|&?-]) ?")


def essence_of(path: str, language: str, data: bytes) -> tuple[tuple[str, str], ...]:
    """One part without a name, of all that the file says; none for what is too large, and for C, which has macros."""
    if language in ("", PYTHON, CPP) or len(data) > MAX_BYTES:
        return ()
    plain = _COMMENTS.get(language, _BY_SLASHES).sub(_kept, _IMPORTS.sub(b"", data))
    if language == JAVASCRIPT and path.endswith((".ts", ".tsx", ".mts", ".cts")):
        plain = _RESULT.sub(b")", plain)
    plain = _AROUND.sub(rb"\1", _SPACE.sub(b" ", plain)) if language not in (RUBY, SHELL) else _SPACE.sub(b" ", plain)
    return (("", digest_of(plain.decode("utf-8", "replace").strip())),)


def _kept(found: re.Match[bytes]) -> bytes:
    """Nothing of a comment, and a text in quotes so that no space in it is one of the layout."""
    return b" " if found[1] is not None else found[0].hex().encode()
