"""Notes as bundles: any bytes are read, a union of lines is a correct merge."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentgate_git.model.evidence import BadLine
from agentgate_git.model.limits import MAX_LINE, MAX_NOTE
from agentgate_git.wire.bundle import MAX_BAD_LINES, join_lines, read_line, read_note, split_lines
from agentgate_git.wire.canonical import Malformed
from testing.records import SOME_TREE, some_line

LINES = st.integers(0, 9).map(some_line)
PIECES = st.one_of(
    LINES, st.binary(max_size=40), st.sampled_from([b"", b" ", b"\n", b"\r", b"{}", b"null", b'{"a":1.5}'])
)


@settings(deadline=None, max_examples=300)
@given(st.binary() | st.lists(PIECES).map(b"\n".join))
def test_the_reader_takes_any_bytes(data: bytes) -> None:
    note = read_note(SOME_TREE, data)
    assert SOME_TREE == note.object
    assert all(line.text in data for line in note.lines)


@settings(deadline=None, max_examples=200)
@given(st.lists(PIECES), st.lists(PIECES))
def test_a_union_keeps_every_record_of_both_sides(ours: list[bytes], theirs: list[bytes]) -> None:
    both = join_lines(split_lines(b"\n".join(ours)) + split_lines(b"\n".join(theirs)))
    expected = {line.text for side in (ours, theirs) for line in read_note(SOME_TREE, b"\n".join(side)).lines}
    assert expected == {line.text for line in read_note(SOME_TREE, both).lines}


def test_a_line_keeps_its_bytes_and_is_named_by_their_sha256() -> None:
    (line,) = read_note(SOME_TREE, some_line(1) + b"\n").lines
    assert (some_line(1), hashlib.sha256(some_line(1)).hexdigest()) == (line.text, line.sha256)


def test_repeated_and_blank_lines_are_no_records() -> None:
    note = read_note(SOME_TREE, b"\n\r\n" + some_line(2) + b"\n \n" + some_line(1) + b"\n" + some_line(2))
    assert ([some_line(2), some_line(1)], ()) == ([line.text for line in note.lines], note.bad_lines)


def test_lines_that_are_no_records_are_counted_and_hide_nothing() -> None:
    note = read_note(SOME_TREE, b"hello\n" + some_line(1) + b'\n{"payload":1.5}\n')
    assert [some_line(1)] == [line.text for line in note.lines]
    assert (
        BadLine(1, "is not JSON (Expecting value at character 0)"),
        BadLine(3, "holds a number that is no integer: 1.5"),
    ) == note.bad_lines


def test_the_list_of_bad_lines_is_bounded() -> None:
    note = read_note(SOME_TREE, b"".join(b"%d x\n" % number for number in range(MAX_BAD_LINES + 5)))
    assert (MAX_BAD_LINES + 1, BadLine(0, "5 more lines are no records")) == (len(note.bad_lines), note.bad_lines[-1])


def test_a_note_that_is_too_long_is_not_read() -> None:
    note = read_note(SOME_TREE, b"\n" * (MAX_NOTE + 1))
    assert ((), (BadLine(0, "the note is longer than 67108864 bytes"),)) == (note.lines, note.bad_lines)


def test_a_line_that_is_too_long_is_not_read() -> None:
    with pytest.raises(Malformed, match=r"^is longer than 1048576 bytes$"):
        read_line(b" " * (MAX_LINE + 1))


def test_written_lines_are_sorted_once_each_and_ended() -> None:
    assert b"a\nb\r\n\xff\n" == join_lines([b"\xff", b"b\r", b"a", b"", b"a"])
