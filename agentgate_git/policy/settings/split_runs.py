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


def are_others_there(text: str, taken: str) -> bool:
    """True for a share of all tests (`--group 1 of 4`) where the runs beside it `taken` the others, a line each."""
    found = _SHARE.fullmatch(text)
    if found is None:
        return False
    ending = f" of {found[2]}"
    others = {one for one in taken.split("\n") if one.startswith(found[1]) and one.endswith(ending)}
    return len(others - {text}) >= int(found[2]) - 1


def taken_by(marks: frozenset[str]) -> Iterator[str]:
    """What a run with these marks takes by name, if it is sure to happen and to count."""
    if any(mark.startswith(_SOFT) for mark in marks):
        return
    for mark in marks:
        found = _TAKES.fullmatch(mark)
        if found is not None and not _LEFT_OUT.fullmatch(found[1]):
            yield found[1]
