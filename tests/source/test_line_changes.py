"""Which lines differ: whatever is not told to differ is equal, and in the same order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.source.line_changes import LineChange, line_changes

LINES = st.lists(st.sampled_from((b"a", b"b", b"c", b"d", b"e", b"f", b"")), max_size=14)


def test_equal_versions_have_no_change() -> None:
    assert line_changes([b"a", b"b"], [b"a", b"b"]) == ()


def test_one_line_in_the_middle() -> None:
    assert line_changes([b"a", b"b", b"c"], [b"a", b"x", b"c"]) == (LineChange(1, 2, 1, 2),)


def test_two_places_are_two_changes() -> None:
    old, new = [b"a", b"b", b"c", b"d", b"e"], [b"x", b"b", b"c", b"d", b"y", b"z"]
    assert line_changes(old, new) == (LineChange(0, 1, 0, 1), LineChange(4, 5, 4, 6))


@given(LINES, LINES)
def test_the_new_version_follows_from_the_old_one_and_the_changes(old: list[bytes], new: list[bytes]) -> None:
    made: list[bytes] = []
    at = 0
    for one in line_changes(old, new):
        made += old[at : one.old_start] + new[one.new_start : one.new_end]
        at = one.old_end
    assert made + old[at:] == new
