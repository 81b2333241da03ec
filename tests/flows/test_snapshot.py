"""`snapshot` writes the baseline from what the target agreed on, never from what is proposed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentgate_git.flows.snapshot import Snapshot, snapshot
from agentgate_git.model.failure import PolicyFailure, UsageFailure
from agentgate_git.wire.manifest import dump_manifest, load_manifest
from testing.hooked_repo import BASELINE, MANIFEST, git_of, with_remote
from testing.repo_builder import RepoBuilder

CANONICAL = dump_manifest(load_manifest(MANIFEST.encode()))
OTHER = MANIFEST.replace("rng_seed: 7", "rng_seed: 8")


def test_from_head_where_no_target_is_known(repo_of_each_hash: RepoBuilder) -> None:
    repo = repo_of_each_hash
    commit = repo.commit({"entropy.yaml": f"# a comment\n{MANIFEST}"})
    path = repo.path / BASELINE
    assert Snapshot(str(path), "HEAD", commit, repo.tree(), True) == snapshot(git_of(repo))
    assert CANONICAL == path.read_bytes()


def test_a_second_run_writes_nothing(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": MANIFEST})
    snapshot(git_of(repo))
    before = os.stat(repo.path / BASELINE)
    assert not snapshot(git_of(repo)).is_written
    assert before == os.stat(repo.path / BASELINE)


def test_the_target_counts_not_the_branch_nor_the_work_tree(repo: RepoBuilder) -> None:
    agreed = repo.commit({"entropy.yaml": MANIFEST})
    repo.git("config", "agentgate.target", "main")
    repo.git("checkout", "-q", "-b", "proposal")
    repo.commit({"entropy.yaml": OTHER})
    repo.write({"entropy.yaml": "broken: ["})
    result = snapshot(git_of(repo))
    assert ("main", agreed) == (result.source, result.commit)
    assert CANONICAL == (repo.path / BASELINE).read_bytes()


def test_the_head_of_origin_is_the_target_of_a_clone(repo: RepoBuilder) -> None:
    agreed = repo.commit({"entropy.yaml": MANIFEST})
    with_remote(repo)
    repo.git("push", "-q", "origin", "main")
    repo.git("remote", "set-head", "origin", "main")
    repo.commit({"entropy.yaml": OTHER})
    result = snapshot(git_of(repo))
    assert ("origin/HEAD", agreed) == (result.source, result.commit)


def test_it_is_written_at_the_top_from_anywhere(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": MANIFEST, "sub/x": "1"})
    snapshot(git_of(RepoBuilder(repo.path / "sub", repo.environment)))
    assert CANONICAL == (repo.path / BASELINE).read_bytes()


def test_a_link_is_replaced_not_followed(repo: RepoBuilder, tmp_path: Path) -> None:
    repo.commit({"entropy.yaml": MANIFEST})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(CANONICAL)
    (repo.path / BASELINE).symlink_to(elsewhere)
    assert snapshot(git_of(repo)).is_written
    assert not (repo.path / BASELINE).is_symlink()
    assert CANONICAL == elsewhere.read_bytes()


def test_an_invalid_manifest_is_refused_with_its_line(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": f"{MANIFEST}  tz: CET\n"})
    with pytest.raises(PolicyFailure, match=r"entropy\.yaml of HEAD \(\w{12}\), line 7: ") as caught:
        snapshot(git_of(repo))
    assert 2 == caught.value.exit_status
    assert not (repo.path / BASELINE).exists()


@pytest.mark.parametrize("files", [{"a": "1"}, {"entropy.yaml/inside": "1"}], ids=["none", "a folder"])
def test_no_manifest_at_the_target(repo: RepoBuilder, files: dict[str, str]) -> None:
    repo.commit(files)
    with pytest.raises(UsageFailure, match=r"has no entropy\.yaml: commit one"):
        snapshot(git_of(repo))


def test_an_unborn_branch(repo: RepoBuilder) -> None:
    with pytest.raises(UsageFailure, match="no commit yet"):
        snapshot(git_of(repo))


def test_a_target_that_is_not_there(repo: RepoBuilder) -> None:
    repo.commit({"entropy.yaml": MANIFEST})
    repo.git("config", "agentgate.target", "nowhere")
    with pytest.raises(UsageFailure, match="'nowhere', which names no commit"):
        snapshot(git_of(repo))
