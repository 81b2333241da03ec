"""Functions and aliases of shell that have the name of a runner: whoever calls it calls them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.programs import PROGRAM, RUNNERS

MAX_SHADOWS = 100
# How many functions, and how many aliases, of one file are looked at.
MAX_LOOKED_AT = 2_000
_ENDINGS = (".sh", ".bash", ".zsh", ".envrc", ".bashrc", ".profile", ".bash_profile", ".zshrc")
_FUNCTION = pattern_of(
    rb"(?m)^[ \t]*(?:function[ \t]+([\w.-]+)[ \t]*(?:\([ \t]*\))?|([\w.-]+)[ \t]*\([ \t]*\))[ \t]*\n?[ \t]*\{"
)
_ALIAS = pattern_of(rb"(?m)^[ \t]*alias[ \t]+([\w.-]+)=(?:'([^'\n]*)'|\"([^\"\n]*)\"|(\S*))")
# How far a body is looked at, to the first bracket at the start of a line or behind a `;`.
_FAR = 1_000
_ENDS = pattern_of(rb"(?:^|[;\n])[ \t]*\}")
# It lists tests, says what it could do, or does nothing with what it is told.
_OFF = pattern_of(
    r"(?<!\S)(?:--(?:list-?[tT]ests?|collect-only|co|help|version|dry-run|no-run|passWithNoTests|init|setup-only|list)\b"
    r"|-(?:N|list)\b)"
)
_IGNORED = pattern_of(r"\|\|\s*(?:true|:|echo|exit 0|return 0)|(?:;|\n)\s*(?:true|:|return 0|exit 0)\s*;?\s*$")
_SAYS = pattern_of(r"(?:(?:echo|printf)\b[^|&<>`$]*|true|:|(?:return|exit)(?: 0)?|local .*|#.*)?")
_PIECES = pattern_of(r"[;\n]")


def may_shadow(path: str) -> bool:
    """True for a script of shell, or what a shell reads when it starts."""
    return path.endswith(_ENDINGS)


def shadow_traits(data: bytes) -> tuple[Trait, ...]:
    """One trait for each runner that starts nothing, or whose failures are dropped, since something has its name."""
    if b"alias" not in data and b"{" not in data:
        return ()
    return tuple(sorted(islice(_shadows(data), MAX_SHADOWS), key=lambda one: one.line))


def _shadows(data: bytes) -> Iterator[Trait]:
    for one in islice(_FUNCTION.finditer(data), MAX_LOOKED_AT):
        name = (one[1] or one[2]).decode("utf-8", "replace")
        if name in RUNNERS:
            end = _ENDS.search(data, one.end(), one.end() + _FAR)
            body = data[one.end() : end.start() if end is not None else one.end()]
            yield from _shadow("a function", name, body, _line(data, one.start()), is_whole=end is not None)
    for one in islice(_ALIAS.finditer(data), MAX_LOOKED_AT):
        name = one[1].decode("utf-8", "replace")
        if name in RUNNERS:
            yield from _shadow(
                "an alias", name, one[2] or one[3] or one[4] or b"", _line(data, one.start()), is_whole=True
            )


def _shadow(what: str, name: str, body: bytes, line: int, *, is_whole: bool) -> Iterator[Trait]:
    text = body.decode("utf-8", "replace")
    is_empty = is_whole and all(_SAYS.fullmatch(piece.strip()) for piece in _PIECES.split(text))
    if is_empty or _OFF.search(text) is not None or _IGNORED.search(text) is not None:
        yield Trait(PROGRAM, f"{what} named {name}: {' '.join(text.split())[:80]}", line)


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
