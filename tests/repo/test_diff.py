"""Change sets: every row, the same bytes whatever the configuration says."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.change import Change
from agentgate_git.model.failure import GitFailure, Undecided
from agentgate_git.repo.diff import parse_raw, tree_changes
from agentgate_git.repo.process import Git
from testing.repo_builder import RepoBuilder

ODD_NAMES = (
    b"sp ace.py",
    b"t\tx.py",
    b"new\nline.py",
    b'quo"te.py',
    b"a b/x.py",
    "tě.py".encode(),
    b"bad\xe5.py",
    b"{a => b}.py",
    b":colon.py",
    b"-dash.py",
    b" lead.py",
    b"caf\xc3\xa9.py",
)
HOSTILE_SETTINGS = {
    "diff.external": "false",
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.relative": "true",
    "diff.renames": "copies",
    "diff.ignoreSubmodules": "all",
    "diff.submodule": "log",
    "diff.orderFile": "/dev/null",
    "diff.context": "0",
    "diff.wordRegex": ".",
    "diff.algorithm": "patience",
    "color.ui": "always",
    "core.quotePath": "false",
    "core.abbrev": "4",
    "core.fsmonitor": "false",
    "submodule.vendor.ignore": "all",
    "core.attributesFile": ".attributes",
}


def git_in(repo: RepoBuilder, **env: str) -> Git:
    return Git.in_repository(str(repo.path), {**repo.environment, **env})


def changes(repo: RepoBuilder, old: str, new: str, **env: str) -> list[Change]:
    return list(tree_changes(git_in(repo, **env), repo.tree(old), repo.tree(new)))


def write_odd_files(repo: RepoBuilder, content: bytes) -> None:
    for name in ODD_NAMES:
        target = os.path.join(os.fsencode(repo.path), name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as out:
            out.write(content)


def test_every_kind_of_row(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    repo.commit({"kept": "1", "changed": "1", "removed": "1", "mode": "1", "link": "1"})
    (repo.path / "mode").chmod(0o755)
    (repo.path / "link").unlink()
    (repo.path / "link").symlink_to("kept")
    repo.commit({"changed": "2", "removed": None, "added": "1"})
    rows = {(row.path, row.status, row.old_mode, row.new_mode) for row in changes(repo, "HEAD~1", "HEAD")}
    assert rows == {
        ("added", "A", "000000", "100644"),
        ("changed", "M", "100644", "100644"),
        ("link", "T", "100644", "120000"),
        ("mode", "M", "100644", "100755"),
        ("removed", "D", "100644", "000000"),
    }


def test_b50_a_rename_is_a_delete_and_an_add(repo: RepoBuilder) -> None:
    repo.commit({"entropy.baseline.yaml": "version: 1\n" * 20})
    repo.git("mv", "entropy.baseline.yaml", "old.yaml")
    repo.commit()
    assert [("D", "entropy.baseline.yaml"), ("A", "old.yaml")] == [
        (row.status, row.path) for row in changes(repo, "HEAD~1", "HEAD")
    ]


def test_b54_b35_odd_names_come_back_as_they_are(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    repo.commit({"a": "1"})
    write_odd_files(repo, b"x = 1\n")
    repo.commit()
    assert sorted(ODD_NAMES) == sorted(os.fsencode(row.path) for row in changes(repo, "HEAD~1", "HEAD"))


@pytest.mark.parametrize("setting", HOSTILE_SETTINGS)
def test_b53_b36_a_hostile_setting_changes_nothing(repo: RepoBuilder, setting: str) -> None:
    repo.commit({"a": "1", "sub/b": "1", ".gitattributes": "* -diff diff=evil\n", ".attributes": "* -diff\n"})
    repo.commit({"a": "2", "sub/b": None, "sub/c": "1"})
    expected = changes(repo, "HEAD~1", "HEAD")
    repo.git("config", setting, HOSTILE_SETTINGS[setting])
    assert expected == changes(repo, "HEAD~1", "HEAD")
    assert 3 == len(expected)


def test_b52_a_hostile_environment_changes_nothing(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    repo.commit({"a": "2"})
    hostile = {"GIT_EXTERNAL_DIFF": "/bin/true", "GIT_DIFF_OPTS": "-u0", "GIT_PAGER": "false", "GIT_TRACE": "2"}
    assert changes(repo, "HEAD~1", "HEAD") == changes(repo, "HEAD~1", "HEAD", **hostile)


def test_b18_an_ignored_submodule_is_still_a_row(repo: RepoBuilder) -> None:
    head = repo.commit({".gitmodules": '[submodule "vendor"]\n\tpath = vendor\n\turl = x\n\tignore = all\n'})
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{head},vendor")
    repo.git("commit", "-q", "-m", "bump")
    assert [("vendor", "160000")] == [(row.path, row.new_mode) for row in changes(repo, "HEAD~1", "HEAD")]


def test_ten_thousand_rows(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"x")
    listing = "".join(f"100644 {blob}\td{i % 100}/f{i}.py\n" for i in range(10_000))
    repo.git("update-index", "--index-info", stdin=listing.encode())
    repo.git("commit", "-q", "-m", "many")
    assert 10_000 == sum(1 for _ in changes(repo, "HEAD~1", "HEAD"))


def test_a_missing_tree_is_not_an_empty_change_set(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    with pytest.raises(GitFailure):
        list(tree_changes(git_in(repo), "1" * 40, repo.tree()))


def _row_bytes(path: bytes) -> bytes:
    return b":100644 100755 " + b"1" * 40 + b" " + b"2" * 40 + b" M\0" + path + b"\0"


@given(st.lists(st.binary(min_size=1).map(lambda raw: raw.replace(b"\0", b"x"))), st.integers(1, 50))
def test_rows_survive_any_name_and_any_split_into_chunks(paths: list[bytes], size: int) -> None:
    data = b"".join(map(_row_bytes, paths))
    chunks = (data[start : start + size] for start in range(0, len(data), size))
    assert paths == [os.fsencode(row.path) for row in parse_raw(chunks)]


@given(st.binary())
def test_bytes_that_are_no_rows_are_refused_or_read_whole(data: bytes) -> None:
    try:
        rows = list(parse_raw([data]))
    except Undecided:
        return
    assert 2 * len(rows) == data.count(b"\0")
