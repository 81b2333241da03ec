"""Filters of a pipe that take names out of a list, before what is left of it is handed to tests."""

from __future__ import annotations

import re

from agentgate_git.model.pattern import pattern_of

# What is left out of lists of tests without leaving out tests.
_NO_TESTS = pattern_of(
    r"vendor|node_modules|third[-_]?party|examples?\b|mocks?\b|fakes?\b|generated|testdata|fixtures?|proto|/?cmd\b|tools?\b|"
    r"\bbuild|dist\b|docs?\b|\.git|helpers?|support|templates?|__\w+__|deps\b|target\b|\bbin\b|setup|benchmarks?|\^#|"
    r"\^\$|no test files|\.snap|^total|warning",
    re.IGNORECASE,
)
_AWK_NOT = pattern_of(r"!\s*/([^/]+)/|!~\s*/([^/]+)/")
_SED_OUT = pattern_of(r"(?:^|;)\s*/([^/]+)/\s*d|(?:^|;)\s*\\(.)(.+)\2d")
_INVERTS = pattern_of(r"-[a-zA-Z]*v[a-zA-Z]*|--invert-match")


def sifts(words: tuple[str, ...]) -> str:
    """What a command of a pipe takes out of the list that goes through it; empty for one that hands on all."""
    head = words[0].rpartition("/")[2] if words else ""
    if head in ("grep", "egrep", "fgrep", "rg") and any(_INVERTS.fullmatch(one) for one in words[1:]):
        return _told("grep -v", _patterns(words[1:]))
    if head in ("awk", "gawk"):
        found = _AWK_NOT.search(" ".join(words[1:]))
        return _told("awk !", [one for one in found.groups() if one]) if found else ""
    if head == "sed":
        found = _SED_OUT.search(" ".join(one for one in words[1:] if not one.startswith("-")))
        return _told("sed -d", [one for one in (found[1], found[3]) if one]) if found else ""
    if head in ("find", "fd"):
        return _told("find !", list(_not_found(words)))
    return ""


def _patterns(words: tuple[str, ...]) -> list[str]:
    """The patterns of a call of grep: that of each `-e`, or else the first word."""
    given = [words[at + 1] for at, word in enumerate(words[:-1]) if word in ("-e", "--regexp")]
    return given or [one for one in words if not one.startswith("-")][:1]


def _not_found(words: tuple[str, ...]) -> list[str]:
    """Names after `! -name` or `-not -path`."""
    signs = ("!", "-not", "\\!")
    ways = ("-name", "-path", "-iname", "-ipath", "-wholename")
    return [words[at + 2] for at, word in enumerate(words[:-2]) if word in signs and words[at + 1] in ways]


def _told(way: str, patterns: list[str]) -> str:
    left = [one for one in patterns if one and not _NO_TESTS.search(one) and "$" not in one]
    return f"{way} {left[0]}" if left else ""
