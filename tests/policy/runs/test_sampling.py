"""Sampling: the vectors of sampling.yaml."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from agentgate_git.model.role import DOCS, LOCK, OTHER, PRODUCTION, TEST
from agentgate_git.policy.runs.sampling import ALWAYS, CLASSES, NIGHTLY, Changed, ChangeFacts, Sampling, sample
from agentgate_git.source.roles import role_of

CASES = yaml.safe_load((Path(__file__).parents[2] / "cases" / "sampling.yaml").read_text(encoding="utf-8"))


def facts_of(row: dict[str, Any]) -> ChangeFacts:
    given = row.get("facts", {})
    return ChangeFacts(
        author=given.get("author", "agent"),
        edit_rounds=given.get("edit_rounds", 0),
        is_pytest_config_changed=given.get("pytest_config_changed", True),
        is_code_changed=given.get("code_changed", True),
    )


@pytest.mark.parametrize("row", CASES["rows"], ids=lambda row: "+".join(row["paths"]) or "empty")
def test_vectors(row: dict[str, Any]) -> None:
    changes = [Changed(path, role_of(path)) for path in row["paths"]]
    assert Sampling(row["class"], row["reason"]) == sample(changes, facts_of(row))


def test_the_order_is_that_of_the_vectors() -> None:
    assert tuple(CASES["order"]) == CLASSES


def test_the_strictest_path_decides() -> None:
    human = ChangeFacts(author="human", is_code_changed=False)
    mixed = [Changed("a.md", DOCS), Changed("t.py", TEST), Changed("c.py", PRODUCTION)]
    assert Sampling(NIGHTLY, "test-only") == sample(mixed, human)
    assert Sampling(ALWAYS, "environment-drift") == sample([*mixed, Changed("uv.lock", LOCK)], human)
    assert Sampling(ALWAYS, "unclassified") == sample([*mixed, Changed("x.bin", OTHER)], human)


def test_dependencies_in_a_shared_file_are_the_environment() -> None:
    facts = ChangeFacts(is_pytest_config_changed=False)
    assert Sampling(ALWAYS, "environment-drift") == sample([Changed("pyproject.toml", "config")], facts)
