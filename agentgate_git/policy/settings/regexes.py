"""Regular expressions of paths of tests: whether those of the head take all that those of the base took.

They are tried on paths as files of tests are called; one that may take a long time to match is not tried.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from agentgate_git.model.pattern import pattern_of

_MAX_LENGTH = 200
_MAX_REPEATS = 2
_MAX_REGEXES = 8
_REPEATS = pattern_of(r"(?<!\\)[*+{]")
_SLOW = pattern_of(r"\)[*+{]|\(\?[<!=]|\\\d")
_FOLDERS = ("src/qzx/", "src/qzx/__tests__/", "test/", "tests/unit/", "spec/", "e2e/", "__tests__/integration/")
_NAMES = (
    *("qzx", "qzx.test", "qzx.spec", "qzx-test", "qzx_test", "qzx.unit", "qzx.e2e-spec", "qzx.integration.test"),
    "Test",
)
_ENDINGS = (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts")
_TOLD = pattern_of(r"(?:test|spec)s?\.\w+$")


def lost_by_regex(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, bool]:
    """A path that the old ones took and the new ones do not, where these take nothing else, or an empty text.

    With it, whether it is called a test by its own name.
    """
    before, after = ([_compiled(one) for one in texts[:_MAX_REGEXES]] for texts in (old, new))
    if None in before or None in after:
        return "", False
    takes, left = ({path for path in _paths() if _any(found, path)} for found in (before, after))
    if not left or not left < takes:
        return "", False
    gone = sorted(takes - left, key=lambda path: (_TOLD.search(path) is None, path))
    return gone[0], _TOLD.search(gone[0]) is not None


def takes_by_regex(texts: tuple[str, ...], path: str) -> bool:
    """True where one of the regular expressions finds itself in a path."""
    return len(path) < _MAX_LENGTH and _any([_compiled(one) for one in texts[:_MAX_REGEXES]], path)


@lru_cache(maxsize=1)
def _paths() -> tuple[str, ...]:
    return tuple("".join(parts) for parts in product(_FOLDERS, _NAMES, _ENDINGS))


def _any(found: list[re.Pattern[str] | None], path: str) -> bool:
    return any(one is not None and one.search(f"/{path}") is not None for one in found)


@lru_cache(maxsize=64)
def _compiled(text: str) -> re.Pattern[str] | None:
    if len(text) > _MAX_LENGTH or len(_REPEATS.findall(text)) > _MAX_REPEATS or _SLOW.search(text):
        return None
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return None
