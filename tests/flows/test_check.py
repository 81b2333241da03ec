"""What a change set may not do, commit by commit and over the whole range, with the base's own files."""

from __future__ import annotations

import pytest

from agentgate_git.model.failure import PolicyFailure
from testing.command_line import agentgate
from testing.proposals import FILES, RUNNING, SKIPPING, TEST_FILE, WORKFLOW, checked, on_main, told, with_topic
from testing.repo_builder import RepoBuilder

GUARDED = "E_GUARDED_PATH"
POLICY = ".agentgate/policy.yaml"
MANIFEST = "entropy.yaml"
BASELINE = "entropy.baseline.yaml"
PINS = "version: 1\nproperty_id: orders\nmodule: shop.orders\npins:\n  tz: UTC\n  rng_seed: 7\n"


@pytest.fixture
def topic(repo: RepoBuilder) -> RepoBuilder:
    """A topic branch without a commit of its own yet, off a `main` with a workflow and a test."""
    return with_topic(repo)


# Guarded paths


def test_work_that_touches_nothing_guarded_passes(topic: RepoBuilder) -> None:
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n", "README.md": "Words.\n"})
    result = checked(topic)
    assert ((), 0) == (result.findings, result.exit_status)
    assert ["agent"] == [commit.actor for commit in result.commits]


def test_a_human_may_touch_a_guarded_path_in_lenient_mode(topic: RepoBuilder) -> None:
    topic.commit({WORKFLOW: "on: pull_request\n"})
    result = checked(topic)
    assert ((), 0) == (result.findings, result.exit_status)
    assert [("human", "U_DEFAULT")] == [(commit.actor, commit.rule) for commit in result.commits]
    assert any("1 commit(s) carry no mark" in note and "lenient" in note for note in result.notes)


def test_an_agent_may_not_and_its_commit_is_named(topic: RepoBuilder) -> None:
    commit = topic.commit_as_agent({WORKFLOW: "on: pull_request\n"})
    result = checked(topic)
    assert [(GUARDED, "block", WORKFLOW)] == told(result.findings)
    assert (commit, 1) == (result.findings[0].commit, result.exit_status)


def test_what_an_agent_did_and_took_back_was_still_done(topic: RepoBuilder) -> None:
    """The commits are judged one by one: a run of the workflow in between has happened."""
    first = topic.commit_as_agent({WORKFLOW: "on: pull_request\n"})
    second = topic.commit_as_agent({WORKFLOW: FILES[WORKFLOW]})
    result = checked(topic)
    assert topic.tree("main") == topic.tree()
    assert [first, second] == [finding.commit for finding in result.findings]
    assert 1 == result.exit_status


def test_a_range_takes_its_strongest_class(topic: RepoBuilder) -> None:
    """One unmarked commit touches the path, one marked commit does not: the proposal as a whole is agent work."""
    topic.commit({WORKFLOW: "on: pull_request\n"})
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    result = checked(topic)
    assert [(GUARDED, "block", WORKFLOW)] == told(result.findings)
    assert "" == result.findings[0].commit


def test_a_path_that_a_human_changed_and_took_back_is_nobodys(topic: RepoBuilder) -> None:
    topic.commit({WORKFLOW: "on: pull_request\n"})
    topic.commit({WORKFLOW: FILES[WORKFLOW]})
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    assert ((), 0) == (checked(topic).findings, checked(topic).exit_status)


def test_a_commit_that_names_a_mark_in_prose_is_no_agents(topic: RepoBuilder) -> None:
    topic.commit({WORKFLOW: "on: pull_request\n"}, "Remove the Claude bot\n\nIt used to sign as Co-Authored-By.")
    assert 0 == checked(topic).exit_status


# Modes and the base's policy


def test_strict_mode_counts_the_unmarked_as_agents(topic: RepoBuilder) -> None:
    on_main(topic, {POLICY: "version: 1\nmode: strict\n"}).commit({WORKFLOW: "on: pull_request\n"})
    result = checked(topic)
    assert [(GUARDED, "block", WORKFLOW)] == told(result.findings)
    assert any("strict" in note for note in result.notes)


def test_report_mode_tells_everything_and_blocks_nothing(topic: RepoBuilder) -> None:
    on_main(topic, {POLICY: "version: 1\nmode: report\n", MANIFEST: PINS})
    topic.commit_as_agent({WORKFLOW: "on: pull_request\n", TEST_FILE: SKIPPING, MANIFEST: "version: [1\n"})
    result = checked(topic)
    assert {GUARDED, "E_SKIP_MARKER", "E_MANIFEST_INVALID"} == {finding.code for finding in result.findings}
    assert ({"warn"}, 0) == ({finding.severity for finding in result.findings}, result.exit_status)


