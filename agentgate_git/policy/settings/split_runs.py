"""One run of tests that became two: what the one leaves out is what the other takes."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model.pattern import pattern_of

# One thing that is left out, marks that say what is taken, and marks of a run that may not happen or not count.
_LEFT_OUT = pattern_of(r"(?:grep (?:-\w+ )*-\w*v\w*|(?:-\w|--[\w-]+) not|--skip|--exclude-tag|-skip) ([^\s|&]+)")
_TAKES = pattern_of(r"(?:paths|narrowed|filtered): (.*)")
_SOFT = ("condition: ", "ignored: ", "off: ")


def is_taken(text: str, others: Iterable[frozenset[str]]) -> bool:
    """True where some other run, of which the marks are given, takes by name what a mark leaves out."""
    left_out = _LEFT_OUT.fullmatch(text)
    wanted = left_out[1].strip("./\"'") if left_out else ""
    return bool(wanted) and any(
        not any(mark.startswith(_SOFT) for mark in marks) and any(_takes(mark, wanted) for mark in marks)
        for marks in others
    )


def _takes(mark: str, wanted: str) -> bool:
    found = _TAKES.fullmatch(mark)
    return found is not None and wanted in found[1] and not _LEFT_OUT.fullmatch(found[1])
