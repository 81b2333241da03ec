"""Python source as CPython reads it, and what is refused."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.source.python.source import MAX_BYTES, read_python

READ = {
    "utf-8": "# Zürich\n".encode(),
    "empty": b"",
    "byte order mark": b"\xef\xbb\xbfx = 1\n",
    "mark and comment": b"\xef\xbb\xbf# coding: utf-8\n",
    "latin-1 comment": b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
    "emacs spelling": b"# -*- coding: utf-8-unix -*-\nx = '\xc3\xa9'\n",
    "second line": b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = '\x80'\n",
    "second line after a blank": b"\n# coding=koi8-r\nx = '\xc1'\n",
    "third line is no place for it": b"\n\n# coding: latin-1\n",
    "code on the first line": b"x = 1\n# coding: latin-1\n",
    "windows line ends": b"x = 1\r\ny = 2\r\n",
    "old line ends": b"x = 1\ry = 2\r",
    "form feed": b"\x0cx = 1\n",
    "gbk": b"# coding: gbk\nx = '\xc4\xe3'\n",
}


@pytest.mark.parametrize("data", READ.values(), ids=READ)
def test_reads_what_python_reads(data: bytes) -> None:
    assert "" == read_python(data).problem
    assert ast.dump(ast.parse(data)) == ast.dump(read_python(data).tree or ast.Module([], []))


REFUSED = {
    "utf-7": b"# -*- coding: utf-7 -*-\n+AEA-pytest.mark.skip\ndef test_x(): pass\n",
    "rot13": b"# coding: rot13\n",
    "raw unicode escape": b"# coding: raw_unicode_escape\n",
    "unicode escape": b"# coding: unicode_escape\n",
    "utf-16 named": b"# coding: utf-16\n",
    "iso-2022-jp": b"# coding: iso2022_jp\n",
    "no codec": b"# coding: no-such-thing\n",
    "mark and another codec": b"\xef\xbb\xbf# coding: latin-1\n",
    "utf-16": "def test_x(): pass\n".encode("utf-16"),
    "utf-16 without mark": "def test_x(): pass\n".encode("utf-16-be"),
    "NUL": b"def test_x(): pass\n\0",
    "latin-1 without comment": b"x = '\xe9'\n",
    "syntax": b"def test_x(:\n",
    "deep": b"(" * 5_000 + b")" * 5_000,
    "deep without brackets": b"-" * 200_000 + b"1\n",
    "deep on the right": b"x = " + b"not " * 100_000 + b"1\n",
    "long chain": b"x = " + b"1+" * 200_000 + b"1\n",
    "attribute chain": b"x" + b".x" * 200_000 + b"\n",
    "many digits": b"x = " + b"9" * 10_000 + b"\n",
    "large": b"#" * (MAX_BYTES + 1),
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_a_problem_and_never_a_crash(data: bytes) -> None:
    source = read_python(data)
    assert source.tree is None
    assert source.problem


def test_b56_a_test_file_in_an_unreadable_encoding_is_a_problem() -> None:
    assert "UTF-16" in read_python("def test_x(): pass\n".encode("utf-16")).problem
    assert "utf-7" in read_python(REFUSED["utf-7"]).problem


def test_old_escapes_raise_no_warning() -> None:
    assert "" == read_python(b'x = "\\d"\n').problem


@given(st.binary(max_size=300))
def test_no_bytes_crash_the_reader(data: bytes) -> None:
    source = read_python(data)
    assert (source.tree is None) == bool(source.problem)
