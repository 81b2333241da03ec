"""Tests that are run again until they pass, where a word on them says so. Found by line, as `freezes` are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.dialect import Unit

MAX_RERUNS = 200
_ANY = pattern_of(rb"[rR]etr|RepeatedIfExceptions|[fF]laky")
_RERUN = pattern_of(
    rb"@(?:\w+\.)*(?:RetryingTest|Retry\w*|RepeatedIfExceptionsTest|FlakyTest)\b|\bretryAnalyzer\s*="
    rb"|\[(?:\w+\.)*(?:Retry|RetryFact|RetryTheory)\w*(?:\(|\])|(?<![\w.:])retry:\s*[1-9]|\bretries\s*=\s*[1-9]|#\[(?:\w+::)*flaky_test\b"
    rb"|\b(?:flaky|retry)\(\s*\d+\s*\)"
)
_COMMENT = pattern_of(rb"\s*(?://|\*|/\*|#(?!\[)|--)")


# The same of JavaScript, for a file, a suite or whatever a hook stands before.
_OF_SCRIPTS = pattern_of(
    rb"\bjest\.retryTimes\(\s*[1-9]|\bthis\.(?:currentTest\.)?retries\(\s*[1-9]|\bvi\.setConfig\([^\n]{0,200}\bretry:\s*[1-9]"
    rb"|\bdescribe(?:\.\w+)?\([^\n]{0,300}?\bretr(?:y|ies):\s*[1-9]|\bdescribe\.configure\([^\n]{0,200}\bretries:\s*[1-9]"
)
_KNOBS = ("retry", "retries")


def script_reruns(data: bytes, owner_of: Callable[[int], str], units: Iterable[Unit]) -> Iterator[Trait]:
    """The same of JavaScript: by what tests say in their options, and by what stands before them."""
    for unit in units:
        for name, value in unit.knobs:
            if name in _KNOBS and not unit.name.endswith("::") and value not in ("0", "false", "undefined"):
                yield Trait("rerun", f"{name}: {value}"[:120], unit.line, unit.name)
    at = count = 0
    for number, line in enumerate(data.splitlines(keepends=True) if b"retr" in data else (), 1):
        found = _OF_SCRIPTS.search(line) if b"retr" in line and _COMMENT.match(line) is None else None
        if found is not None and count < MAX_RERUNS:
            count += 1
            yield Trait("rerun", line.strip()[:120].decode("utf-8", "replace"), number, owner_of(at + found.start()))
        at += len(line)


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
