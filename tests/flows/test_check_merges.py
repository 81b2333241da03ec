"""Merges, and what is about to be committed: judged against every parent."""

from __future__ import annotations

import pytest

from agentgate_git.flows.change_sets.staged import look
from agentgate_git.flows.check import check_staged, staged_proposal
from agentgate_git.model.verdict import CheckResult
from testing.hooked_repo import AGENT, by_agent
from testing.proposals import FILES, RUNNING, SKIPPING, TEST_FILE, WORKFLOW, checked, on_main, opened, told, with_topic
from testing.repo_builder import RepoBuilder

GUARDED = "E_GUARDED_PATH"
MANIFEST = "entropy.yaml"
PINS = "version: 1\nproperty_id: orders\nmodule: shop.orders\npins:\n  tz: UTC\n  rng_seed: 7\n"


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    """A topic branch without a commit of its own yet, off a `main` with a workflow and a test."""
    return with_topic(repo)


def staged(repo: RepoBuilder, message: str = "", **env: str) -> CheckResult:
    """What `check --staged` finds."""
    with opened(repo, is_clean=False, **env) as workspace:
        return check_staged(workspace, staged_proposal(workspace, look(workspace.clone), message))


def agent_merge(repo: RepoBuilder, *others: str, options: tuple[str, ...] = ()) -> str:
    """A merge commit that an agent makes, its message with a mark; no hook runs."""
    repo.git("merge", "-q", "--no-ff", "--no-commit", *options, *others, check=False)
    return finish_merge(repo)


def finish_merge(repo: RepoBuilder) -> str:
    repo.git("add", "-A")
    by_agent(repo).git("commit", "-q", "--no-verify", "-m", "merge")
    return repo.git("rev-parse", "HEAD")


# Merges


def test_merging_main_brings_main_s_own_work_and_nothing_of_the_agent(topic: RepoBuilder) -> None:
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    topic.git("checkout", "-q", "main")
    topic.commit({WORKFLOW: "on: pull_request\n", "docs/CODEOWNERS": "* @pat\n", TEST_FILE: SKIPPING})
    topic.git("checkout", "-q", "topic")
    agent_merge(topic, "main")
    topic.commit_as_agent({"core.py": "ONE = 1\n"})
    assert ((), 0) == (checked(topic).findings, checked(topic).exit_status)
    assert ((), 0) == (checked(topic, "main..topic").findings, checked(topic, "main..topic").exit_status)


def test_merging_to_and_fro_brings_main_s_own_work(topic: RepoBuilder) -> None:
    """Two best common ancestors: whichever git names, the workflow is as the target has it."""
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    topic.git("branch", "early")
    topic.git("checkout", "-q", "main")
    topic.commit({WORKFLOW: "on: pull_request\n"})
    topic.git("branch", "before")
    topic.git("merge", "-q", "-m", "merge early", "early")
    topic.git("checkout", "-q", "topic")
    agent_merge(topic, "before")
    assert ((), 0) == (checked(topic).findings, checked(topic).exit_status)


def test_b58_what_a_merge_writes_itself_is_seen(topic: RepoBuilder) -> None:
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    topic.git("checkout", "-q", "main")
    topic.commit({"other.py": "TWO = 2\n"})
    topic.git("checkout", "-q", "topic")
    topic.git("merge", "-q", "--no-ff", "--no-commit", "main")
    topic.write({WORKFLOW: "on: never\n", TEST_FILE: SKIPPING})
    commit = finish_merge(topic)
    assert "" == topic.git("show", "--format=", "--name-only", "-m", "--first-parent", commit, "--", "nothing")
    result = checked(topic)
    assert [(GUARDED, "block", WORKFLOW), ("E_SKIP_MARKER", "block", TEST_FILE)] == told(result.findings)
    assert commit == result.findings[0].commit


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_b58_a_merge_that_drops_the_other_side_s_guarded_change(topic: RepoBuilder, side: str) -> None:
    """`-s ours` on the topic leaves main's workflow behind; on a branch of main it is the topic's that is lost."""
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    topic.git("checkout", "-q", "main")
    topic.commit({WORKFLOW: "on: pull_request\n"})
    if side == "ours":
        topic.git("checkout", "-q", "topic")
        commit = agent_merge(topic, "main", options=("-s", "ours"))
    else:
        topic.git("checkout", "-q", "-b", "joined")
        topic.git("merge", "-q", "--no-ff", "--no-commit", "topic")
        topic.git("checkout", "-q", "topic", "--", WORKFLOW)
        commit = finish_merge(topic)
    result = checked(topic)
    assert [(GUARDED, "block", WORKFLOW, commit)] == [
        (*row, result.findings[0].commit) for row in told(result.findings)
    ]


