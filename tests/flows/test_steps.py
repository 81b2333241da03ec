"""Commits of a proposal one by one: what the range as a whole hides, and what it has made good."""

from __future__ import annotations

import pytest

from testing.proposals import RUNNING, SKIPPING, TEST_FILE, checked, on_main, told, with_topic
from testing.repo_builder import RepoBuilder

SKIP = "E_SKIP_MARKER"
RENAMED = RUNNING.replace("test_one", "test_uno")
OTHER = "from core import ONE\n\n\ndef test_other():\n    assert ONE + 1 == 2\n"
OTHER_SKIPPED = "import pytest\n" + OTHER.replace("def ", "@pytest.mark.skip\ndef ")
MANIFEST = "version: 1\nproperty_id: orders\nmodule: shop.orders\npins:\n  tz: UTC\n  rng_seed: 7\n"


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    return with_topic(repo)


def blocking(repo: RepoBuilder, rev: str = "HEAD") -> list[tuple[str, str, str]]:
    return [(one.code, one.path, one.commit) for one in checked(repo, rev).findings if one.is_blocking()]


# Plain commits


def test_allow_a_test_that_was_skipped_and_runs_again(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: SKIPPING})
    topic.commit({TEST_FILE: RUNNING})
    assert ((), 0) == (checked(topic).findings, checked(topic).exit_status)


def test_allow_a_test_of_its_own_that_arrives_and_is_switched_off(topic: RepoBuilder) -> None:
    topic.commit({"tests/test_other.py": OTHER})
    topic.commit({"tests/test_other.py": OTHER_SKIPPED})
    assert [(SKIP, "warn", "tests/test_other.py")] == told(checked(topic).findings)


def test_allow_a_test_that_is_renamed_and_rewritten(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: RENAMED})
    topic.commit({TEST_FILE: RENAMED.replace("1 == ONE", "ONE == 1")})
    assert [] == blocking(topic)


def test_renamed_then_rewritten_and_switched_off(topic: RepoBuilder) -> None:
    """Over the range one test is gone and another one is new and skipped."""
    topic.commit({TEST_FILE: RENAMED})
    commit = topic.commit(
        {TEST_FILE: RENAMED.replace("1 == ONE", "2 == ONE").replace("def ", "@pytest.mark.skip\ndef ")}
    )
    assert [(SKIP, TEST_FILE, commit)] == blocking(topic)


def test_moved_then_rewritten_and_switched_off(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: None, "tests/test_moved.py": RENAMED})
    topic.commit({"tests/test_moved.py": RENAMED.replace("1 == ONE", "2 == ONE")})
    commit = topic.commit({"tests/test_moved.py": SKIPPING.replace("test_one", "test_uno").replace("1 ==", "2 ==")})
    assert [(SKIP, "tests/test_moved.py", commit)] == blocking(topic)
    topic.commit({"tests/test_moved.py": RENAMED.replace("1 == ONE", "2 == ONE")})
    assert [] == blocking(topic)


def test_what_the_range_shows_is_told_once(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: SKIPPING})
    topic.commit({TEST_FILE: SKIPPING + "\n\nLAST = 1\n"})
    assert [(SKIP, TEST_FILE, "")] == blocking(topic)


def test_a_file_that_was_repaired_on_the_way(topic: RepoBuilder) -> None:
    """Nobody knows what the base's broken file tested, so what it shows once it is repaired counts as the base's."""
    on_main(topic, {TEST_FILE: RUNNING.replace("def test_one()", "def test_one(")})
    topic.commit({TEST_FILE: RUNNING})
    assert [] == blocking(topic)
    commit = topic.commit({TEST_FILE: SKIPPING})
    assert [(SKIP, TEST_FILE, commit)] == blocking(topic)


def test_a_clone_without_a_target_judges_one_commit(topic: RepoBuilder) -> None:
    topic.git("config", "--unset", "agentgate.target")
    topic.commit({TEST_FILE: RENAMED})
    topic.commit({TEST_FILE: RENAMED + "\n\nLAST = 1\n"})
    assert [] == blocking(topic)


# Merges


def crossed(repo: RepoBuilder, with_test: str) -> RepoBuilder:
    """`main` is the merge of `one` and `two`, one of which added a test; the topic stands on `one`."""
    for name in ("one", "two"):
        repo.git("checkout", "-q", "-b", name, "topic")
        repo.commit({"tests/test_other.py": OTHER} if name == with_test else {f"{name}.py": "X = 1\n"}, f"on {name}")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "one", "one")
    repo.git("merge", "-q", "--no-ff", "-m", "two", "two")
    repo.git("checkout", "-q", "-B", "topic", "one")
    return repo


