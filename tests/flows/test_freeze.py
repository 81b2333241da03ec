"""Filing a freeze, and what a line of the freezes counts for: by whom it is signed, and what it cites."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from agentgate_git.flows.sealed.sealed_runs import SealedRuns
from agentgate_git.model.evidence import FREEZES, Entry
from agentgate_git.model.run_evidence import JudgedFreeze
from testing.command_line import Done, agentgate
from testing.evidence_keys import Keys
from testing.hooked_repo import AGENT_SESSION
from testing.proposals import FILES, opened
from testing.records import open_ledger, stored_lines
from testing.repo_builder import RepoBuilder
from testing.sealed_runs import some_freeze, store_freeze, store_run, store_run_packet, trees_of, unsigned_text

TEST = "tests/test_report.py::test_timezone"
WANTED = ("--test", TEST, "--until", "9999-12-31T00:00:00Z", "--job", "reviewer-job-2")


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "keys")


@pytest.fixture
def topic(repo: RepoBuilder, keys: Keys) -> RepoBuilder:
    """A proposal; pat and lee are enrolled as humans, ci and other as runners, builder as an agent."""
    signers = "".join(
        keys.line(f"{role}:{name}", name)
        for role, name in (
            ("human", "pat"),
            ("human", "lee"),
            ("runner", "ci"),
            ("runner", "other"),
            ("agent", "builder"),
        )
    )
    repo.commit({**FILES, ".agentgate/allowed_signers": signers}, "first")
    repo.git("config", "agentgate.target", "main")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"core.py": "ONE = 2 - 1\n"})
    return repo


@pytest.fixture
def run(topic: RepoBuilder, keys: Keys) -> str:
    """The name of the seal of a run that ci signed."""
    return store_run(topic, lambda payload: keys.signed_line("ci", payload))


def freeze(repo: RepoBuilder, keys: Keys, *args: str, key: str = "pat", **env: str) -> Done:
    return agentgate(repo, "freeze", "--key", str(keys.path(key)), *(args or WANTED), **env)


def judged(repo: RepoBuilder) -> tuple[JudgedFreeze, ...]:
    with opened(repo) as workspace:
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        return tuple(SealedRuns(workspace, workspace.proposals.of_revision("HEAD", ""), now).judged())


# Filing


def test_a_human_files_a_freeze_for_the_run(topic: RepoBuilder, keys: Keys, run: str) -> None:
    done = freeze(topic, keys, *WANTED, "--reason", "zones of the host")
    assert 0 == done.status, done.stderr
    assert f"{TEST} until 9999-12-31T00:00:00Z\n    filed by reviewer-job-2, signed by human:pat\n" in done.stdout
    (found,) = judged(topic)
    assert (("human:pat",), "") == (found.principals, found.problem)
    assert found.filed is not None
    cited = found.filed.freeze
    assert (run, "credit-014", "server-job-88") == (cited.runner_digest, cited.credit_id, cited.runner_job)
    assert (topic.tree(), topic.tree("main"), "zones of the host") == (*found.filed[:2], found.filed.reason)


def test_what_was_filed_is_listed_and_shown(topic: RepoBuilder, keys: Keys, run: str) -> None:
    assert "no freeze\n" == agentgate(topic, "freeze", "--list").stdout
    freeze(topic, keys)
    store_freeze(topic, some_freeze(run, **trees_of(topic)))
    listed = agentgate(topic, "freeze", "--list").stdout
    assert "signed by human:pat" in listed
    assert "counts for nothing: it is not signed with a key that the base enrols" in listed
    shown = agentgate(topic, "show").stdout
    assert f"{TEST} until 9999-12-31T00:00:00Z, by reviewer-job-2, seal {run[:12]}" in shown
    assert "2 inputs sealed 2026-10-12T10:00:00Z by server-job-88, author job model-session-17" in shown
    assert f"credit credit-014 for pricing.tax_cents, seal {run[:12]}" in shown


REFUSED: dict[str, tuple[tuple[str, ...], str, str]] = {
    "for a test that earned credit": (("--test", "tests/test_tax.py::test_bounds"), "pat", "E_FREEZE_COVERS_CREDIT"),
    "that has ended": (("--until", "2026-01-01T00:00:00Z"), "pat", "E_FREEZE_EXPIRED"),
    "that ends in no zone": (("--until", "9999-12-31T00:00:00"), "pat", "is no time with a zone: write it like"),
    "by the author's job": (("--job", "model-session-17"), "pat", "E_SHARED_JOB"),
    "by the runner's job": (("--job", "server-job-88 "), "pat", "E_SHARED_JOB"),
    "signed by the runner": ((), "ci", "signed by runner:ci, who had a part"),
    "signed by an agent": ((), "builder", "signed by agent:builder; here runner or human may file one"),
    "signed by a stranger": ((), "stranger", "not signed with a key that the base enrols"),
    "for a run that is not here": (
        ("--credit", "credit-013"),
        "pat",
        "no 'credit-013' is among the sealed runs that are kept for this tree: credit-014: name one",
    ),
}


@pytest.mark.parametrize(("args", "key", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_freeze_that_would_count_for_nothing_is_not_kept(
    topic: RepoBuilder, keys: Keys, run: str, args: tuple[str, ...], key: str, reason: str
) -> None:
    done = freeze(topic, keys, *WANTED, *args, key=key)
    assert (2, "", 1) == (done.status, done.stdout, done.stderr.count("\n"))
    assert reason in done.stderr
    assert {} == stored_lines(topic, FREEZES)


def test_a_freeze_for_a_test_that_did_not_fail_is_not_kept(topic: RepoBuilder, keys: Keys, run: str) -> None:
    store_run_packet(topic, run, codes=("E_TESTS_FAILED",), outcomes=(("passed", 2), ("failed", 1)), failed=(TEST,))
    done = freeze(topic, keys, *WANTED, "--test", "tests/test_report.py::test_timezones")
    assert (2, "", True) == (done.status, done.stdout, f"did not fail in this run; these did: {TEST}" in done.stderr)
    assert {} == stored_lines(topic, FREEZES)
    assert 0 == freeze(topic, keys).status


def test_a_freeze_may_name_what_a_packet_had_no_room_for(topic: RepoBuilder, keys: Keys, run: str) -> None:
    store_run_packet(
        topic, run, codes=("E_TESTS_FAILED",), outcomes=(("failed", 2),), failed=("tests/test_a.py::test_1",)
    )
    assert 0 == freeze(topic, keys).status


def test_a_run_in_which_nothing_failed_needs_no_freeze(topic: RepoBuilder, keys: Keys, run: str) -> None:
    store_run_packet(topic, run)
    done = freeze(topic, keys)
    assert (2, True) == (done.status, "no test did: nothing is to be filed for this run" in done.stderr)


def test_credit_that_is_missing_is_not_repaired_by_a_freeze(topic: RepoBuilder, keys: Keys) -> None:
    store_run(topic, missing=("pricing.discount",), is_pass=False)
    done = freeze(topic, keys)
    assert (2, True) == (done.status, "E_CREDIT_MISSING" in done.stderr)


def test_an_agent_files_nothing(topic: RepoBuilder, keys: Keys, run: str) -> None:
    done = freeze(topic, keys, **AGENT_SESSION)
    assert (2, True) == (done.status, "an author may not file a freeze" in done.stderr)


def test_without_a_run_there_is_nothing_to_freeze(topic: RepoBuilder, keys: Keys) -> None:
    done = freeze(topic, keys)
    assert (4, True) == (
        done.status,
        "no sealed run with credit is kept for this tree: run `git agentgate sync`" in done.stderr,
    )


def test_of_several_runs_one_is_named(topic: RepoBuilder, keys: Keys, run: str) -> None:
    store_run(topic, credit_id="credit-015")
    done = freeze(topic, keys)
    assert (2, True) == (
        done.status,
        "there are 2 sealed runs that are kept for this tree: credit-014, credit-015" in done.stderr,
    )
    assert 0 == freeze(topic, keys, *WANTED, "--credit", "credit-015").status


@pytest.mark.parametrize("args", [("--list", "--test", "t"), ("--test", "t"), ("--job", "j", "--until", "x")])
def test_bad_usage_of_freeze(topic: RepoBuilder, args: tuple[str, ...]) -> None:
    done = agentgate(topic, "freeze", *args)
    assert (2, "", 1) == (done.status, done.stdout, done.stderr.count("\n"))


# What lines count for


def test_the_author_of_a_signed_commit_cannot_sign_the_freeze(topic: RepoBuilder, keys: Keys) -> None:
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(keys.path("lee"))), ("commit.gpgsign", "true")):
        topic.git("config", name, value)
    topic.commit({"core.py": "ONE = 3 - 2\n"})
    store_run(topic)
    assert "signed by human:lee, who had a part" in freeze(topic, keys, key="lee").stderr
    assert 0 == freeze(topic, keys, key="pat").status


MISPLACED: dict[str, tuple[dict[str, Any], str]] = {
    "of another tree": ({"tree": "d" * 40}, "is not about this tree"),
    "over another base": ({"base_tree": "d" * 40}, "is over a change from tree dddddddddddd"),
}


@pytest.mark.parametrize(("changes", "reason"), MISPLACED.values(), ids=MISPLACED)
def test_a_freeze_of_something_else(
    topic: RepoBuilder, keys: Keys, run: str, changes: dict[str, Any], reason: str
) -> None:
    made = some_freeze(run, **{**trees_of(topic), **changes})
    store_freeze(topic, made, lambda payload: keys.signed_line("pat", payload))
    (found,) = judged(topic)
    assert reason in found.problem


def test_a_freeze_of_another_run(topic: RepoBuilder, keys: Keys, run: str) -> None:
    for seal in ("0" * 64, run):
        made = some_freeze(seal, **trees_of(topic))
        made = made._replace(freeze=made.freeze._replace(credit_id="credit-013"))
        store_freeze(topic, made, lambda payload: keys.signed_line("pat", payload))
    assert {"cites a seal and a credit that are not kept here"} == {one.problem for one in judged(topic)}


def test_lines_that_are_no_freeze_are_named_and_nothing_else_is_lost(topic: RepoBuilder, keys: Keys, run: str) -> None:
    freeze(topic, keys)
    with open_ledger(topic) as ledger:
        ledger.append(FREEZES, [Entry(topic.tree(), unsigned_text(b"{}"))])
    assert ["", "is no in-toto Statement v1"] == sorted(one.problem for one in judged(topic))
    assert "counts for nothing: it is no in-toto Statement v1" in agentgate(topic, "freeze", "--list").stdout


def test_a_credit_whose_seal_is_not_here_is_no_run(topic: RepoBuilder, keys: Keys, run: str) -> None:
    freeze(topic, keys)
    topic.git("update-ref", "-d", "refs/notes/agentgate/seals")
    topic.git("update-ref", "-d", "refs/agentgate/kept/seals")
    assert ["cites a seal and a credit that are not kept here"] == [one.problem for one in judged(topic)]


def test_a_signature_in_another_namespace_says_nothing(topic: RepoBuilder, keys: Keys, run: str) -> None:
    made = some_freeze(run, **trees_of(topic))
    store_freeze(topic, made, lambda payload: keys.signed_line("pat", payload, namespace="git"))
    store_freeze(topic, made, lambda payload: keys.signed_line("pat", payload, is_armoured=False))
    assert ["", "is not signed with a key that the base enrols"] == sorted(one.problem for one in judged(topic))


def test_a_key_must_be_valid_now_whatever_the_freeze_says_of_its_time(repo: RepoBuilder, keys: Keys) -> None:
    old = keys.line("human:pat", "pat", 'namespaces="agentgate",valid-before="20260101"')
    repo.commit({**FILES, ".agentgate/allowed_signers": old}, "first")
    repo.git("checkout", "-q", "-b", "topic")
    repo.git("config", "agentgate.target", "main")
    repo.commit({"core.py": "ONE = 2 - 1\n"})
    made = some_freeze(store_run(repo), **trees_of(repo), filed_at="2025-06-01T00:00:00Z")
    store_freeze(repo, made, lambda payload: keys.signed_line("pat", payload))
    assert ["is not signed with a key that the base enrols"] == [one.problem for one in judged(repo)]
