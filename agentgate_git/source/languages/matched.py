"""What a pattern that a value has to match tells apart: all of the value, or only its shape."""

from __future__ import annotations

import re

from agentgate_git.model.inventory import EXACT, SOUGHT
from agentgate_git.model.pattern import pattern_of

_STRING = pattern_of(r'"[^"]*"')
_GUARD = pattern_of(r"(?:(?<=[)\]}])| )if[ (!]")
_LEFT_OPEN = pattern_of(r"(?<![\w.])_(?!\w)|\.\.|\||@")
_VALUE = pattern_of(r"\"\"|(?<![\w.])-?\d|\b(?:true|false)\b")
_BOUND = pattern_of(r"(?<![\w:.\"'])[a-z_]\w*(?![\w(:!{\"'])")
_WORDS = frozenset(("ref", "mut", "box", "true", "false"))
_LONG = 2_000


def strength_of_pattern(pattern: str) -> str:
    """EXACT where every part of it is a value, or bound to a name that its guard compares with one; else SOUGHT.

    A pattern that only names a variant tells a kind, which is not more than SOUGHT.
    """
    if len(pattern) > _LONG:
        return SOUGHT
    found = _GUARD.search(pattern)
    shape = _STRING.sub('""', pattern[: found.start()] if found is not None else pattern)
    guard = _STRING.sub('""', pattern[found.end() :]) if found is not None else ""
    names = [name for name in _BOUND.findall(shape) if name not in _WORDS]
    if _LEFT_OPEN.search(shape) or "||" in guard or not all(_is_compared(name, guard) for name in names):
        return SOUGHT
    return EXACT if names or _VALUE.search(shape) else SOUGHT


def _is_compared(name: str, guard: str) -> bool:
    told = re.escape(name)
    return re.search(rf"(?<![\w.]){told}(?:\.\w+\(\))?==|==[*&]?{told}(?![\w(])", guard) is not None
