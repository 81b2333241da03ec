"""`pins suggest`, over a repository: which files count for a property, and what is said about them."""

from __future__ import annotations

import pytest

from testing.command_line import agentgate
from testing.repo_builder import RepoBuilder

MANIFEST = "version: 1\nproperty_id: issue\nmodule: {}\npins: {{rng_seed: 7}}\n"
PRODUCT = "import time\n\n\ndef issue():\n    return time.time() + 60\n"
TEST = "from app import tokens\n\n\ndef test_issue():\n    assert tokens.issue() > 0\n"
FILES = {"src/app/__init__.py": "", "src/app/tokens.py": PRODUCT, "tests/test_tokens.py": TEST, "tests/test_b.py": ""}


@pytest.mark.parametrize("module", ["tests/test_tokens.py", "src/app/tokens.py", "app.tokens"])
def test_the_test_and_what_it_imports_are_read(repo: RepoBuilder, module: str) -> None:
    repo.commit({"entropy.yaml": MANIFEST.format(module), **FILES})
    done = agentgate(repo, "pins", "suggest", "--format", "json")
    assert 0 == done.status == done.json()["exit"]
    (found,) = done.json()["properties"]
    assert {"tests/test_tokens.py", "src/app/tokens.py"} <= set(found["files"])
    assert "tests/test_b.py" not in found["files"]
    assert [("clock_unix", "missing"), ("rng_seed", "unread")] == [(one["pin"], one["kind"]) for one in found["pins"]]
    assert [{"path": "src/app/tokens.py", "line": 5, "owner": "issue", "what": "time.time()"}] == found["pins"][0][
        "reads"
    ]


def test_text_names_the_place(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": MANIFEST.format("tests/test_tokens.py"), **FILES})
    done = agentgate(repo, "pins", "suggest", "HEAD")
    assert (
        "add clock_unix: clock is read and not pinned\n        src/app/tokens.py:5 in issue: time.time()" in done.stdout
    )
    assert "rng_seed is pinned, and nothing was found that reads it" in done.stdout


@pytest.mark.parametrize(
    ("files", "status", "message"),
    [
        (FILES, 2, "has no entropy.yaml"),
        ({"entropy.yaml": "version: 2\n"}, 2, "version 2 is not known"),
        ({"entropy.yaml": MANIFEST.format("tests/gone.py")}, 2, "tests/gone.py is not in the tree"),
    ],
    ids=["no manifest", "a broken one", "a module that is not there"],
)
def test_what_cannot_be_answered(repo: RepoBuilder, files: dict[str, str], status: int, message: str) -> None:
    repo.commit(files)
    done = agentgate(repo, "pins", "suggest")
    assert status == done.status
    assert message in done.stderr
