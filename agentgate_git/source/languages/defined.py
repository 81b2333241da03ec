"""What production files of other languages define, told by their words: what a test of it may go with."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of

MAX_NAMES = 5_000
_DEFINED = pattern_of(
    rb"\b(?:function\*?|class|interface|struct|enum|trait|object|record|module|def|defp|defmacro|fn|func|fun|const|let|var|val"
    rb"|macro_rules!|type)[ \t]+(?:\([^()\n]{1,80}\)[ \t]*)?(?:self\.)?([A-Za-z_$][\w$]*[?!]?)"
    rb"|\b([A-Za-z_$][\w$]*)[ \t]*\([^;{}()\n]{0,200}\)[^;{}()\n]{0,60}\{"
)


def defined_in(data: bytes) -> tuple[str, ...]:
    """The names of functions, methods and types, each once, in their order; at most MAX_NAMES of them."""
    found: dict[str, None] = {}
    for one in _DEFINED.finditer(data):
        found[(one[1] or one[2]).decode("utf-8", "replace")] = None
        if len(found) >= MAX_NAMES:
            break
    return tuple(found)
