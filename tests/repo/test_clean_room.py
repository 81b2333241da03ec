"""What is judged is read in a clean room: nothing in the clone can run there or be believed there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentgate_git.model.failure import Undecided
from agentgate_git.repo.clean_room import CleanRoom
from agentgate_git.repo.commits import commits_between, merge_base
from agentgate_git.repo.diff import tree_changes
from agentgate_git.repo.materialise import materialise
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from testing.full_disk import full_disk
from testing.repo_builder import RepoBuilder


def room_of(repo: RepoBuilder, directory: Path | None = None) -> CleanRoom:
    clone = Git.in_repository(str(directory or repo.path), repo.environment)
    return CleanRoom(clone, repo.environment)


def test_a_room_that_cannot_be_made_leaves_nothing_behind(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.commit({"a.py": "x = 1\n"})
    room = room_of(repo)
    with full_disk(tmp_path / "scratch"), pytest.raises(OSError, match="File too large"):
        room.__enter__()
    assert [] == list((tmp_path / "scratch").iterdir())


def make_hostile(repo: RepoBuilder, mark: Path) -> None:
    """Settings, attributes, hooks and replacements that would leave a mark if any of them ran."""
    run = f"sh -c 'echo ran >> {mark}; cat'"
    for key in (
        "filter.evil.clean",
        "filter.evil.smudge",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.fsmonitor",
        "diff.external",
    ):
        repo.git("config", key, run)
    repo.git("config", "core.pager", run)
    repo.git("config", "alias.cat-file", f"!{run}")
    repo.git("config", "remote.origin.url", f"ext::{run}")
    repo.git("config", "remote.origin.promisor", "true")
    for name in ("post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"):
        hook = repo.path / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\necho ran >> {mark}\n")
        hook.chmod(0o755)


def test_the_same_facts_as_in_the_clone(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    base = repo.commit({"a": "1"})
    tip = repo.commit({"a": "2", "b": "1"})
    with room_of(repo) as git, Objects(git) as objects:
        assert base == merge_base(git, base, tip)
        assert [tip] == [commit.oid for commit in commits_between(git, objects, base, tip)]
        assert ["a", "b"] == [change.path for change in tree_changes(git, base, tip)]


def test_nothing_of_a_hostile_clone_runs(repo: RepoBuilder, tmp_path: Path) -> None:
    base = repo.commit({"a": "1", ".gitattributes": "* filter=evil diff=evil\n"})
    tip = repo.commit({"a": "2"})
    mark = tmp_path / "mark"
    make_hostile(repo, mark)
    target = tmp_path / "out" / "tree"
    target.mkdir(parents=True)
    with room_of(repo) as git, Objects(git) as objects:
        assert ["a"] == [change.path for change in tree_changes(git, base, tip)]
        materialise(git, repo.environment.get("TREE", objects.find(f"{tip}^{{tree}}").oid), str(target))
        assert objects.find("2" * 40) is None
    assert b"2" == (target / "a").read_bytes()
    assert not mark.exists()


def test_attributes_of_the_tree_convert_nothing(repo: RepoBuilder, tmp_path: Path) -> None:
    """What is judged is the blob, so what runs must be the blob."""
    files = {
        "sjis.py": "x = '\u00a5'; y = 1\n".encode(),
        "crlf.bat": b"a\nb\n",
        "ident.txt": b"$Id$\n",
        ".gitattributes": b"sjis.py working-tree-encoding=SHIFT_JIS\n*.bat text eol=crlf\nident.txt ident\n",
    }
    repo.commit(files)
    target = tmp_path / "out" / "tree"
    target.mkdir(parents=True)
    with room_of(repo) as git:
        materialise(git, repo.tree(), str(target))
    blobs = {name: repo.run("git", "cat-file", "blob", f"HEAD:{name}").stdout for name in files}
    assert blobs["sjis.py"] != files["sjis.py"]  # git did convert it on its way in
    assert blobs == {name: (target / name).read_bytes() for name in files}


def test_b62_replacements_and_grafts_are_not_seen(repo: RepoBuilder) -> None:
    good = repo.commit({"a": "good"})
    evil = repo.commit({"a": "evil"})
    repo.git("replace", good, evil)
    (repo.path / ".git" / "info").mkdir(exist_ok=True)
    (repo.path / ".git" / "info" / "grafts").write_text(f"{evil}\n")
    with room_of(repo) as git, Objects(git) as objects:
        assert 2 == len(commits_between(git, objects, "", evil))
        assert b"good" == objects.find(f"{good}:a").data


def test_a_linked_work_tree_and_a_submodule(repo: RepoBuilder, tmp_path: Path) -> None:
    tip = repo.commit({"a": "1"})
    repo.git("worktree", "add", "-q", str(tmp_path / "wt"), "-b", "w")
    outer = RepoBuilder.create(tmp_path / "outer", tmp_path / "home")
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo.path), "sub")
    for directory in (tmp_path / "wt", outer.path / "sub"):
        with room_of(repo, directory) as git, Objects(git) as objects:
            assert b"1" == objects.find(f"{tip}:a").data


def test_a_shallow_history_is_known_to_be_cut(repo: RepoBuilder, tmp_path: Path) -> None:
    base = repo.commit({"a": "1"})
    tip = repo.commit({"a": "2"})
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", str(tmp_path / "shallow"))
    room = room_of(repo, tmp_path / "shallow")
    assert frozenset({tip}) == room.shallow
    with room as git, Objects(git) as objects:
        assert [tip] == [commit.oid for commit in commits_between(git, objects, "", tip)]
        with pytest.raises(Undecided):
            merge_base(git, base, tip)


def test_the_room_is_taken_down(repo: RepoBuilder) -> None:
    repo.commit({"a": "1"})
    with room_of(repo) as git:
        directory = git.directory
        assert os.path.isdir(directory)
    assert not os.path.exists(directory)


def test_a_quarantine_is_read_beside_the_repository(repo: RepoBuilder, tmp_path: Path) -> None:
    """As git's environment says it for a pre-receive hook; a path that git must quote is one of them."""
    base = repo.commit({"a": "1"})
    store = repo.path / ".git" / "objects"
    incoming = tmp_path / 'in : "coming"'
    incoming.mkdir()
    quoted = f'"{str(incoming).replace(chr(34), chr(92) + chr(34))}"'
    quarantine = {"GIT_OBJECT_DIRECTORY": str(incoming), "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(store)}
    tip = repo.git("commit-tree", "-p", base, "-m", "pushed", f"{base}^{{tree}}", **quarantine)
    for env in (quarantine, {"GIT_ALTERNATE_OBJECT_DIRECTORIES": quoted}):
        clone = Git.in_repository(str(repo.path), {**repo.environment, **env})
        with CleanRoom(clone, {**repo.environment, **env}) as git:
            assert base == merge_base(git, base, tip)


def test_an_object_store_beside_the_clone_may_be_named_from_it(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.commit({"a": "1"})
    (tmp_path / "more").mkdir()
    more = {"GIT_OBJECT_DIRECTORY": str(tmp_path / "more")}
    blob = repo.git("hash-object", "-w", "--stdin", stdin=b"x", **more)
    environment = {
        **repo.environment,
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": os.path.relpath(tmp_path / "more", repo.path),
    }
    with CleanRoom(Git.in_repository(str(repo.path), environment), environment) as git:
        assert b"x" == git.run("cat-file", "blob", blob)


def test_what_git_makes_in_the_room_does_not_come_into_the_clone(repo: RepoBuilder) -> None:
    base = repo.commit({"a": "1"})
    repo.commit({"b": "1"})
    repo.git("checkout", "-q", "-b", "side", base)
    repo.commit({"c": "1"})
    before = repo.git("count-objects")
    with room_of(repo) as git:
        merged = git.text("merge-tree", "--write-tree", repo.git("rev-parse", "main"), repo.git("rev-parse", "side"))
        assert b"tree" == git.run("cat-file", "-t", merged).strip()
    assert before == repo.git("count-objects")
