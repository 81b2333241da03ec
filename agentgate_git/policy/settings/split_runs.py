"""One run of tests that became two: what the one leaves out is what the other takes."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.pattern import pattern_of

# One thing that is left out, marks that say what is taken, and marks of a run that may not happen or not count.
_LEFT_OUT = pattern_of(r"(?:grep (?:-\w+ )*-\w*v\w*|(?:-\w|--[\w-]+) not|--skip|--exclude-tag|-skip) ([^\s|&]+)")
_TAKES = pattern_of(r"(?:paths|narrowed|filtered): (.*)")
_SHARE = pattern_of(r"(--[\w-]+ )\d+ of (\d+)")
_SOFT = ("condition: ", "ignored: ", "off: ")


def left_out(text: str) -> str:
    """The one thing that a mark leaves out by name; empty for any other mark."""
    found = _LEFT_OUT.fullmatch(text)
    return found[1].strip("./\"'") if found else ""


def share(text: str) -> tuple[str, int]:
    """The option of a mark that takes one share of all tests, and of how many; empty for any other mark."""
    found = _SHARE.fullmatch(text)
    return (found[1], int(found[2])) if found is not None else ("", 0)


def taken_by(marks: frozenset[str]) -> Iterator[str]:
    """What a run with these marks takes by name, if it is sure to happen and to count."""
    if any(mark.startswith(_SOFT) for mark in marks):
        return
    for mark in marks:
        found = _TAKES.fullmatch(mark)
        if found is not None and not _LEFT_OUT.fullmatch(found[1]):
            yield found[1]