def test_b58_in_a_clone_without_a_target_a_merge_is_judged_all_the_same(topic: RepoBuilder) -> None:
    topic.git("config", "--unset", "agentgate.target")
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    topic.git("checkout", "-q", "main")
    topic.commit({WORKFLOW: "on: pull_request\n"})
    topic.git("checkout", "-q", "topic")
    agent_merge(topic, "main")
    assert 0 == checked(topic).exit_status
    topic.git("reset", "-q", "--hard", "HEAD~1")
    agent_merge(topic, "main", options=("-s", "ours"))
    assert [(GUARDED, "block", WORKFLOW)] == told(checked(topic).findings)


def test_an_octopus_that_only_brings_main_s_work(topic: RepoBuilder) -> None:
    """One parent parted from main earlier than the others: what it lacks it did not change."""
    topic.git("branch", "old", "main")
    topic.git("checkout", "-q", "main")
    topic.commit({WORKFLOW: "on: pull_request\n"})
    topic.git("checkout", "-q", "-B", "topic")
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    topic.git("checkout", "-q", "old")
    topic.commit_as_agent({"old.py": "OLD = 1\n"})
    topic.git("checkout", "-q", "main")
    topic.commit({WORKFLOW: "on: merge_group\n"})
    topic.git("checkout", "-q", "topic")
    agent_merge(topic, "main", "old")
    assert 4 == len(topic.git("rev-list", "--parents", "-1", "HEAD").split())
    assert ((), 0) == (checked(topic).findings, checked(topic).exit_status)


def test_an_octopus_that_writes_itself_is_seen(topic: RepoBuilder) -> None:
    for name in ("one", "two", "three"):
        topic.git("checkout", "-q", "-b", name, "main")
        topic.commit_as_agent({f"{name}.py": "X = 1\n"})
    topic.git("checkout", "-q", "topic")
    topic.git("merge", "-q", "--no-ff", "--no-commit", "one", "two", "three")
    topic.write({".gitattributes": "*.py -diff\n"})
    commit = finish_merge(topic)
    assert [(GUARDED, "block", ".gitattributes")] == told(checked(topic).findings)
    assert commit == checked(topic).findings[0].commit


def test_an_unrelated_history_that_is_merged_in_is_judged_from_nothing(topic: RepoBuilder) -> None:
    topic.git("checkout", "-q", "--orphan", "other")
    topic.git("rm", "-q", "-r", "-f", ".")
    commit = topic.commit_as_agent({".travis.yml": "script: true\n"})
    topic.git("checkout", "-q", "topic")
    agent_merge(topic, "other", options=("--allow-unrelated-histories",))
    assert [(GUARDED, "block", ".travis.yml")] == told(checked(topic).findings)
    assert commit == checked(topic).findings[0].commit


def test_a_merge_of_unrelated_histories_that_drops_a_guarded_file(topic: RepoBuilder) -> None:
    topic.git("checkout", "-q", "--orphan", "other")
    topic.git("rm", "-q", "-r", "-f", ".")
    topic.commit({"other.py": "X = 1\n"})
    merged = agent_merge(topic, "main", options=("--allow-unrelated-histories", "-s", "ours"))
    result = checked(topic, base="main")
    assert (GUARDED, "block", WORKFLOW) in told(result.findings)
    assert merged in {finding.commit for finding in result.findings}


