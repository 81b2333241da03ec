"""Which commits are judged and against what, in every kind of repository that git has."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentgate_git.flows.verify import exit_status_of
from agentgate_git.model.commit import Proposal
from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.oid import empty_tree
from testing.command_line import BIN, agentgate
from testing.proposals import checked, opened, proposal_of, verified, with_topic
from testing.repo_builder import RepoBuilder


def shown(repo: RepoBuilder, proposal: Proposal) -> tuple[str, list[str], str]:
    """The base and the commits by their subjects, and the name of the target."""
    subject = repo.git("log", "-1", "--format=%s", proposal.base) if proposal.base else ""
    return subject, [commit.message.partition("\n")[0] for commit in proposal.commits], proposal.target


def forked_in(repo: RepoBuilder) -> RepoBuilder:
    """`main` and `topic`, each with two commits after they parted; `topic` is checked out."""
    repo.commit({"a": "0"}, "first")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"t": "1"}, "topic 1")
    repo.commit({"t": "2"}, "topic 2")
    repo.git("checkout", "-q", "main")
    repo.commit({"m": "1"}, "main 1")
    repo.commit({"m": "2"}, "main 2")
    repo.git("checkout", "-q", "topic")
    return repo


@pytest.fixture
def forked(repo: RepoBuilder) -> RepoBuilder:
    return forked_in(repo)


def clone_of(repo: RepoBuilder, directory: Path, *options: str) -> RepoBuilder:
    repo.git("clone", "-q", *options, f"file://{repo.path}", str(directory))
    return RepoBuilder(directory, repo.environment)


# Where the base comes from


def test_the_base_that_is_given_wins(forked: RepoBuilder) -> None:
    forked.git("config", "agentgate.target", "topic")
    assert ("first", ["topic 1", "topic 2"], "main") == shown(forked, proposal_of(forked, base="main"))


def test_the_configured_target(forked: RepoBuilder) -> None:
    forked.git("config", "agentgate.target", "main")
    proposal = proposal_of(forked)
    assert ("first", ["topic 1", "topic 2"], "main") == shown(forked, proposal)
    assert forked.tree("main~2") == proposal.base_tree


def test_the_default_branch_of_a_real_clone(forked: RepoBuilder, tmp_path: Path) -> None:
    forked.git("checkout", "-q", "main")
    clone = clone_of(forked, tmp_path / "clone")
    assert ("first", ["topic 1", "topic 2"], "origin/HEAD") == shown(clone, proposal_of(clone, "origin/topic"))


def test_the_configured_target_goes_before_the_default_branch(forked: RepoBuilder, tmp_path: Path) -> None:
    forked.git("checkout", "-q", "main")
    clone = clone_of(forked, tmp_path / "clone")
    clone.git("config", "agentgate.target", "origin/topic~1")
    assert ("topic 1", ["topic 2"], "origin/topic~1") == shown(clone, proposal_of(clone, "origin/topic"))


def test_without_a_target_the_first_parent_stands_in(forked: RepoBuilder) -> None:
    assert ("topic 1", ["topic 2"], "") == shown(forked, proposal_of(forked))


def test_an_empty_target_is_none(forked: RepoBuilder) -> None:
    forked.git("config", "agentgate.target", "")
    assert ("topic 1", ["topic 2"], "") == shown(forked, proposal_of(forked))


def test_a_target_that_is_gone_is_named(forked: RepoBuilder) -> None:
    forked.git("config", "agentgate.target", "release")
    with pytest.raises(UsageFailure, match=r"agentgate\.target.*release"):
        proposal_of(forked)


def test_a_target_that_looks_like_an_option(forked: RepoBuilder) -> None:
    forked.git("config", "agentgate.target", "--all")
    with pytest.raises(UsageFailure, match=r"agentgate\.target"):
        proposal_of(forked)


# Tips


def test_a_root_commit_stands_on_the_empty_tree(forked: RepoBuilder) -> None:
    for target in ("", "main"):
        proposal = proposal_of(forked, "main~2", target)
        assert ("", ["first"], target) == shown(forked, proposal)
        assert empty_tree(proposal.tip.oid) == proposal.base_tree


def test_a_tip_that_the_target_holds_has_its_first_parent_for_a_base(forked: RepoBuilder) -> None:
    assert ("main 1", ["main 2"], "main") == shown(forked, proposal_of(forked, "main", "main"))
    assert ("first", ["main 1"], "main") == shown(forked, proposal_of(forked, "main~1", "main"))


def test_a_merge_in_the_target_brings_what_its_side_branch_brought(forked: RepoBuilder) -> None:
    forked.git("checkout", "-q", "main")
    forked.git("merge", "-q", "--no-ff", "-m", "merge topic", "topic")
    wanted = ("main 2", ["topic 1", "topic 2", "merge topic"], "main")
    assert wanted == shown(forked, proposal_of(forked, "main", "main"))


def test_a_topic_that_merged_its_target_answers_for_its_own_commits(forked: RepoBuilder) -> None:
    forked.git("merge", "-q", "-m", "merge main", "main")
    forked.commit({"t": "3"}, "topic 3")
    wanted = ("main 2", ["topic 1", "topic 2", "merge main", "topic 3"], "main")
    assert wanted == shown(forked, proposal_of(forked, base="main"))


def test_a_topic_that_was_merged_crosswise_answers_for_no_commit_of_its_target(forked: RepoBuilder) -> None:
    """Two best common ancestors: whichever git names, what the target holds is not proposed."""
    forked.git("branch", "early", "topic")
    forked.git("merge", "-q", "-m", "merge main", "main")
    forked.git("checkout", "-q", "main")
    forked.git("merge", "-q", "-m", "merge topic", "early")
    forked.git("checkout", "-q", "topic")
    assert ["merge main"] == shown(forked, proposal_of(forked, base="main"))[1]


def test_an_annotated_tag_and_a_detached_head(forked: RepoBuilder) -> None:
    forked.git("tag", "-a", "-m", "one", "v1", "topic~1")
    assert ("first", ["topic 1"], "main") == shown(forked, proposal_of(forked, "v1", "main"))
    forked.git("checkout", "-q", "--detach")
    assert ("first", ["topic 1", "topic 2"], "main") == shown(forked, proposal_of(forked, "HEAD", "main"))


def test_an_empty_commit_is_a_proposal_like_any_other(forked: RepoBuilder) -> None:
    forked.commit(message="empty")
    assert ("topic 2", ["empty"], "") == shown(forked, proposal_of(forked))


# Ranges


def test_a_range_is_one_proposal(forked: RepoBuilder) -> None:
    with opened(forked) as workspace:
        proposal = workspace.proposals.of_range("main", "topic")
        listed = workspace.proposals.listed("main", "topic")
    assert ("first", ["topic 1", "topic 2"], "main") == shown(forked, proposal)
    assert tuple(forked.git("rev-list", "--reverse", "main..topic").splitlines()) == listed


@pytest.mark.parametrize("text", ["HEAD..HEAD", "topic..topic~1"])
def test_an_empty_range_is_proved_empty(forked: RepoBuilder, text: str) -> None:
    result = checked(forked, text)
    assert ((), (), 0, ("the range is empty",)) == (
        result.findings,
        result.commits,
        result.exit_status,
        result.notes,
    )
    assert 0 == exit_status_of(())


# Histories that are cut, or have nothing in common


def test_a_shallow_clone_is_undecided_and_says_what_to_do(forked: RepoBuilder, tmp_path: Path) -> None:
    clone = clone_of(forked, tmp_path / "clone", "--depth=1", "--no-single-branch")
    for base in ("", "origin/main"):
        with pytest.raises(Undecided, match="git fetch --unshallow"):
            checked(clone, base=base)
        result = verified(clone, base=base)
        assert ("E_BASE_MISSING", "", 3) == (result.decision, result.verdict, result.exit_status)
        assert "--unshallow" in result.next_step
        assert (clone.git("rev-parse", "HEAD"), clone.tree()) == (result.commit, result.tree)


def test_a_range_that_goes_past_the_shallow_boundary(forked: RepoBuilder, tmp_path: Path) -> None:
    clone = clone_of(forked, tmp_path / "clone", "--depth=2")
    assert 0 == checked(clone).exit_status  # the first parent is here
    with pytest.raises(Undecided, match="git fetch --unshallow"):
        checked(clone, "HEAD~1")
    clone.git("fetch", "-q", "--unshallow")
    assert 0 == checked(clone, "HEAD~1").exit_status


def test_histories_with_nothing_in_common_are_undecided(forked: RepoBuilder) -> None:
    forked.git("checkout", "-q", "--orphan", "other")
    forked.commit(message="another root")
    with pytest.raises(Undecided, match="share no history"):
        checked(forked, base="main")
    result = verified(forked, base="main")
    assert ("E_BASE_MISSING", 3) == (result.decision, result.exit_status)
    assert "--base" in result.next_step


def test_b62_replace_refs_and_grafts_do_not_move_the_base(forked: RepoBuilder) -> None:
    tip, parent, other = (forked.git("rev-parse", rev) for rev in ("topic", "topic~1", "main"))
    forked.git("replace", parent, other)
    forked.git("replace", "--graft", tip, other)
    (forked.path / ".git/info/grafts").write_text(f"{tip} {other}\n")
    proposal = proposal_of(forked)
    assert (parent, (tip,)) == (proposal.base, tuple(commit.oid for commit in proposal.commits))
    assert forked.git("--no-replace-objects", "rev-parse", f"{parent}^{{tree}}") == proposal.base_tree


# Kinds of repositories


def test_b37_either_hash(repo_of_each_hash: RepoBuilder) -> None:
    repo = forked_in(repo_of_each_hash)
    assert ("first", ["topic 1", "topic 2"], "main") == shown(repo, proposal_of(repo, base="main"))
    assert ("", ["first"], "main") == shown(repo, proposal_of(repo, "main~2", "main"))
    assert empty_tree(repo.git("rev-parse", "HEAD")) == proposal_of(repo, "main~2").base_tree
    assert (0, 2) == (checked(repo, "main..topic").exit_status, len(checked(repo, "main..topic").commits))
    assert "E_NO_EVIDENCE" == verified(repo, base="main").decision


def test_a_linked_work_tree(forked: RepoBuilder, tmp_path: Path) -> None:
    forked.git("config", "agentgate.target", "main")
    forked.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"), "topic~1")
    linked = RepoBuilder(tmp_path / "linked", forked.environment)
    assert ("first", ["topic 1"], "main") == shown(linked, proposal_of(linked))


def test_a_linked_work_tree_of_a_shallow_clone(forked: RepoBuilder, tmp_path: Path) -> None:
    clone = clone_of(forked, tmp_path / "clone", "--depth=1")
    clone.git("worktree", "add", "-q", "--detach", str(tmp_path / "linked"))
    with pytest.raises(Undecided, match="git fetch --unshallow"):
        checked(RepoBuilder(tmp_path / "linked", forked.environment))


def test_a_clone_that_borrows_its_objects(forked: RepoBuilder, tmp_path: Path) -> None:
    forked.git("clone", "-q", "--shared", str(forked.path), str(tmp_path / "borrowed"))
    borrowed = RepoBuilder(tmp_path / "borrowed", forked.environment)
    assert ("first", ["topic 1", "topic 2"], "origin/main") == shown(
        borrowed, proposal_of(borrowed, base="origin/main")
    )


def test_a_submodule_is_a_repository_of_its_own(forked: RepoBuilder, tmp_path: Path, home: Path) -> None:
    outer = RepoBuilder.create(tmp_path / "outer", home)
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(forked.path), "inner")
    outer.commit(message="outer")
    inner = RepoBuilder(outer.path / "inner", forked.environment)
    assert ("first", ["topic 1", "topic 2"], "origin/main") == shown(inner, proposal_of(inner, base="origin/main"))
    assert ("", ["outer"], "") == shown(outer, proposal_of(outer))


def test_from_a_directory_below_from_elsewhere_and_by_git_dir(repo: RepoBuilder, tmp_path: Path) -> None:
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"})
    wanted = repo.git("rev-parse", "HEAD")
    ways: tuple[tuple[tuple[str, ...], Path, dict[str, str]], ...] = (
        (("check", "--format", "json"), repo.path / "tests", {}),
        (("-C", str(repo.path / "tests"), "check", "--format", "json"), tmp_path, {}),
        (("-C", os.path.relpath(repo.path, tmp_path), "check", "--format", "json"), tmp_path, {}),
        (("check", "--format", "json"), tmp_path, {"GIT_DIR": str(repo.path / ".git")}),
        (("-C", "repo", "check", "--format", "json"), tmp_path, {"GIT_DIR": ".git"}),
    )
    for args, cwd, env in ways:
        done = agentgate(repo, *args, cwd=cwd, **env)
        assert (0, "") == (done.status, done.stderr), args
        assert [wanted] == [commit["id"] for commit in done.json()["commits"]], args


def test_as_a_git_subcommand_from_an_alias_and_with_options_of_git(repo: RepoBuilder, tmp_path: Path) -> None:
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"})
    path = f"{BIN}:{repo.environment['PATH']}"
    for argv in (
        ("-C", str(repo.path), "agentgate", "check"),
        ("--git-dir", str(repo.path / ".git"), "agentgate", "check"),
        ("-C", str(repo.path), "-c", "alias.gate=agentgate check", "gate"),
        ("-C", str(repo.path), "-c", "alias.gate=!git agentgate check", "gate"),
    ):
        done = RepoBuilder(tmp_path, repo.environment).run("git", *argv, PATH=path)
        assert b"nothing blocks (0 other finding(s)) in 1 commit(s)" in done.stdout, (argv, done.stderr)


def test_a_bare_repository(repo: RepoBuilder, tmp_path: Path) -> None:
    with_topic(repo).commit({"core.py": "ONE = 2 - 1\n"})
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare.git"))
    bare = RepoBuilder(tmp_path / "bare.git", repo.environment)
    assert 0 == agentgate(bare, "check", "topic", "--base", "main").status
    assert 4 == agentgate(bare, "verify", "topic", "--base", "main").status
    assert 4 == agentgate(bare, "show", "topic").status
    logged = agentgate(bare, "log", "topic")
    assert (0, 2) == (logged.status, len(logged.stdout.splitlines()))


def test_x06_a_directory_with_a_dollar_in_its_name_is_taken_as_it_is(tmp_path: Path, home: Path) -> None:
    repo = RepoBuilder.create(tmp_path / "$HOME ~x", home)
    repo.commit({"a": "1"})
    assert 0 == agentgate(repo, "check").status
    assert 0 == agentgate(repo, "-C", str(repo.path), "check", cwd=tmp_path, HOME="/nonexistent").status
