"""What tests of other languages lose by tricks that stand outside of their words, and what only looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN

ALLOW = "allow"
NAMES = (
    *("other_languages.yaml", "weaker_words.yaml", "untold.yaml", "left_early.yaml", "tests_in_source.yaml"),
    *("cut_lists.yaml", "shell_blocks.yaml", "never_opened.yaml", "run_again.yaml", "own_functions.yaml"),
    *("honest_work.yaml", "asked_loosely.yaml"),
)
TABLES = tuple(Path(__file__).parents[2] / "cases" / name for name in NAMES)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Files = dict[str, str]
    Row = tuple[str, str, Files, Files]


def rows() -> list[Row]:
    """(what is said of it, name, base, head) of each row."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    listed = [row for table in TABLES for row in yaml.load(table.read_text(encoding="utf-8"), loader)]
    return [
        (said, row[said], row["base"], row["head"]) for row in listed for said in row if said in (ALLOW, BLOCK, WARN)
    ]


def worst(base: Files, head: Files) -> str:
    sides = ({path: text.encode() for path, text in files.items()} for files in (base, head))
    found = {one.severity for one in judge_files(*sides).findings}
    return next((one for one in (BLOCK, WARN) if one in found), ALLOW)


@pytest.mark.parametrize(("said", "name", "base", "head"), rows(), ids=[f"{row[0]}: {row[1]}" for row in rows()])
def test_what_tests_lose(said: str, name: str, base: Files, head: Files) -> None:
    assert said == worst(base, head), name
