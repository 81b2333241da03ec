"""Lines that hold one of some words are those that a look at every line finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.source.word_lines import lines_with

WORDS = (b"ab", b"b(", b"c")


@given(
    st.binary(max_size=40) | st.lists(st.sampled_from((b"a", b"b", b"(", b"c", b"\n", b" ")), max_size=40).map(b"".join)
)
def test_every_line_that_holds_a_word_and_no_other(data: bytes) -> None:
    expected = [line for line in data.split(b"\n") if any(word in line for word in WORDS)]
    found = lines_with(WORDS, data)
    assert expected == [data[start:end] for start, end in found]
    assert found == sorted(set(found))
