from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentgate_git.repo.materialise import list_tree
from agentgate_git.repo.process import Git
from agentgate_git.repo.worktree import dirty_paths, moved_since, photograph, staged_paths, untracked
from testing.repo_builder import RepoBuilder

FILES = {"a.py": "a = 1\n", "dir/b.py": "b = 1\n", "run.sh": "#!/bin/sh\n"}


def git_of(repo: RepoBuilder) -> Git:
    return Git.in_repository(str(repo.path), repo.environment)


def dirty(repo: RepoBuilder) -> tuple[str, ...]:
    return dirty_paths(git_of(repo), repo.tree(), str(repo.path))


def prepare(repo: RepoBuilder) -> Path:
    repo.write(FILES)
    (repo.path / "run.sh").chmod(0o755)
    (repo.path / "link").symlink_to("a.py")
    repo.commit()
    return repo.path


def test_a_fresh_commit_is_clean_in_both_object_formats(repo_of_each_hash: RepoBuilder) -> None:
    prepare(repo_of_each_hash)
    assert () == dirty(repo_of_each_hash)


def edit(top: Path) -> None:
    (top / "a.py").write_text("a = 2\n")


def edit_unseen_by_stat(top: Path) -> None:
    before = os.stat(top / "a.py")
    (top / "a.py").write_text("a = 3\n")
    os.utime(top / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))


def replace_directory_by_link(top: Path) -> None:
    (top / "dir").rename(top.parent / "moved")
    (top / "dir").symlink_to(top.parent / "moved")


def replace_file_by_link(top: Path) -> None:
    (top / "a.py").rename(top.parent / "a.py")
    (top / "a.py").symlink_to(top.parent / "a.py")


def replace_link_by_file(top: Path) -> None:
    (top / "link").unlink()
    (top / "link").write_text("a.py")


def retarget(top: Path) -> None:
    (top / "link").unlink()
    (top / "link").symlink_to("dir/b.py")


def replace_file_by_directory(top: Path) -> None:
    (top / "a.py").unlink()
    (top / "a.py").mkdir()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(edit, ("a.py",), id="edited"),
        pytest.param(edit_unseen_by_stat, ("a.py",), id="edited-with-the-old-time-and-size"),
        pytest.param(lambda top: (top / "a.py").unlink(), ("a.py",), id="deleted"),
        pytest.param(lambda top: (top / "run.sh").chmod(0o644), ("run.sh",), id="exec-bit-lost"),
        pytest.param(lambda top: (top / "a.py").chmod(0o755), ("a.py",), id="exec-bit-gained"),
        pytest.param(lambda top: (top / "a.py").chmod(0o600), (), id="other-bits-are-no-content"),
        pytest.param(replace_directory_by_link, ("dir/b.py",), id="directory-is-a-link"),
        pytest.param(replace_file_by_link, ("a.py",), id="file-is-a-link"),
        pytest.param(replace_link_by_file, ("link",), id="link-is-a-file"),
        pytest.param(retarget, ("link",), id="link-points-elsewhere"),
        pytest.param(replace_file_by_directory, ("a.py",), id="file-is-a-directory"),
        pytest.param(lambda top: (top / "new.py").write_text(""), (), id="untracked-is-another-question"),
    ],
)
def test_dirty(change: object, expected: tuple[str, ...], repo: RepoBuilder) -> None:
    top = prepare(repo)
    repo.git("update-index", "--assume-unchanged", "a.py")
    assert callable(change)
    change(top)
    assert expected == dirty(repo)


def test_line_endings_that_git_converts_are_no_difference(repo: RepoBuilder) -> None:
    repo.commit({"a.txt": "one\ntwo\n", ".gitattributes": "*.txt text eol=crlf\n", '"odd\n.txt': "three\n"})
    for name in ("a.txt", '"odd\n.txt'):
        (repo.path / name).write_bytes((repo.path / name).read_bytes().replace(b"\n", b"\r\n"))
    assert () == dirty(repo)
    repo.write({"a.txt": "one\r\nTWO\r\n", '"odd\n.txt': "four\r\n"})
    assert ('"odd\n.txt', "a.txt") == dirty(repo)


def test_a_clean_filter_is_asked(repo: RepoBuilder) -> None:
    repo.git("config", "filter.upper.clean", "tr a-z A-Z")
    repo.commit({"a.txt": "hello\n", ".gitattributes": "*.txt filter=upper\n"})
    assert "HELLO" == repo.git("cat-file", "-p", "HEAD:a.txt")
    assert () == dirty(repo)


def test_exec_bits_do_not_count_where_git_ignores_them(repo: RepoBuilder) -> None:
    top = prepare(repo)
    repo.git("config", "core.fileMode", "false")
    (top / "a.py").chmod(0o755)
    assert () == dirty(repo)


def test_names_that_are_no_text(repo: RepoBuilder) -> None:
    name = os.fsdecode(b"caf\xe9.py")
    repo.commit({name: "a\n"})
    assert () == dirty(repo)
    repo.write({name: "b\n"})
    assert (name,) == dirty(repo)


def test_submodules(repo: RepoBuilder, tmp_path: Path, home: Path) -> None:
    inner = RepoBuilder.create(tmp_path / "inner", home)
    inner.commit({"i.py": "i = 1\n"})
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    repo.commit()
    assert () == dirty(repo)
    repo.write({"sub/i.py": "i = 2\n"})
    assert ("sub/i.py",) == dirty(repo)
    RepoBuilder(repo.path / "sub", repo.environment).commit()
    assert ("sub",) == dirty(repo)
    repo.git("submodule", "deinit", "-q", "-f", "sub")
    assert () == dirty(repo)


def test_what_is_staged(repo: RepoBuilder) -> None:
    prepare(repo)
    assert () == staged_paths(git_of(repo), repo.tree())
    repo.write({"a.py": "a = 2\n"})
    repo.git("add", "a.py")
    repo.write({"a.py": "a = 1\n"})
    assert ("a.py",) == staged_paths(git_of(repo), repo.tree())


def test_what_moves_after_the_photograph(repo: RepoBuilder) -> None:
    top = prepare(repo)
    git = git_of(repo)
    before = photograph(git, list_tree(git, repo.tree()), str(top))
    assert () == moved_since(git, before, str(top))
    (top / "dir/b.py").write_text("b = 1\n")
    assert () == moved_since(git, before, str(top))
    edit_unseen_by_stat(top)
    (top / "link").unlink()
    assert ("a.py", "link") == moved_since(git, before, str(top))


def test_untracked_files_are_counted_and_digested(repo: RepoBuilder) -> None:
    prepare(repo)
    git = git_of(repo)
    assert ((), "") == untracked(git, str(repo.path))
    repo.commit({".gitignore": "*.pyc\n"})
    repo.write({"new.py": "1\n", "x/more.py": "2\n", "a.pyc": ""})
    first = untracked(git, str(repo.path))
    assert ("new.py", "x/more.py") == first.paths
    repo.write({"new.py": "2\n"})
    assert first.sha256 != untracked(git, str(repo.path)).sha256