@pytest.mark.parametrize("side", ["one", "two"])
def test_allow_merging_both_sides_as_the_target_did(topic: RepoBuilder, side: str) -> None:
    crossed(topic, side).git("merge", "-q", "--no-ff", "-m", "merge", "two")
    assert ((), 0) == (checked(topic).findings, checked(topic).exit_status)


@pytest.mark.parametrize("side", ["one", "two"])
def test_b58_a_merge_that_switches_off_what_one_side_brought(topic: RepoBuilder, side: str) -> None:
    """Two bases are as good, and only one of them has the test: whichever git takes, the loss is seen."""
    crossed(topic, side).git("merge", "-q", "--no-ff", "--no-commit", "two")
    commit = topic.commit({"tests/test_other.py": OTHER_SKIPPED})
    ((code, path, found_in),) = blocking(topic)
    assert (SKIP, "tests/test_other.py") == (code, path)
    assert found_in in ("", commit)


@pytest.mark.parametrize("side", ["one", "two"])
def test_allow_what_people_did_on_either_side_of_the_target(topic: RepoBuilder, side: str) -> None:
    crossed(topic, side)
    topic.git("checkout", "-q", side)
    topic.commit({TEST_FILE: SKIPPING})
    topic.git("checkout", "-q", "main")
    topic.git("merge", "-q", "--no-ff", "-m", "again", side)
    topic.git("checkout", "-q", "-B", "topic", "one")
    topic.git("merge", "-q", "--no-ff", "-m", "merge", "two")
    topic.commit({"core.py": "ONE = 2 - 1\n"})
    assert [] == blocking(topic)


def test_b58_a_conflict_that_is_resolved_by_switching_off(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: RUNNING.replace("1 == ONE", "ONE == 1")})
    topic.git("checkout", "-q", "main")
    topic.commit({TEST_FILE: RUNNING.replace("1 == ONE", "1 == int(ONE)")})
    topic.git("checkout", "-q", "topic")
    topic.git("merge", "-q", "--no-ff", "--no-commit", "main", check=False)
    topic.commit({TEST_FILE: SKIPPING})
    assert [(SKIP, TEST_FILE, "")] == blocking(topic)


def test_allow_a_conflict_that_is_resolved_honestly(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: RUNNING.replace("1 == ONE", "ONE == 1")})
    topic.git("checkout", "-q", "main")
    topic.commit({TEST_FILE: RUNNING.replace("1 == ONE", "1 == int(ONE)")})
    topic.git("checkout", "-q", "topic")
    topic.git("merge", "-q", "--no-ff", "--no-commit", "main", check=False)
    topic.commit({TEST_FILE: RUNNING.replace("1 == ONE", "int(ONE) == 1")})
    assert [] == blocking(topic)


def test_b58_a_merge_that_drops_a_pin_of_both_parents(topic: RepoBuilder) -> None:
    on_main(topic, {"entropy.yaml": MANIFEST}).commit({"core.py": "ONE = 2 - 1\n"})
    topic.git("checkout", "-q", "main")
    topic.commit({"other.py": "X = 1\n"})
    topic.git("checkout", "-q", "topic")
    topic.git("merge", "-q", "--no-ff", "--no-commit", "main")
    topic.commit({"entropy.yaml": MANIFEST.replace("  rng_seed: 7\n", "")})
    assert [("E_PIN_DROPPED", "entropy.yaml", "")] == blocking(topic)


def test_an_octopus_that_switches_off_a_test_of_all_its_parents(topic: RepoBuilder) -> None:
    for name in ("one", "two", "three"):
        topic.git("checkout", "-q", "-b", name, "main")
        topic.commit({f"{name}.py": "X = 1\n"})
    topic.git("checkout", "-q", "topic")
    topic.git("merge", "-q", "--no-ff", "--no-commit", "one", "two", "three")
    topic.commit({TEST_FILE: SKIPPING})
    assert [(SKIP, TEST_FILE, "")] == blocking(topic)


def test_a_root_that_is_merged_in_brings_tests_of_its_own(topic: RepoBuilder) -> None:
    topic.git("checkout", "-q", "--orphan", "other")
    topic.git("rm", "-q", "-r", "-f", ".")
    topic.commit({"tests/test_other.py": OTHER})
    topic.commit({"tests/test_other.py": OTHER_SKIPPED})
    topic.git("checkout", "-q", "topic")
    topic.git("merge", "-q", "--no-ff", "-m", "merge", "--allow-unrelated-histories", "other")
    assert [(SKIP, "warn", "tests/test_other.py")] == told(checked(topic).findings)
