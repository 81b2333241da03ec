"""Nobody's tests are judged by an interpreter that the tree brings along."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from testing.command_line import Done, agentgate
from testing.repo_builder import RepoBuilder

LIAR = "#!/bin/sh\ntouch {mark}\nexit 0\n"
SUITE = {"test_a.py": "def test_a():\n    assert True\n"}
NAMED = (".venv/bin/python", "./.venv/bin/python", "../repo/.venv/bin/python")


def supplied(repo: RepoBuilder, mark: Path) -> RepoBuilder:
    repo.write({**SUITE, ".venv/bin/python": LIAR.format(mark=mark)})
    (repo.path / ".venv" / "bin" / "python").chmod(0o755)
    repo.commit()
    return repo


def run(repo: RepoBuilder, *args: str) -> Done:
    """With a PATH on which the first Python is the tests' own."""
    own = f"{Path(sys.executable).parent}:{repo.environment['PATH']}"
    return agentgate(repo, *args, PATH=own)


def test_verify_does_not_look_into_the_work_tree(repo: RepoBuilder, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    supplied(repo, mark)
    assert 0 == run(repo, "capture", "HEAD", "--python", sys.executable).status
    assert 0 == run(repo, "verify").status
    assert not mark.exists()


@pytest.mark.parametrize("named", NAMED)
@pytest.mark.parametrize("verb", [("capture",), ("capture", "HEAD"), ("verify",)], ids=" ".join)
def test_one_that_is_named_is_refused(repo: RepoBuilder, tmp_path: Path, verb: tuple[str, ...], named: str) -> None:
    mark = tmp_path / "mark"
    supplied(repo, mark)
    run(repo, "capture", "HEAD", "--python", sys.executable)
    done = run(repo, *verb, "--python", named)
    assert 2 == done.status
    assert ".venv/bin/python belongs to the tree that is to be tested" in done.stderr
    assert not mark.exists()


def test_capture_does_not_take_it_by_itself(repo: RepoBuilder, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    supplied(repo, mark)
    assert 2 == run(repo, "capture").status
    assert not mark.exists()


@pytest.mark.parametrize("folder", ["", "sub"], ids=["top", "sub-directory"])
def test_the_users_own_environment_may_be_named_from_where_they_stand(repo: RepoBuilder, folder: str) -> None:
    repo.commit({**SUITE, ".gitignore": ".venv\n__pycache__\n", "sub/a.txt": "a"})
    (repo.path / ".venv").symlink_to(Path(sys.executable).parent.parent)
    up = "../" if folder else ""
    for verb in ("capture", "verify"):
        done = agentgate(repo, verb, "HEAD", "--python", f"{up}.venv/bin/python", cwd=repo.path / folder)
        assert (0, "") == (done.status, done.stderr if verb == "verify" else "")
