"""Data that decides which tests run: lists of tests to leave out, and cases that a test is run with."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.names import TooTangled
from agentgate_git.source.roles import is_test_side

LISTED = "list.test"
CASE = "case.row"
# A line of a table of the tests, whatever it is called: it may be a case.
LINE = "case.line"

_ENDINGS = (".json", ".yaml", ".yml", ".csv", ".tsv", ".txt", ".lst", ".list")
_LEFT_OUT = pattern_of(
    r"quarantin|skip|x_?fail|deselect|flaky|known[_-]?(?:fail|issue|bug)|exclu|disabled|ignored?[_.-]|broken|block_?list"
    r"|deny_?list|expected[_-]?fail|unstable",
    re.I,
)
_CASES = pattern_of(
    r"(?:^|[_.-])(?:test_?)?(?:cases?|vectors?|params?|parameters|tables?|scenarios?|samples?)(?:[_.-]|$)", re.I
)
_TEST_ID = pattern_of(
    r"(?<![\w./-])(?:[\w./-]{1,200}\.py::)?(?:\w{1,80}(?:::|\.)){0,4}test_\w{1,120}(?:\[[^\]\n]{0,120}\])?(?!\w|\.py)"
)
_COMMENT = pattern_of(r"(?m)(?:^|[^\S\n])#.*$")
_TABLES = (".csv", ".tsv")
_MAX_TABLE = 1 << 16
_MAX_BYTES = 1 << 22
_MAX_ROWS = 100_000
_SHOWN = 100


def chooses_tests(path: str) -> bool:
    """True for a file that is no code and whose name says that it lists tests to leave out, or cases of tests."""
    name = path.lower().rpartition("/")[2]
    if not name.endswith(_ENDINGS):
        return False
    is_case = bool(_CASES.search(name)) or name.endswith(_TABLES)
    return bool(_LEFT_OUT.search(name)) or (is_case and is_test_side(path))


def is_left_out(name: str) -> bool:
    """True for the name of a file or a list which says that what is in it is left out."""
    return bool(_LEFT_OUT.search(name))


def is_test_id(text: str) -> bool:
    """True for a text that is the name or the id of one test."""
    return _TEST_ID.fullmatch(text) is not None


def read_test_data(path: str, data: bytes) -> tuple[Trait, ...]:
    """The names of tests in a list of those to leave out, or the rows of a file of cases; TooTangled for too many."""
    name = path.lower().rpartition("/")[2]
    is_table = not (_LEFT_OUT.search(name) or _CASES.search(name))
    if is_table and len(data) > _MAX_TABLE:
        return ()
    if len(data) > _MAX_BYTES:
        raise TooTangled(f"it is larger than {_MAX_BYTES >> 20} MiB")
    text = data.decode("utf-8", "replace")
    found = _listed(text) if _LEFT_OUT.search(name) else _rows(name, text)
    rows = tuple(islice(found, _MAX_ROWS + 1))
    if len(rows) > _MAX_ROWS:
        raise TooTangled(f"it has more than {_MAX_ROWS:,} rows")
    return tuple(one._replace(kind=LINE) for one in rows) if is_table else rows


def _listed(text: str) -> Iterator[Trait]:
    for number, line in enumerate(_COMMENT.sub("", text).split("\n"), 1):
        for found in _TEST_ID.finditer(line):
            yield Trait(LISTED, found[0], number)


def _rows(name: str, text: str) -> Iterator[Trait]:
    if name.endswith(".json"):
        try:
            held = json.loads(text)
        except ValueError:
            return
        except RecursionError:
            raise TooTangled("it is nested too deeply") from None
        yield from _json_rows(held)
    elif name.endswith((".yaml", ".yml")):
        yield from _yaml_rows(text)
    elif name.endswith((".csv", ".tsv")):
        for number, line in enumerate(text.splitlines()[1:], 2):
            if line.strip():
                yield Trait(CASE, line.strip(), number)


def _json_rows(held: Any) -> Iterator[Trait]:
    if isinstance(held, list):
        rows = [json.dumps(row, sort_keys=True) for row in held if isinstance(row, dict | list)]
    elif isinstance(held, dict) and all(isinstance(value, dict) for value in held.values()):
        rows = [f"{name}: {json.dumps(value, sort_keys=True)}" for name, value in held.items()]
    elif isinstance(held, dict):
        for value in held.values():
            if isinstance(value, list):
                yield from _json_rows(value)
        return
    else:
        return
    for row in rows:
        yield Trait(CASE, row if len(row) <= _SHOWN else f"{row[:_SHOWN]}… {_digest(row)}", 1)


def _digest(text: str) -> str:
    """A short name for a long row, the same in every process."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]


def _yaml_rows(text: str) -> Iterator[Trait]:
    """The items of the outermost list, as they are written without comments and blank lines."""
    lines = [line.rstrip() for line in text.splitlines()]
    items = [line for line in lines if line.lstrip().startswith("- ")]
    depth = min((len(line) - len(line.lstrip()) for line in items), default=-1)
    if depth < 0:
        return
    row: list[str] = []
    start = 1
    for number, line in enumerate(lines, 1):
        is_item = line[depth : depth + 2] == "- " and not line[:depth].strip()
        if is_item or (line.strip() and len(line) - len(line.lstrip()) < depth):
            yield from _yaml_row(row, start)
            row, start = ([line] if is_item else []), number
        elif row and line.strip() and not line.lstrip().startswith("#"):
            row.append(line)
    yield from _yaml_row(row, start)


def _yaml_row(row: list[str], line: int) -> Iterator[Trait]:
    if row:
        text = " ".join(" ".join(row).split())
        yield Trait(CASE, text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… {_digest(text)}", line)