def test_the_projects_own_agents_and_patterns_hold(topic: RepoBuilder) -> None:
    on_main(topic, {POLICY: "version: 1\nguarded: [deploy/**]\nagents: [helper@example.org]\n"})
    topic.commit({"deploy/run.sh": "rm -r /\n"})
    assert 0 == checked(topic).exit_status
    topic.commit({"deploy/run.sh": "true\n"}, GIT_AUTHOR_EMAIL="helper@example.org")
    assert [(GUARDED, "block", "deploy/run.sh")] == told(checked(topic).findings)


def test_a_policy_of_the_proposal_itself_does_not_hold(topic: RepoBuilder) -> None:
    """It neither frees its author nor binds anybody before it is merged."""
    on_main(topic, {POLICY: "version: 1\nmode: strict\nguarded: [deploy/**]\n"})
    topic.commit({POLICY: "version: 1\nmode: report\n"})
    topic.commit({"deploy/run.sh": "true\n"})
    blocking = {finding.path for finding in checked(topic).findings if finding.is_blocking()}
    assert ({POLICY, "deploy/run.sh"}, 1) == (blocking, checked(topic).exit_status)


def test_a_new_policy_binds_nobody_before_it_is_merged(topic: RepoBuilder) -> None:
    topic.commit({POLICY: "version: 1\nmode: strict\nguarded: ['**']\n"})
    result = checked(topic)
    assert 0 == result.exit_status
    assert any("built-in defaults" in note for note in result.notes)


def test_an_unreadable_policy_at_the_base_is_exit_2_and_one_line(topic: RepoBuilder) -> None:
    on_main(topic, {POLICY: "version: 1\nmode: lenient\nmode: report\n"}).commit({"core.py": "ONE = 2 - 1\n"})
    with pytest.raises(PolicyFailure, match="line 3"):
        checked(topic)
    for verb in ("check", "verify"):
        done = agentgate(topic, verb)
        assert (2, "", 1) == (done.status, done.stdout, done.stderr.count("\n"))
        assert done.stderr.endswith("repair that line on the base branch\n")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"", b"- a\n", b"version: 2\n", b"version: 1\nunknown: 1\n"])
def test_no_unreadable_policy_is_taken_for_none(topic: RepoBuilder, content: bytes) -> None:
    on_main(topic, {POLICY: content}).commit({"core.py": "ONE = 2 - 1\n"})
    with pytest.raises(PolicyFailure):
        checked(topic)


def test_a_folder_in_the_place_of_the_policy_is_not_taken_for_none(topic: RepoBuilder) -> None:
    on_main(topic, {f"{POLICY}/a": "version: 1\n"}).commit({"core.py": "ONE = 2 - 1\n"})
    with pytest.raises(PolicyFailure):
        checked(topic)


# Pins


def test_pins_that_stay_and_pins_that_come_are_fine(topic: RepoBuilder) -> None:
    on_main(topic, {MANIFEST: PINS, BASELINE: PINS})
    topic.commit_as_agent({MANIFEST: PINS + "  lang: C.UTF-8\n"})
    assert 0 == checked(topic).exit_status


PIN_DEEDS: dict[str, tuple[dict[str, str | bytes | None], str]] = {
    "dropped": ({MANIFEST: PINS.replace("  rng_seed: 7\n", "")}, "E_PIN_DROPPED"),
    "changed": ({MANIFEST: PINS.replace("7", "8")}, "E_PIN_CHANGED"),
    "another type": ({MANIFEST: PINS.replace("7", '"7"')}, "E_PIN_CHANGED"),
    "deleted": ({MANIFEST: None}, "E_PIN_DROPPED"),
    "renamed": ({MANIFEST: None, "entropy.yml": PINS}, "E_PIN_DROPPED"),
    "moved": ({MANIFEST: None, "conf/entropy.yaml": PINS}, "E_PIN_DROPPED"),
    "no YAML": ({MANIFEST: PINS + "\t- x: [\n"}, "E_MANIFEST_INVALID"),
    "two equal keys": ({MANIFEST: PINS + "  tz: UTC\n"}, "E_MANIFEST_INVALID"),
    "UTF-16": ({MANIFEST: PINS.encode("utf-16")}, "E_MANIFEST_INVALID"),
    "another property": ({MANIFEST: PINS.replace("orders", "other")}, "E_PIN_DROPPED"),
    "constraint taken back": (
        {MANIFEST: PINS + "constraints:\n  forbid_dropped_pins: false\n"},
        "E_PIN_CHANGED",
    ),
}


