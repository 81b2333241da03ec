"""A tree laid out is the tree: nothing hidden, nothing left over, nothing written twice."""

from __future__ import annotations

import os
from pathlib import Path

from agentgate_git.repo.materialise import list_tree, materialise
from agentgate_git.repo.process import Git
from testing.repo_builder import RepoBuilder


def git_in(repo: RepoBuilder) -> Git:
    return Git.in_repository(str(repo.path), repo.environment)


def files_of(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def scratch(tmp_path: Path) -> Path:
    directory = tmp_path / "scratch" / "tree"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def test_every_file_with_its_mode(repo_of_each_hash: RepoBuilder, tmp_path: Path) -> None:
    repo = repo_of_each_hash
    repo.write({"tests/test_a.py": "x\n", "run.sh": "#!/bin/sh\n", ".gitattributes": "tests export-ignore\n"})
    (repo.path / "run.sh").chmod(0o755)
    (repo.path / "link").symlink_to("missing")
    repo.commit()
    materialise(git_in(repo), repo.tree(), str(scratch(tmp_path)))
    assert {"tests/test_a.py", "run.sh", ".gitattributes"} == set(files_of(scratch(tmp_path)))
    assert "missing" == os.readlink(scratch(tmp_path) / "link")
    assert os.access(scratch(tmp_path) / "run.sh", os.X_OK)
    assert "" == repo.git("status", "--porcelain")


def test_the_repository_is_left_alone(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    repo.write({"a": "staged"})
    repo.git("add", "a")
    before = (repo.path / ".git" / "index").read_bytes()
    materialise(git_in(repo), repo.tree(), str(scratch(tmp_path)))
    assert before == (repo.path / ".git" / "index").read_bytes()
    assert {"a": b"1"} == files_of(scratch(tmp_path))


def test_a_second_time_writes_only_what_differs(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.commit({"same": "1", "other": "1", "gone": "1"})
    repo.commit({"other": "2", "gone": None})
    target = scratch(tmp_path)
    materialise(git_in(repo), repo.tree("HEAD~1"), str(target))
    kept = (target / "same").stat().st_ino
    (target / "other").write_text("scribbled over by a test\n")
    materialise(git_in(repo), repo.tree(), str(target))
    assert {"same": b"1", "other": b"2"} == files_of(target)
    assert kept == (target / "same").stat().st_ino


def test_b35_names_that_are_no_utf8(repo: RepoBuilder, tmp_path: Path) -> None:
    with open(os.path.join(os.fsencode(repo.path), b"bad\xe5.py"), "wb") as out:
        out.write(b"x")
    repo.commit()
    materialise(git_in(repo), repo.tree(), str(scratch(tmp_path)))
    assert [b"bad\xe5.py"] == os.listdir(os.fsencode(scratch(tmp_path)))
    assert ["bad\udce5.py"] == [entry.path for entry in list_tree(git_in(repo), repo.tree())]


def test_ten_thousand_files(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.commit({f"d{i % 100}/f{i}": f"{i}\n" for i in range(10_000)})
    materialise(git_in(repo), repo.tree(), str(scratch(tmp_path)))
    assert 10_000 == len(files_of(scratch(tmp_path)))
    assert 10_000 == len(list_tree(git_in(repo), repo.tree()))
