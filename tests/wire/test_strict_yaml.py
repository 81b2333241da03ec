"""Strict YAML: what is read has one meaning, what is refused names its line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.wire.strict_yaml import (
    MAX_BYTES,
    MAX_DEPTH,
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    StrictYamlError,
    read_documents,
)


def plain(node: Node) -> object:
    match node:
        case Mapping(entries=entries):
            return {entry.key: plain(entry.value) for entry in entries}
        case Sequence(items=items):
            return [plain(item) for item in items]
        case _:
            return node.value


def line_at_fault(data: bytes) -> int:
    try:
        read_documents(data)
    except StrictYamlError as refusal:
        return refusal.line
    return 1


READ = {
    "text": ("a: UTC", {"a": "UTC"}),
    "path": ("a: tests/x.py", {"a": "tests/x.py"}),
    "quoted octal": ('a: "0022"', {"a": "0022"}),
    "integers": ("a: 0\nb: -7\nc: 9007199254740991", {"a": 0, "b": -7, "c": 9007199254740991}),
    "booleans": ("a: true\nb: false", {"a": True, "b": False}),
    "nulls": ("a: null\nb: ~\nc:", {"a": None, "b": None, "c": None}),
    "quoted words": ("a: \"yes\"\nb: 'no'", {"a": "yes", "b": "no"}),
    "flow": ("a: [x, {b: 1}]", {"a": ["x", {"b": 1}]}),
    "block text": ("a: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
    "comment": ("# note\na: 1 # more\n", {"a": 1}),
    "windows line ends": ("a: 1\r\nb: 2\r\n", {"a": 1, "b": 2}),
    "unicode value": ("a: Zürich ✓", {"a": "Zürich ✓"}),
    "version text": ("a: v1.2.3", {"a": "v1.2.3"}),
    "word with digits": ("a: e5", {"a": "e5"}),
}

REFUSED = {
    "octal": ("a: 0022", 1, 'quote it: "0022"'),
    "hexadecimal": ("a: 0x1F", 1, "quote it"),
    "new octal": ("a: 0o17", 1, "quote it"),
    "float": ("a: 1.5", 1, "quote it"),
    "exponent": ("a: 1e5", 1, "quote it"),
    "sexagesimal": ("a: 12:30:45", 1, "quote it"),
    "underscores": ("a: 1_000", 1, "quote it"),
    "date": ("a: 2026-01-01", 1, "quote it"),
    "infinity": ("a: .inf", 1, "quote it"),
    "large integer": ("a: 9007199254740992", 1, "quote it"),
    "plus sign": ("a: +1", 1, "quote it"),
    "yes": ("x: 1\na: yes", 2, 'quote it: "yes"'),
    "True": ("a: True", 1, "quote it"),
    "NULL": ("a: NULL", 1, "quote it"),
    "duplicate key": ("a: 1\nb: 2\na: 3", 3, "stands twice, first on line 1"),
    "duplicate key, one quoted": ('a: 1\n"a": 2', 2, "stands twice"),
    "duplicate key on one line": ("{a: 1, a: 2}", 1, "stands twice"),
    "integer key": ("1: a", 1, "must be text"),
    "null key": ("~: a", 1, "must be text"),
    "boolean key": ("true: a", 1, "must be text"),
    "list as key": ("? [a]\n: b", 1, "must be text"),
    "look-alike key": ("\u0440ins: 1", 1, "plain ASCII"),
    "anchor": ("a: &x 1", 1, "anchors"),
    "alias": ("a: 1\nb: *a", 2, "aliases"),
    "merge key": ("a:\n  <<: {b: 1}", 2, "more than one meaning"),
    "tag": ("a: !!str 1", 1, "tags"),
    "tag on a mapping": ("a: !x {}", 1, "tags"),
    "directive": ("%YAML 1.1\n---\na: 1", 1, "directives"),
    "unknown directive": ("%FOO\n---\na: 1", 1, "directives"),
    "tab indentation": ("a:\n\tb: 1", 2, "cannot start any token"),
    "unclosed": ("a: [1", 1, "expected"),
    "b45 longer conflict markers": ("<<<<<<<<< ours\na: 1\n=========\na: 2\n>>>>>>>>> theirs\n", 1, "conflict marker"),
    "conflict markers": ("a: 1\n<<<<<<< HEAD\nb: 2\n=======\nb: 3\n>>>>>>> side\n", 2, "conflict marker"),
    "escaped line separator": ('a: "x\\u2028y"', 1, "U+2028"),
    "escaped surrogate": ('a: "\\ud800"', 1, "U+D800"),
    "zero width": ("a: x\u200by", 1, "U+200B"),
    "right to left": ("a: 1\nb: \u202ex", 2, "U+202E"),
}


@pytest.mark.parametrize(("text", "expected"), READ.values(), ids=READ)
def test_reads(text: str, expected: object) -> None:
    assert [expected] == [plain(node) for node in read_documents(text.encode())]


@pytest.mark.parametrize(("text", "line", "reason"), REFUSED.values(), ids=REFUSED)
def test_refuses_and_names_the_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(StrictYamlError) as refusal:
        read_documents(text.encode("utf-8", "surrogatepass"))
    assert line == refusal.value.line
    assert reason in refusal.value.reason


def test_every_node_knows_its_line() -> None:
    assert (
        Mapping(2, (Entry(2, "a", Sequence(3, (Scalar(3, 1), Scalar(4, "x")))), Entry(5, "b", Scalar(5, None)))),
    ) == read_documents(b"# note\na:\n  - 1\n  - x\nb:\n")


def test_several_documents() -> None:
    assert [{"a": 1}, {"a": 2}] == [plain(node) for node in read_documents(b"a: 1\n---\na: 2\n")]


def test_an_empty_file_has_no_document() -> None:
    assert () == read_documents(b"# only a comment\n")


def test_depth_is_bounded() -> None:
    read_documents(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    for data in (b"[" * (MAX_DEPTH + 1), b"[" * 50_000, b"{a: " * 10_000):
        with pytest.raises(StrictYamlError, match="nested more than"):
            read_documents(data)


def test_size_is_bounded() -> None:
    with pytest.raises(StrictYamlError, match="at most"):
        read_documents(b"#" * (MAX_BYTES + 1))


HIDDEN = {
    "line separator": "pins:\n  tz: UTC  # pinned by ops\u2028  tz: CET\n",
    "next line": "pins:\n  tz: UTC  # pinned by ops\x85  tz: CET\n",
    "carriage return": "pins:\n  tz: UTC  # pinned by ops\r  tz: CET\n",
    "plain duplicate": "pins:\n  tz: UTC\n  tz: CET\n",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_b77_duplicate_keys_are_refused_however_they_are_hidden(text: str) -> None:
    with pytest.raises(StrictYamlError) as refusal:
        read_documents(text.encode())
    assert refusal.value.line in (2, 3)


ENCODINGS = {
    "utf-16 with mark": "pins: {}\n".encode("utf-16"),
    "utf-16 without mark": "pins: {}\n".encode("utf-16-le"),
    "utf-8 with mark": b"\xef\xbb\xbfpins: {}\n",
    "latin-1": "pins: Zürich\n".encode("latin-1"),
    "NUL": b"pins: {}\x00\n",
    "escape": b"pins: \x1b[0m\n",
}


@pytest.mark.parametrize("data", ENCODINGS.values(), ids=ENCODINGS)
def test_b56_manifests_in_another_encoding_are_refused(data: bytes) -> None:
    with pytest.raises(StrictYamlError) as refusal:
        read_documents(data)
    assert 1 == refusal.value.line


@given(st.binary(max_size=400))
def test_no_bytes_crash_the_loader(data: bytes) -> None:
    assert 1 <= line_at_fault(data) <= data.count(b"\n") + 2


YAML_PIECES = [
    "a",
    "b",
    ": ",
    ":",
    "\n",
    "  ",
    "- ",
    "---\n",
    "...\n",
    "[",
    "]",
    "{",
    "}",
    ",",
    '"',
    "'",
    "|",
    ">",
    "&x ",
]
YAML_PIECES += [
    "*x",
    "!t ",
    "? ",
    "#",
    "%",
    "\\",
    "1",
    "0",
    "true",
    "null",
    "<<",
    "\t",
    "@",
    "`",
    "\\u2028",
    "\\UFFFFFFFF",
]


@given(st.lists(st.sampled_from(YAML_PIECES), max_size=40).map("".join))
def test_no_yaml_crashes_the_loader(text: str) -> None:
    assert 1 <= line_at_fault(text.encode()) <= text.count("\n") + 2