@pytest.mark.parametrize("deed", PIN_DEEDS)
@pytest.mark.parametrize("where", [MANIFEST, BASELINE])
def test_pins_of_the_base_hold_whoever_changes_them(topic: RepoBuilder, deed: str, where: str) -> None:
    """They may stand in the base's manifest, or in its baseline beside a manifest that pins nothing yet."""
    weak = "version: 1\nproperty_id: orders\nmodule: shop.orders\npins:\n  umask: '0022'\n"
    on_main(topic, {MANIFEST: PINS} if where == MANIFEST else {MANIFEST: weak, BASELINE: PINS})
    files, code = PIN_DEEDS[deed]
    topic.commit(files, "a human's")
    result = checked(topic)
    assert code in {finding.code for finding in result.findings if finding.is_blocking()}, result.findings
    assert 1 == result.exit_status


def test_pins_are_compared_with_the_base_and_not_with_the_branch_itself(topic: RepoBuilder) -> None:
    on_main(topic, {MANIFEST: PINS})
    topic.commit({MANIFEST: PINS.replace("7", "8"), BASELINE: PINS.replace("7", "8")})
    topic.commit({MANIFEST: PINS.replace("7", "9"), BASELINE: PINS.replace("7", "9")})
    codes = [finding.code for finding in checked(topic).findings if finding.is_blocking()]
    assert ["E_PIN_CHANGED"] == codes
    assert "from 7 to 9" in checked(topic).findings[0].message


def test_a_forbidden_marker_of_the_base_still_counts_when_the_head_forgets_it(topic: RepoBuilder) -> None:
    """The base's list and the head's add up; a name that this tool does not know by itself."""
    forbids = "constraints:\n  forbid_skip_markers: [quarantine]\n"
    on_main(topic, {MANIFEST: PINS + forbids})
    marked = RUNNING.replace("def test_one", "@pytest.mark.quarantine\ndef test_one")
    topic.commit({MANIFEST: PINS, TEST_FILE: marked})
    assert {"E_PIN_CHANGED", "E_SKIP_MARKER"} == {f.code for f in checked(topic).findings if f.is_blocking()}


def test_a_marker_that_the_head_forbids_counts_at_once(topic: RepoBuilder) -> None:
    on_main(topic, {MANIFEST: PINS})
    marked = RUNNING.replace("def test_one", "@pytest.mark.quarantine\ndef test_one")
    topic.commit({TEST_FILE: marked})
    assert 0 == checked(topic).exit_status
    topic.commit({MANIFEST: PINS + "constraints:\n  forbid_skip_markers: [quarantine]\n"})
    assert ["E_SKIP_MARKER"] == [f.code for f in checked(topic).findings if f.is_blocking()]


# Tests that stop running


def test_an_existing_test_that_is_skipped_blocks_whoever_did_it(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: SKIPPING})
    result = checked(topic)
    assert [("E_SKIP_MARKER", "block", TEST_FILE)] == told(result.findings)
    assert "test_one" in result.findings[0].message
    assert SKIPPING.splitlines()[result.findings[0].line - 1].startswith(("@pytest.mark.skip", "def test_one"))


def test_a_skip_in_two_harmless_steps_blocks(topic: RepoBuilder) -> None:
    """First a helper that does nothing, then what it stands for: the range says it, and so does the second commit."""
    helper = "later = pytest.mark.usefixtures()\n\n\n"
    text = RUNNING.replace("def test_one", f"{helper}@later\ndef test_one")
    topic.commit({TEST_FILE: text})
    assert 0 == checked(topic).exit_status
    topic.commit({TEST_FILE: text.replace("usefixtures()", "skip")})
    blocking = [finding for finding in checked(topic).findings if finding.is_blocking()]
    assert [("E_SKIP_MARKER", ""), ("E_SKIP_MARKER", topic.git("rev-parse", "HEAD"))] == [
        (one.code, one.commit) for one in blocking
    ]


def test_a_new_test_that_arrives_switched_off_warns(topic: RepoBuilder) -> None:
    topic.commit({"tests/test_new.py": "import pytest\n\n\n@pytest.mark.skip\ndef test_new():\n    assert 1\n"})
    assert ([("E_SKIP_MARKER", "warn", "tests/test_new.py")], 0) == (
        told(checked(topic).findings),
        checked(topic).exit_status,
    )


def test_a_test_that_moved_is_the_same_test(topic: RepoBuilder) -> None:
    topic.commit({TEST_FILE: None, "tests/unit/test_kernel.py": RUNNING})
    assert ((), 0) == (checked(topic).findings, checked(topic).exit_status)
    topic.commit({"tests/unit/test_kernel.py": SKIPPING})
    assert [("E_SKIP_MARKER", "block", "tests/unit/test_kernel.py")] == told(checked(topic).findings)


