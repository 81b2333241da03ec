"""Tests that are run again until they pass, where a word on them says so. Found by line, as `freezes` are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of

MAX_RERUNS = 200
_ANY = pattern_of(rb"[rR]etr|RepeatedIfExceptions|[fF]laky")
_RERUN = pattern_of(
    rb"@(?:\w+\.)*(?:RetryingTest|Retry\w*|RepeatedIfExceptionsTest|FlakyTest)\b|\bretryAnalyzer\s*="
    rb"|\[(?:\w+\.)*(?:Retry|RetryFact|RetryTheory)\w*(?:\(|\])|(?<![\w.:])retry:\s*[1-9]|\bretries\s*=\s*[1-9]|#\[(?:\w+::)*flaky_test\b"
    rb"|\b(?:flaky|retry)\(\s*\d+\s*\)"
)
_COMMENT = pattern_of(rb"\s*(?://|\*|/\*|#(?!\[)|--)")


def reruns(data: bytes, owner_of: Callable[[int], str]) -> Iterator[Trait]:
    """One trait for each such line that stands on or in a test, which `owner_of` names by a byte."""
    if _ANY.search(data) is None:
        return
    at = count = 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        found = _RERUN.search(line) if _COMMENT.match(line) is None else None
        owner = owner_of(at + found.start()) if found is not None and count < MAX_RERUNS else ""
        if owner:
            count += 1
            yield Trait("rerun", line.strip()[:120].decode("utf-8", "replace"), number, owner)
        at += len(line)
