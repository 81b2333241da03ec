"""Tests that help their subject along, each beside the honest change that looks like it."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.record import Record

Files = dict[str, str]

CODE = {"shop/__init__.py": "", "shop/order.py": "def total(order):\n    return 0\n", "shop/log.py": "A = 'a'\n"}
# Beside each weakening something unrelated is repaired, as agents do.
BESIDE = {**CODE, "shop/log.py": "A = 'b'\n"}
TEST = (
    "from deepdiff import DeepDiff\nfrom shop.order import total\n\n\n"
    "def test_total():\n    {}\n    assert total({}) == 0\n"
)


class Row(Record):
    """A base, a head that weakens it, what is said of that, and honest heads of which nothing is said."""

    base: Files
    weak: Files
    severity: str
    honest: tuple[Files, ...]


def row(path: str, base: str, weak: str, *honest: str, severity: str = WARN) -> Row:
    """One file of tests that changes, beside production that does."""
    return Row({**CODE, path: base}, {**BESIDE, path: weak}, severity, tuple({**BESIDE, path: one} for one in honest))


def line(base: str, weak: str, *honest: str) -> Row:
    """One line of a test that changes."""
    return row("tests/test_order.py", *(TEST.replace("{}", one, 1) for one in (base, weak, *honest)))


UNCOMPARED = {
    "a key on the list of what is ignored": row(
        "tests/compare.py",
        "IGNORED_KEYS = {'host'}\n",
        "IGNORED_KEYS = {'host', 'total'}\n",
        "IGNORED_KEYS = {'host', 'generated_at'}\n",
        "IGNORED_KEYS = {'port'}\n",
    ),
    "files that are no part of a comparison": row(
        "tests/compare.py",
        "EXCLUDE_PATHS = ['a']\nIGNORED = ['x']\n",
        "EXCLUDE_PATHS = ['a', 'b']\nIGNORED = ['x']\n",
        "EXCLUDE_PATHS = ['a']\nIGNORED = ['x', 'y']\n",
    ),
    "a path that is left out": line(
        "assert DeepDiff(total(1), WANT) == {}",
        "assert DeepDiff(total(1), WANT, exclude_paths=[\"root['sum']\"]) == {}",
        "assert DeepDiff(total(1), WANT, exclude_paths=[\"root['created_at']\"]) == {}",
        "assert DeepDiff(total(1), WANT) == {}\n    assert DeepDiff(total(2), X, exclude_paths=['sum']) == {}",
    ),
    "one key more": line(
        "assert total(1) == snapshot(exclude=props('id'))",
        "assert total(1) == snapshot(exclude=props('id', 'sum'))",
        "assert total(1) == snapshot(exclude=props('id', 'uuid'))",
    ),
}
ROWS = {**UNCOMPARED}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_said_of_what_helps_and_of_nothing_else(row: Row) -> None:
    assert [row.severity] == severities(row.base, row.weak)
    assert [[] for _ in row.honest] == [severities(row.base, one) for one in row.honest]


def severities(base: Files, head: Files) -> list[str]:
    sides = ({path: text.encode() for path, text in side.items()} for side in (base, head))
    return [one.severity for one in judge_files(*sides).findings if one.severity in (WARN, BLOCK)]
