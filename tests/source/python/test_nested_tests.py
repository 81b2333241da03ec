"""Tests whose definition stands in a file and that nobody collects, as facts of the file."""

from __future__ import annotations

import pytest

from agentgate_git.source.facts import read_facts

RUNS = "def test_sum():\n    assert add(1, 2) == 3\n"
NONE: dict[str, str] = {
    "a test": RUNS,
    "a method": "class TestSum:\n    " + RUNS.replace("\n    ", "\n        "),
    "in a comment": "# " + RUNS.replace("\n", "\n# "),
    "what no Python 3 reads": RUNS
    + "def test_more():\n    try:\n        add(0)\n    except ValueError, e:\n        raise\n",
}


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
@pytest.mark.parametrize("path", ["tests/test_sum.py", "tests/sum_tests.py"])
def test_nothing_is_nested_in(path: str, text: str) -> None:
    assert [] == nested(path, text)


@pytest.mark.parametrize("start", ["def ", "async def "])
def test_a_test_inside_a_function(start: str) -> None:
    inner = RUNS.replace("def ", start).replace("\n    ", "\n        ")
    assert [("test_sum", 2)] == nested("tests/test_sum.py", f"def test_all():\n    {inner}")


def nested(path: str, text: str) -> list[tuple[str, int]]:
    return [(one.what, one.line) for one in read_facts(path, text.encode()).traits if one.kind == "test.nested"]