# What is about to be committed


def test_the_index_of_an_unborn_branch(repo: RepoBuilder) -> None:
    repo.write(FILES)
    repo.git("add", "-A")
    assert 0 == staged(repo).exit_status
    assert {(GUARDED, WORKFLOW)} == {(f.code, f.path) for f in staged(repo, **AGENT).findings}


def test_the_index_and_not_the_work_tree_is_judged(topic: RepoBuilder) -> None:
    topic.write({TEST_FILE: SKIPPING})
    assert ((), 0) == (staged(topic).findings, staged(topic).exit_status)
    topic.git("add", "-A")
    topic.write({TEST_FILE: RUNNING})
    assert [("E_SKIP_MARKER", "block", TEST_FILE)] == told(staged(topic).findings)


def test_the_environment_and_the_message_show_who_commits(topic: RepoBuilder) -> None:
    topic.write({WORKFLOW: "on: pull_request\n"})
    topic.git("add", "-A")
    assert 0 == staged(topic).exit_status
    assert 1 == staged(topic, **AGENT).exit_status
    assert 1 == staged(topic, "x\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n").exit_status


def being_merged(repo: RepoBuilder, other: str, *options: str) -> RepoBuilder:
    repo.git("merge", "-q", "--no-ff", "--no-commit", *options, other)
    return repo


def test_a_merge_of_main_that_is_being_made_passes(topic: RepoBuilder) -> None:
    """Main's own workflow, skips and rotated pins are main's, also those that an agent made and that were let in."""
    on_main(topic, {MANIFEST: PINS}).commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    topic.git("checkout", "-q", "main")
    topic.commit_as_agent({WORKFLOW: "on: pull_request\n", TEST_FILE: SKIPPING})
    topic.commit({MANIFEST: PINS.replace("7", "8")})
    topic.git("checkout", "-q", "topic")
    result = staged(being_merged(topic, "main"), **AGENT)
    assert ((), 0) == (result.findings, result.exit_status)


def test_b58_a_merge_that_is_being_made_may_not_write_itself(topic: RepoBuilder) -> None:
    """A test that runs on both sides is skipped in the merge; another one was skipped on one side already."""
    two = RUNNING + "\n\ndef test_two():\n    assert 2 == ONE + 1\n"
    on_main(topic, {TEST_FILE: two, MANIFEST: PINS}).commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    topic.git("checkout", "-q", "main")
    topic.commit({TEST_FILE: two.replace("def test_two", "@pytest.mark.skip\ndef test_two")})
    topic.git("checkout", "-q", "topic")
    being_merged(topic, "main")
    topic.write({TEST_FILE: two.replace("import pytest\n", "import pytest\n\npytestmark = pytest.mark.skip\n")})
    topic.write({WORKFLOW: "on: never\n", MANIFEST: PINS.replace("7", "8")})
    topic.git("add", "-A")
    found = {(finding.code, finding.path) for finding in staged(topic, **AGENT).findings if finding.is_blocking()}
    assert {(GUARDED, WORKFLOW), ("E_SKIP_MARKER", TEST_FILE), ("E_PIN_CHANGED", MANIFEST)} == found


def test_a_merge_of_agent_work_that_is_being_made_is_judged_by_its_commits(topic: RepoBuilder) -> None:
    commit = topic.commit_as_agent({WORKFLOW: "on: never\n"})
    topic.git("checkout", "-q", "main")
    topic.commit({"other.py": "X = 1\n"})
    result = staged(being_merged(topic, "topic"))
    assert [(GUARDED, "block", WORKFLOW)] == told(result.findings)
    assert commit == result.findings[0].commit