UNREADABLE: dict[str, str | bytes] = {
    "syntax": "def test_one(:\n",
    "nul": "x = 1\n\0\n",
    "utf-16": RUNNING.encode("utf-16"),
    "unknown encoding": b"# coding: nonsense\n" + RUNNING.encode(),
    "deep": "x = " + "(" * 5000 + ")" * 5000,
}


@pytest.mark.parametrize("fault", UNREADABLE)
def test_b56_a_test_file_that_cannot_be_read_is_not_passed_over(topic: RepoBuilder, fault: str) -> None:
    topic.commit({TEST_FILE: UNREADABLE[fault]})
    assert [("E_NOT_JUDGED", "block", TEST_FILE)] == told(checked(topic).findings)


def test_b51_attributes_hide_nothing(topic: RepoBuilder) -> None:
    """`-diff`, `binary`, `export-ignore` and `linguist-generated` on the main branch, and the same outside the tree."""
    lines = "*.py -diff -text binary export-ignore linguist-generated\n*.yml -diff\n"
    on_main(topic, {".gitattributes": lines})
    (topic.path / ".git/info/attributes").write_text(lines)
    topic.commit_as_agent({TEST_FILE: SKIPPING, WORKFLOW: "on: pull_request\n"})
    assert {"E_SKIP_MARKER", GUARDED} == {finding.code for finding in checked(topic).findings}


def test_b35_b54_odd_names_are_told_as_they_are(topic: RepoBuilder) -> None:
    odd = ("tests/test_bad\udce5.py", "tests/test_new\nline.py", "tests/test_ –x.py", 'tests/test_"q".py')
    on_main(topic, dict.fromkeys(odd, RUNNING))
    topic.commit(dict.fromkeys(odd, SKIPPING))
    assert sorted(odd) == sorted(finding.path for finding in checked(topic).findings)
    done = agentgate(topic, "check", "--format", "json")
    assert (1, sorted(odd)) == (done.status, sorted(row["path"] for row in done.json()["findings"]))
    text = agentgate(topic, "check").stdout
    assert 4 == text.count("E_SKIP_MARKER block")
    assert "test_new\\nline.py" in text


# The answer as JSON


def test_every_field_of_the_json_answer(topic: RepoBuilder) -> None:
    human = topic.commit({TEST_FILE: SKIPPING}, "skip")
    agent = topic.commit_as_agent({WORKFLOW: "on: never\n"})
    done = agentgate(topic, "check", "--format", "json")
    answer = done.json()
    assert (1, "", 1) == (done.status, done.stderr, done.stdout.count("\n"))
    assert {"schema", "findings", "commits", "notes", "evidence", "exit"} == answer.keys()
    assert ("agentgate.check/1", 1) == (answer["schema"], answer["exit"])
    assert [(human, "human"), (agent, "agent")] == [(row["id"], row["class"]) for row in answer["commits"]]
    assert {"id", "class", "rule", "detail", "evidence"} == answer["commits"][1].keys()
    assert [] == answer["commits"][0]["evidence"]
    seen = {"rule": "A_IDENT", "place": "coauthor", "seen": "claude <noreply@anthropic.com>", "who": "claude-code"}
    assert [seen] == answer["commits"][1]["evidence"]
    assert ("A_IDENT", "U_DEFAULT") == (answer["commits"][1]["rule"], answer["commits"][0]["rule"])
    guarded, skipped = answer["findings"]
    fields = {"code", "severity", "path", "line", "commit", "message", "next", "tests", "adopted_by"}
    assert fields == guarded.keys() == skipped.keys()
    assert ([f"{TEST_FILE}::test_one"], None, []) == (skipped["tests"], skipped["adopted_by"], guarded["tests"])
    assert (GUARDED, "block", WORKFLOW, 0, agent) == tuple(
        guarded[name] for name in ("code", "severity", "path", "line", "commit")
    )
    assert ("E_SKIP_MARKER", "block", TEST_FILE, "") == tuple(
        skipped[name] for name in ("code", "severity", "path", "commit")
    )
    assert skipped["line"] > 0
    assert all(row["message"] and row["next"] for row in answer["findings"])


def test_a_message_that_keeps_the_pipeline_from_running(topic: RepoBuilder) -> None:
    topic.commit({"shop/core.py": "ONE = 1  # one\n"}, "tidy [skip ci]")
    result = checked(topic)
    assert [("E_GATE_CONFIG", "warn", "")] == told(result.findings)
    assert 0 == result.exit_status
