"""Every commit of a history on its own, against every parent it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentgate_git.flows.change_sets.facts_cache import FactsCache
from agentgate_git.flows.scan_history import scan_all, scan_range
from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.transfer import Progress
from agentgate_git.model.verdict import CheckResult
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git
from testing.proposals import FILES, RUNNING, SKIPPING, TEST_FILE, WORKFLOW, checked, opened
from testing.repo_builder import RepoBuilder

SECOND = "\n\ndef test_two():\n    assert 2 == ONE + ONE\n"
PINS = "version: 1\nproperty_id: orders\nmodule: shop.orders\npins:\n  tz: UTC\n  rng_seed: 7\n"


def scanned(repo: RepoBuilder, rev: str = "HEAD") -> CheckResult:
    """What `scan --all REV` finds; `scan --range` when the revision is written as one."""
    start, dots, end = rev.partition("..")
    with opened(repo) as workspace:
        result = scan_range(workspace, start, end) if dots else scan_all(workspace, rev)
    assert any(finding.is_blocking() for finding in result.findings) == bool(result.exit_status)
    return result


def found(repo: RepoBuilder, rev: str = "HEAD") -> list[tuple[str, str, str, str]]:
    """Code, severity, path and commit of each finding."""
    return [(one.code, one.severity, one.path, one.commit) for one in scanned(repo, rev).findings]


def merge(repo: RepoBuilder, *others: str, options: tuple[str, ...] = ()) -> str:
    repo.git("merge", "-q", "--no-ff", "-m", "merge", *options, *others)
    return repo.git("rev-parse", "HEAD")


def amended(repo: RepoBuilder, files: dict[str, str | bytes | None]) -> str:
    """The last commit with other content: for a merge, what it writes itself."""
    repo.write(files)
    repo.git("add", "-A")
    repo.git("commit", "-q", "--amend", "--no-edit", "--no-verify")
    return repo.git("rev-parse", "HEAD")


@pytest.fixture
def grown(repo: RepoBuilder) -> RepoBuilder:
    """A history of honest work with one side branch."""
    repo.commit(FILES, "first")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"tests/test_side.py": RUNNING}, "side")
    repo.git("checkout", "-q", "main")
    repo.commit({TEST_FILE: RUNNING + SECOND}, "more")
    return repo


def test_honest_work(grown: RepoBuilder) -> None:
    merge(grown, "side")
    grown.commit(message="empty")
    grown.commit({TEST_FILE: None, "tests/unit/test_core.py": RUNNING + SECOND}, "moved")
    result = scanned(grown)
    assert ((), (), 0, 6) == (result.findings, result.notes, result.exit_status, len(result.commits))


def test_what_a_commit_did_is_told_though_a_later_one_took_it_back(grown: RepoBuilder) -> None:
    bad = grown.commit({TEST_FILE: SKIPPING + SECOND}, "skip")
    grown.commit({TEST_FILE: RUNNING + SECOND}, "back")
    assert [("E_SKIP_MARKER", "block", TEST_FILE, bad)] == found(grown)


def test_a_range_ends_where_it_says(grown: RepoBuilder) -> None:
    bad = grown.commit({TEST_FILE: SKIPPING + SECOND}, "skip")
    last = grown.commit({"core.py": "ONE = 2 - 1\n"}, "later")
    assert [bad] == [row[-1] for row in found(grown, "main~2..main")]
    assert [] == found(grown, "main~1..main")
    assert [last] == [row.commit for row in scanned(grown, "main~1..main").commits]
    empty = scanned(grown, "main..main~1")
    assert ((), ("the range is empty",), 0) == (empty.commits, empty.notes, empty.exit_status)


def test_the_first_commit_is_compared_with_nothing(repo: RepoBuilder) -> None:
    first = repo.commit({TEST_FILE: SKIPPING})
    assert [("E_SKIP_MARKER", "warn", TEST_FILE, first)] == found(repo)


def test_both_hashes(repo_of_each_hash: RepoBuilder) -> None:
    repo_of_each_hash.commit(FILES)
    bad = repo_of_each_hash.commit({TEST_FILE: SKIPPING})
    assert [bad] == [row[-1] for row in found(repo_of_each_hash)]


def test_pins_and_the_markers_that_a_manifest_forbids(repo: RepoBuilder) -> None:
    repo.commit({**FILES, "entropy.yaml": PINS})
    dropped = repo.commit({"entropy.yaml": PINS.replace("  rng_seed: 7\n", "")})
    repo.commit({"entropy.yaml": PINS + "constraints:\n  forbid_skip_markers: [network]\n"})
    marked = repo.commit({TEST_FILE: SKIPPING.replace("mark.skip", "mark.network")})
    assert [
        ("E_PIN_DROPPED", "block", "entropy.yaml", dropped),
        ("E_SKIP_MARKER", "block", TEST_FILE, marked),
    ] == found(repo)


def test_who_made_each_commit_and_nothing_about_guarded_paths(grown: RepoBuilder) -> None:
    agent = grown.commit_as_agent({WORKFLOW: "on: never\n"})
    result = scanned(grown)
    assert ((), 0) == (result.findings, result.exit_status)
    assert [("human", "U_DEFAULT")] * 2 == [(row.actor, row.rule) for row in result.commits[:-1]]
    assert (agent, "agent") == result.commits[-1][:2]


def test_the_policy_at_the_start_of_a_range_names_agents(grown: RepoBuilder) -> None:
    grown.commit({".agentgate/policy.yaml": "version: 1\nagents: [pat@example.org]\n"}, "policy")
    grown.commit({"core.py": "ONE = 2 - 1\n"})
    assert ["agent"] == [row.actor for row in scanned(grown, "HEAD~1..HEAD").commits]
    assert ["human"] * 2 == [row.actor for row in scanned(grown, "HEAD~2..HEAD").commits]


def test_the_keys_at_the_start_of_a_range_count_as_they_do_for_check(grown: RepoBuilder, tmp_path: Path) -> None:
    key = tmp_path / "key"
    grown.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "pat", "-f", str(key))
    line = f'human:pat namespaces="git,agentgate" {key.with_suffix(".pub").read_text()}'
    grown.commit({".agentgate/allowed_signers": line}, "enrolled")
    grown.commit({"core.py": "ONE = 2 - 1\n"}, "unsigned")
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(key)), ("commit.gpgsign", "true")):
        grown.git("config", name, value)
    grown.commit({"core.py": "ONE = 3 - 2\n"}, "signed")
    classes = scanned(grown, "HEAD~2..HEAD").commits
    assert classes == checked(grown, "HEAD~2..HEAD").commits
    assert ["U_DEFAULT", "H_FILEKEY"] == [row.rule for row in classes]


def test_how_far_it_is(grown: RepoBuilder) -> None:
    shown: list[Progress] = []
    with opened(grown) as workspace:
        scan_all(workspace, "HEAD", shown.append)
    assert [Progress("commits", 1, 2), Progress("commits", 2, 2)] == shown


# Merges


def test_b58_a_merge_answers_for_what_no_parent_has(grown: RepoBuilder) -> None:
    merge(grown, "side")
    evil = amended(grown, {TEST_FILE: SKIPPING + SECOND})
    assert [("E_SKIP_MARKER", "block", TEST_FILE, evil)] == found(grown)


def test_a_merge_does_not_tell_again_what_a_commit_of_the_branch_did(grown: RepoBuilder) -> None:
    grown.git("checkout", "-q", "side")
    bad = grown.commit({"tests/test_side.py": SKIPPING}, "skip")
    grown.git("checkout", "-q", "main")
    merge(grown, "side")
    assert [bad] == [row[-1] for row in found(grown)]


def test_a_merge_answers_for_its_tests_beside_production_of_one_side(grown: RepoBuilder) -> None:
    asking = "import os\n\n\ndef one():\n    return 2 if 'PYTEST_CURRENT_TEST' in os.environ else 1\n"
    grown.git("checkout", "-q", "side")
    bad = grown.commit({"asking.py": asking}, "special")
    grown.git("checkout", "-q", "main")
    merge(grown, "side")
    evil = amended(grown, {TEST_FILE: SKIPPING + SECOND})
    assert [("E_SPECIAL_CASED", bad), ("E_SKIP_MARKER", evil)] == [(row[0], row[-1]) for row in found(grown)]


def test_a_merge_that_drops_a_pin_both_sides_had(repo: RepoBuilder) -> None:
    repo.commit({**FILES, "entropy.yaml": PINS})
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"other.py": "TWO = 2\n"})
    repo.git("checkout", "-q", "main")
    repo.commit({"more.py": "THREE = 3\n"})
    merge(repo, "side")
    evil = amended(repo, {"entropy.yaml": PINS.replace("  rng_seed: 7\n", "")})
    assert [("E_PIN_DROPPED", "block", "entropy.yaml", evil)] == found(repo)


def test_an_octopus(grown: RepoBuilder) -> None:
    grown.git("checkout", "-q", "-b", "third", "main~1")
    grown.commit({"third.py": "THREE = 3\n"})
    grown.git("checkout", "-q", "main")
    merge(grown, "side", "third")
    assert 4 == len(grown.git("rev-list", "--parents", "-1", "HEAD").split())
    assert [] == found(grown)
    evil = amended(grown, {TEST_FILE: SKIPPING + SECOND})
    assert [evil] == [row[-1] for row in found(grown)]


def test_histories_that_share_nothing(grown: RepoBuilder) -> None:
    grown.git("checkout", "-q", "--orphan", "alone")
    grown.git("rm", "-qrf", ".")
    grown.commit({"tests/test_alone.py": RUNNING})
    bad = grown.commit({"tests/test_alone.py": SKIPPING})
    grown.git("checkout", "-q", "main")
    merge(grown, "alone", options=("--allow-unrelated-histories",))
    assert [bad] == [row[-1] for row in found(grown)]


# What cannot be looked at, and what lies in the way


def test_a_shallow_clone_is_not_judged_in_part(grown: RepoBuilder, tmp_path: Path) -> None:
    grown.git("clone", "-q", "--depth", "1", f"file://{grown.path}", str(tmp_path / "shallow"))
    shallow = RepoBuilder(tmp_path / "shallow", grown.environment)
    with pytest.raises(Undecided, match="shallow boundary"):
        scanned(shallow)
    tip = shallow.git("rev-parse", "HEAD")
    shallow.commit({"core.py": "ONE = 2 - 1\n"})
    assert [] == found(shallow, f"{tip}..HEAD")


def test_a_revision_that_is_none(grown: RepoBuilder) -> None:
    for rev in ("nowhere", "-x", "HEAD:core.py", "nowhere..HEAD", "HEAD..nowhere"):
        with pytest.raises(UsageFailure):
            scanned(grown, rev)


def test_an_object_with_other_bytes_is_not_judged(grown: RepoBuilder) -> None:
    grown.commit({TEST_FILE: SKIPPING + SECOND})
    objects = grown.path / ".git/objects"
    blob, other = (grown.git("rev-parse", f"{rev}:{TEST_FILE}") for rev in ("HEAD", "HEAD~1"))
    target = objects / blob[:2] / blob[2:]
    target.chmod(0o644)
    target.write_bytes((objects / other[:2] / other[2:]).read_bytes())
    with pytest.raises(Undecided, match="does not have the bytes"):
        scanned(grown)


def test_replace_refs_and_attributes_of_the_clone_hide_nothing(grown: RepoBuilder) -> None:
    good = grown.git("rev-parse", "HEAD")
    bad = grown.commit({TEST_FILE: SKIPPING + SECOND, ".gitattributes": "* -diff\n"})
    grown.git("replace", bad, good)
    assert bad in [row[-1] for row in found(grown)]


def test_b35_odd_names(repo: RepoBuilder) -> None:
    names = ["tests/test_bad\udce5.py", "tests/test_\n.py", ".\n", "tests/.\n.py"]
    repo.commit(dict.fromkeys(names, RUNNING))
    repo.commit(dict.fromkeys(names, SKIPPING))
    assert {"tests/test_bad\udce5.py", "tests/test_\n.py"} <= {row[2] for row in found(repo)}


def test_a_link_is_no_test_file(repo: RepoBuilder) -> None:
    repo.commit(FILES)
    (repo.path / "tests/test_link.py").symlink_to("test_core.py")
    repo.commit()
    assert [] == found(repo)


def test_the_repository_is_left_as_it_was(grown: RepoBuilder) -> None:
    before = grown.git("for-each-ref"), grown.git("status", "--porcelain"), grown.git("count-objects", "-v")
    scanned(grown)
    assert before == (grown.git("for-each-ref"), grown.git("status", "--porcelain"), grown.git("count-objects", "-v"))


def test_a_blob_is_read_once_while_it_is_remembered(repo: RepoBuilder) -> None:
    repo.commit({"test_one.py": RUNNING, "test_two.py": RUNNING + SECOND})
    one, two = (("test_one.py", repo.git("rev-parse", "HEAD:test_one.py")), ("test_two.py", "HEAD:test_two.py"))
    two = (two[0], repo.git("rev-parse", two[1]))
    with Objects(Git.in_repository(str(repo.path), repo.environment)) as objects:
        wide, narrow = FactsCache(objects.blobs), FactsCache(objects.blobs, max_tests=3)
        kept = [list(cache.facts(files, ())) for cache in (wide, narrow) for files in ([one], [two], [one])]
        assert kept[0] == kept[2] == kept[3] == kept[5]
        assert (True, False) == (kept[0][0] is kept[2][0], kept[3][0] is kept[5][0])
        (elsewhere,) = wide.facts([("tests/test_else.py", one[1])], ())
        assert "tests/test_else.py" == elsewhere.path


def test_a_message_that_keeps_the_pipeline_from_running(grown: RepoBuilder) -> None:
    code = grown.commit({TEST_FILE: RUNNING + SECOND + "\n"}, "tidy [skip ci]")
    prose = grown.commit({"README.md": "shop\n"}, "say more\n\nskip-checks: true")
    assert [("E_GATE_CONFIG", "warn", "", code), ("E_GATE_CONFIG", "advice", "", prose)] == sorted(
        found(grown), key=lambda one: one[1] == "advice"
    )
