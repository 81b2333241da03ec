"""Tests by line patterns, for a language whose grammar is not installed: their names, and what switches them off.

This sees less than a syntax tree: one marker a line, no aliases, no conditions, no assertions. Findings say so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.inventory import NOT_COLLECTED, RUNS, SKIPPED, CollectedTest
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import fingerprint

_COMMENT = pattern_of(r"^\s*(?://|#(?!\[)|\*|/\*|--)")
_CALLED = r"(?P<call>x?(?:it|test|describe|specify|context|group|scenario)|ignore|fit|fdescribe)"
_DEFINITIONS = pattern_of(
    rf"""^\s*(?:await\s+)?{_CALLED}(?P<chain>(?:\.\w+|\[["']\w+["']\])*)\s*+\(?\s*+["'`](?P<title>[^"'`]+)["'`]"""
    r"""|^\s*@test\s+["'](?P<bats>[^"']+)["']"""
    r"|^\s*(?:pub\s+|public\s+|private\s+|async\s+|static\s+|final\s+|void\s+|fun\s+|fn\s+|func\s+|def\s+|function\s+|Task\s+)+"
    r"(?:\([^)]*\)\s*)?(?P<function>(?=\w*?[tT]est)\w++)\s*[(<{]"
    r"|^\s*(?P<macro>TEST|TEST_F|TEST_P|TEST_CASE)\s*\((?P<of>[^)]*)\)"
)
_OFF = pattern_of(
    r"""(?:\.|\[["'])(?:skip|todo|fixme|failing|fails)\b|^\s*x(?:it|test|describe)\b|^\s*ignore\s*\(|\bskip:\s*(?:true|["'])"""
    r"|#\[ignore|@(?:Disabled|Ignore|Skip)\b|\[(?:Ignore|Explicit)\b|\bSkip\s*=|enabled\s*=\s*false|@tag\s+:skip|DISABLED_"
    r"|GTEST_SKIP\(|\bt\.Skip(?:f|Now)?\(|markTest(?:Skipped|Incomplete)\(|XCTSkip|^\s*skip\b|^\s*pending\b|\[!mayfail\]"
)


def read_lines(data: bytes) -> tuple[CollectedTest, ...]:
    """The tests of a file by its lines; each reaches to the next."""
    lines = data.decode("utf-8", "replace").splitlines()
    tests: list[CollectedTest] = []
    before: list[tuple[int, str]] = []
    start, name = 0, ""
    body: list[str] = []
    marks: list[tuple[int, str]] = []
    for number, line in enumerate((*lines, ""), 1):
        found = _DEFINITIONS.match(line)
        if found or number > len(lines):
            if name:
                tests.append(_test(name, start, body, marks))
            marks = [*before, *_marks(number, line)]
            before = []
            start, name, body = number, _title(found) if found else "", []
            continue
        if _COMMENT.match(line):
            continue
        if _is_attribute(line):
            before.extend(_marks(number, line))
            continue
        if line.strip():
            before = []
        body.append("".join(line.split()))
        marks.extend(_marks(number, line))
    return tuple(tests)


def _test(name: str, line: int, body: list[str], marks: list[tuple[int, str]]) -> CollectedTest:
    text = "\n".join(one for one in body if one and not _OFF.search(one))
    digest = fingerprint(text) if "(" in text else ""
    if not marks:
        return CollectedTest(name, RUNS, line, digest)
    at, marker = marks[0]
    return CollectedTest(name, NOT_COLLECTED if marker.startswith("DISABLED_") else SKIPPED, at, digest, marker)


def _marks(number: int, line: str) -> Iterator[tuple[int, str]]:
    found = _OFF.search(line)
    if found:
        yield number, found[0].strip()


def _is_attribute(line: str) -> bool:
    return line.lstrip().startswith(("#[", "@", "[")) and not line.rstrip().endswith("{")


def _title(found: re.Match[str]) -> str:
    return next((found[key] for key in ("title", "bats", "function", "of") if found[key]), "")
