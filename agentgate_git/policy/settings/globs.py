"""Globs of test files: whether those of the head take all that those of the base took."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from agentgate_git.model.pattern import pattern_of

MAX_LENGTH = 200
MAX_PROBES = 24
# More of them in one glob would cost a time that grows with a power of the path.
MAX_DEEP = 2
MAX_IN_NAME = 2
MAX_PATH = 160
_WILD = pattern_of(r"[*?{\[(]")
_PIECE = pattern_of(r"\*\*/|\*\*|\*|\?\([^()]*\)|[@+]\([^()]*\)|\{[^{}]*\}|\[[^\]]*\]|\?|[^*?{\[@+]+|.")


def is_glob(text: str) -> bool:
    """True for a pattern with signs, which names no single file or folder."""
    return _WILD.search(text) is not None


def takes(globs: Iterable[str], path: str) -> bool:
    """True where one of the globs takes a path."""
    if len(path) > MAX_PATH:
        return False
    return any(_compiled(one).fullmatch(path) is not None for one in globs if _is_plain(one))


def lost(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    """A path that the old globs took and the new ones do not, where these take nothing that the old did not.

    Empty where nothing is lost, and where the new ones lead elsewhere.
    """
    if any(not _is_plain(one) or one.startswith("!") for one in (*old, *new)):
        return ""
    stood, stands = frozenset(old), frozenset(new)
    if not all(takes(old, probe) for one in new if one not in stood for probe in probes(one)):
        return ""
    return next((probe for one in old if one not in stands for probe in probes(one) if not takes(new, probe)), "")


def probes(glob: str) -> tuple[str, ...]:
    """Paths that a glob takes: with a name and a folder that nobody has."""
    return tuple(islice(_spelled(_pieces(glob)), MAX_PROBES))


def _is_plain(glob: str) -> bool:
    """True for a glob that is matched in a short time."""
    if len(glob) > MAX_LENGTH or glob.count("**") > MAX_DEEP:
        return False
    return all(part == "**" or part.count("*") + part.count("(") <= MAX_IN_NAME for part in glob.split("/"))


def _plain(glob: str) -> str:
    return glob.strip().removeprefix("<rootDir>/").removeprefix("./").lstrip("/")


def _pieces(glob: str) -> tuple[str, ...]:
    return tuple(found[0] for found in _PIECE.finditer(_plain(glob)))


def _spelled(pieces: tuple[str, ...]) -> Iterator[str]:
    if not pieces:
        yield ""
        return
    for rest in islice(_spelled(pieces[1:]), MAX_PROBES):
        for word in _words(pieces[0]):
            yield word + rest


def _words(piece: str) -> tuple[str, ...]:
    if piece == "**/":
        return ("", "qzx/")
    if piece in ("*", "**", "?"):
        return ("qzx",) if piece != "?" else ("q",)
    if piece.startswith("?("):
        return ("",)
    if piece.startswith(("@(", "+(")):
        return tuple(piece[2:-1].split("|"))
    if piece.startswith("{"):
        return tuple(piece[1:-1].split(","))
    return (piece[1],) if piece.startswith("[") and len(piece) > 2 else (piece,)


@lru_cache(maxsize=2048)
def _compiled(glob: str) -> re.Pattern[str]:
    parts: list[str] = []
    for piece in _pieces(glob):
        if piece == "**/":
            parts.append("(?:[^/]+/){0,20}")
        elif piece == "**":
            parts.append(".*")
        elif piece in ("*", "?"):
            parts.append("[^/]*" if piece == "*" else "[^/]")
        elif piece.startswith(("?(", "@(", "+(", "{")):
            words = piece[2:-1].split("|") if piece[0] != "{" else piece[1:-1].split(",")
            joined = "|".join(re.escape(word).replace(r"\*", "[^/]*") for word in words)
            parts.append(f"(?:{joined}){'?' if piece[0] == '?' else ''}")
        elif piece.startswith("[") and len(piece) > 2:
            parts.append(f"[{re.escape(piece[1:-1])}]")
        else:
            parts.append(re.escape(piece))
    return re.compile("".join(parts))
