"""More tricks, each beside the honest change that looks like it, by what a project does every day around its tests."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.record import Record

Files = dict[str, str]

CODE = "def summary(order):\n    return dict(order)\n\n\ndef names(order):\n    return sorted(order)\n"
HEAD = "import os\nimport sys\nimport unittest\nfrom unittest import mock\n\nimport pytest\n\nfrom shop.order import names, summary\n\n\n"
OTHER = "\n\ndef test_names():\n    assert names({'b': 1, 'a': 2}) == ['a', 'b']\n"


class Row(Record):
    """A base, a head that weakens it, what is to be said of that, and an honest head that nothing blocks."""

    base: Files
    weak: Files
    severity: str
    honest: Files
    allowed: tuple[str, ...] = ("",)


def of_tests(body: str, code: str = CODE) -> Files:
    return {"shop/__init__.py": "", "shop/order.py": code, "tests/test_order.py": HEAD + body + OTHER}


def case(base: str, weak: str, severity: str, honest: str, *, code: str = CODE) -> Row:
    """Tests that change, beside production that the honest change edits."""
    return Row(of_tests(base), of_tests(weak), severity, of_tests(honest, code))


SUMMARY = "def test_summary():\n    assert summary(ORDER) == {}\n"
IS = "{{'net': 3, 'tax': {}}}"
WAITING = "from tests.waiting import wait_for\n\n\ndef test_ready(queue):\n    summary(queue)\n    {}\n"
WAIT = "def wait_for(condition, tries=9):\n    for _ in range(tries):\n        if condition():\n            return{}\n{}"
MOCKED = "def test_sent():\n    sender = mock.Mock()\n    summary({{'send': sender}})\n    sender.assert_called_once_with({})\n"

ASSERTED = {
    "anything in place of a value": case(
        SUMMARY.format(IS.format("1")),
        SUMMARY.format(IS.format("mock.ANY")),
        BLOCK,
        SUMMARY.format("{'net': 3, 'tax': 1, 'id': mock.ANY}"),
    ),
    "anything given to a mock": case(
        MOCKED.format("'a', tax=1"),
        MOCKED.format("'a', tax=mock.ANY"),
        BLOCK,
        MOCKED.format("'a', id=mock.ANY, tax=1"),
    ),
    "a wait in place of an assertion": Row(
        of_tests(WAITING.format("assert len(queue) == 2")),
        of_tests(WAITING.format("wait_for(queue)")),
        BLOCK,
        of_tests(WAITING.format("wait_for(lambda: len(queue) == 2)"))
        | {"tests/waiting.py": WAIT.format("", "    raise AssertionError('it never came true')\n")},
    ),
}


def worst(base: Files, head: Files) -> str:
    """The worst that is said of a change, empty for nothing but advice."""
    sides = ({path: text.encode() for path, text in side.items()} for side in (base, head))
    found = {one.severity for one in judge_files(*sides).findings}
    return BLOCK if BLOCK in found else WARN if WARN in found else ""


EVERY = ASSERTED


@pytest.mark.parametrize("row", EVERY.values(), ids=EVERY)
def test_a_trick_is_told_from_everyday_work(row: Row) -> None:
    assert row.severity == worst(row.base, row.weak)
    assert worst(row.base, row.honest) in row.allowed
