"""Production that is compiled in another way for its tests: `#ifdef UNIT_TEST`, `#if TESTING` of C, C++, C# and Swift.

A branch in the middle of a function that gives another answer is plain; all else, which may only open a door for
tests, is open.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of

RUNNING = "special.running"
OPEN = ".maybe"

MAX_BUILDS = 100
_MAY = pattern_of(rb"#[ \t]*(?:el)?if[^\n]{0,200}TEST")
_NAMES = r"(?:\w+_)?(?:UNIT_?TESTS?|UNIT_?TESTING|TESTING|RUNNING_TESTS?|IN_TESTS?|TEST_BUILD|TEST_MODE)"
_ASKS = pattern_of(rf"\s*#\s*(if|ifdef|ifndef)\b[^\n]{{0,200}}?(?<!\w)({_NAMES})(?!\w)")
_DIRECTIVE = pattern_of(r"\s*#\s*(if|ifdef|ifndef|else|elif|endif|define)\b\s*(\w*)")
_RETURNS = pattern_of(r"\s*(?:return|throw)\b")
# How many lines of a branch are looked at.
_FAR = 40


def build_traits(data: bytes) -> Iterator[Trait]:
    """One trait for each such branch, at most MAX_BUILDS of them."""
    if _MAY.search(data) is None:
        return
    lines = data.decode("utf-8", "replace").split("\n")
    count = 0
    for at, line in enumerate(lines):
        found = _ASKS.match(line)
        if found is None or _is_guard(lines, at, found[2]):
            continue
        count += 1
        if count > MAX_BUILDS:
            return
        kind = RUNNING if _answers(lines[at + 1 : at + _FAR]) else RUNNING + OPEN
        yield Trait(kind, f"#{found[1]} {found[2]}", at + 1)


def _is_guard(lines: list[str], at: int, name: str) -> bool:
    """True for what keeps a header from being read twice, or gives a name its value where it has none."""
    after = next((one for one in lines[at + 1 : at + 3] if one.strip()), "")
    found = _DIRECTIVE.match(after)
    return found is not None and found[1] == "define" and found[2] == name


def _answers(lines: list[str]) -> bool:
    """True for a branch that returns where it stands: not in brackets that are opened in it, so in a function."""
    nesting = depth = 0
    for line in lines:
        found = _DIRECTIVE.match(line)
        if found is not None and found[1].startswith("if"):
            nesting += 1
        elif found is not None and found[1] == "endif":
            if not nesting:
                return False
            nesting -= 1
        elif found is not None and found[1] in ("else", "elif") and not nesting:
            depth = 0
        elif depth == 0 and not nesting and _RETURNS.match(line) is not None:
            return True
        depth = max(0, depth + line.count("{") - line.count("}"))
    return False
