"""Whether a patch applies to its own result, which it should not."""

from __future__ import annotations

import pytest

from agentgate_git.repo.apply import applies_again
from testing.proposals import opened
from testing.repo_builder import RepoBuilder

REPEATED = "a\n" * 20
ROWS = {
    "a line that changes": ("one\ntwo\nthree\n", "one\n2\nthree\n", False),
    "a new file": (None, "one\n", False),
    "a file that goes": ("one\n", None, False),
    "bytes that are no text": (b"\0\1", b"\0\2", False),
    "nothing": ("one\n", "one\n", False),
    "one more of many equal lines": (REPEATED, REPEATED + "a\n", True),
    "one less of many equal lines": (REPEATED + "a\n", REPEATED, True),
}


@pytest.mark.parametrize(("old", "new", "expected"), ROWS.values(), ids=ROWS)
def test_rows(repo: RepoBuilder, old: str | bytes | None, new: str | bytes | None, expected: bool) -> None:
    repo.commit({"other": "x\n"} if old is None else {"file": old, "other": "x\n"}, "old")
    repo.commit({"file": new}, "new")
    with opened(repo) as workspace:
        assert expected == applies_again(workspace.room, repo.tree("HEAD~1"), repo.tree())
