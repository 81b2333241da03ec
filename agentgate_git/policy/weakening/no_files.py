"""Tests whose parameters are the files that match a pattern, where the head has none that does: nothing is run."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import AS_GLOB, CONDITIONAL, RUNS, SKIPPED, CollectedTest

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]

_LEAD = f"{AS_GLOB} "
# To match more of them may take a time that grows with a power of the path.
_MAX_STARS = 6
_PARTS = re.compile(r"\*\*/?|\*|\?|\[[^\]]*\]|[^*?\[]+|\[")


def globs_gained(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[str, ...]:
    """The patterns that tests of the head have and none of the base had."""
    old, new = ({one for file in side for test in file.tests.tests for one in _globs(test)} for side in (before, after))
    return tuple(sorted(one for one in new - old if one.count("*") <= _MAX_STARS))


def without_files(after: Side, empty: frozenset[str]) -> Side:
    """The head, with the tests skipped of which a pattern is `empty`; the same tuple where none is."""
    if not empty:
        return after
    return tuple(
        one._replace(tests=one.tests._replace(tests=tuple(_judged(test, empty) for test in one.tests.tests)))
        if any(test.takes for test in one.tests.tests)
        else one
        for one in after
    )


def matcher(pattern: str) -> re.Pattern[str]:
    """A pattern of paths as `pathlib` reads it, over whole paths from the top."""
    return re.compile("".join(_piece(part) for part in _PARTS.findall(pattern[:400])) + r"(?:/.*)?")


def _piece(part: str) -> str:
    if part.startswith("**"):
        return "(?:.*/)?" if part.endswith("/") else ".*"
    if part.startswith("[") and len(part) > 1:
        return "[^/]"
    return {"*": "[^/]*", "?": "[^/]"}.get(part) or re.escape(part)


def _globs(test: CollectedTest) -> tuple[str, ...]:
    return tuple(one.removeprefix(_LEAD) for one in test.takes if one.startswith(_LEAD))


def _judged(test: CollectedTest, empty: frozenset[str]) -> CollectedTest:
    gone = next((one for one in _globs(test) if one in empty), "")
    if not gone or test.state not in (RUNS, CONDITIONAL):
        return test
    return test._replace(
        state=SKIPPED, marker=f"its parameters are the files that match {gone}, of which there are none"
    )
