"""Which lines differ between two versions of a file, by the lines that both have once and in the same order.

Quicker than `difflib` by two orders of magnitude on a large file, and content with a difference that is not the
smallest: what is said to be equal is equal, what is said to differ may hold a line or two that do not.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from agentgate_git.model.record import Record


class LineChange(Record):
    """Lines `old_start` up to `old_end` of one version became `new_start` up to `new_end`; all count from 0."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def line_changes(old: list[bytes], new: list[bytes]) -> tuple[LineChange, ...]:
    """Where the versions differ, in order; between two changes stands at least one line that is equal."""
    whole = _trimmed(old, new, LineChange(0, len(old), 0, len(new)))
    return tuple(one for one in _parts(old, new, whole) if one.old_start != one.old_end or one.new_start != one.new_end)


def _parts(old: list[bytes], new: list[bytes], whole: LineChange) -> Iterator[LineChange]:
    """What lies between the anchors of a change, which may be nothing."""
    at, to = whole.old_start, whole.new_start
    for one, other in _anchors(old[at : whole.old_end], new[to : whole.new_end]):
        place, there = whole.old_start + one, whole.new_start + other
        yield _trimmed(old, new, LineChange(at, place, to, there))
        at, to = place + 1, there + 1
    yield _trimmed(old, new, LineChange(at, whole.old_end, to, whole.new_end))


def _trimmed(old: list[bytes], new: list[bytes], change: LineChange) -> LineChange:
    """The change without the equal lines at its ends."""
    old_start, old_end, new_start, new_end = change
    while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
        old_start += 1
        new_start += 1
    while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
        old_end -= 1
        new_end -= 1
    return LineChange(old_start, old_end, new_start, new_end)


def _anchors(old: list[bytes], new: list[bytes]) -> list[tuple[int, int]]:
    """The longest run, in both orders, of lines that stand once in each: (place in old, place in new)."""
    once = {line for line, count in Counter(new).items() if count == 1}
    places = {line: at for at, line in enumerate(new) if line in once}
    counts = Counter(old)
    pairs = [(at, places[line]) for at, line in enumerate(old) if line in places and counts[line] == 1]
    ends: list[int] = []
    rows: list[int] = []
    before: list[int] = []
    for row, (_, place) in enumerate(pairs):
        at = bisect_left(ends, place)
        before.append(rows[at - 1] if at else -1)
        if at == len(ends):
            ends.append(place)
            rows.append(row)
        else:
            ends[at] = place
            rows[at] = row
    found = []
    row = rows[-1] if rows else -1
    while row >= 0:
        found.append(pairs[row])
        row = before[row]
    return found[::-1]
