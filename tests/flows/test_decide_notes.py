"""Deciding from notes: a run counts when its runner signed all of it, and one run that holds is enough."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentgate_git.model.evidence import CREDITS, FREEZES, PACKETS, SEALS
from testing.command_line import agentgate
from testing.evidence_keys import Keys
from testing.proposals import FILES
from testing.repo_builder import RepoBuilder
from testing.sealed_runs import some_freeze, store_freeze, store_run, store_run_packet, trees_of

FLAKY = "tests/test_report.py::test_timezone"
FAILED = {"codes": ("E_TESTS_FAILED",), "failed": (FLAKY,), "outcomes": (("failed", 1), ("passed", 2))}
Sign = Callable[[bytes], bytes]


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "keys")


@pytest.fixture
def ci(keys: Keys) -> Sign:
    return lambda payload: keys.signed_line("ci", payload)


@pytest.fixture
def topic(repo: RepoBuilder, keys: Keys) -> RepoBuilder:
    """A proposal that changes production; pat is enrolled as a human, ci and other as runners, builder as an agent."""
    rows = (("human", "pat"), ("runner", "ci"), ("runner", "other"), ("agent", "builder"))
    signers = "".join(keys.line(f"{role}:{name}", name) for role, name in rows)
    repo.commit({**FILES, ".agentgate/allowed_signers": signers}, "first")
    repo.git("config", "agentgate.target", "main")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"core.py": "ONE = 2 - 1\n"})
    return repo


def store(repo: RepoBuilder, sign: Sign, packet: dict[str, Any] | None = None, **credit: Any) -> str:
    """A run with its packet, all of it signed by one."""
    seal = store_run(repo, sign, **credit)
    store_run_packet(repo, seal, sign, **(packet or {}))
    return seal


def decided(repo: RepoBuilder) -> str:
    """The code, which the exit status agrees with."""
    done = agentgate(repo, "decide", "HEAD")
    code = done.stdout.removesuffix("\n")
    assert {"ALLOW": 0, "E_NO_EVIDENCE": 4}.get(code, 1) == done.status, done
    assert ("" == done.stderr) == (code == "ALLOW")
    return code


def drop(repo: RepoBuilder, kind: str) -> None:
    """Take a whole kind of evidence away."""
    for ref in (f"refs/notes/agentgate/{kind}", f"refs/agentgate/kept/{kind}"):
        repo.git("update-ref", "-d", ref)


def test_a_run_that_its_runner_signed_is_allowed(topic: RepoBuilder, ci: Sign) -> None:
    assert "E_NO_EVIDENCE" == decided(topic)
    store(topic, ci)
    assert "ALLOW" == decided(topic)


def test_taking_any_kind_of_evidence_away_never_gives_allow(topic: RepoBuilder, keys: Keys, ci: Sign) -> None:
    seal = store(topic, ci, FAILED)
    store_freeze(topic, still_frozen(topic, seal), lambda payload: keys.signed_line("pat", payload))
    assert "ALLOW" == decided(topic)
    for kind, code in (
        (FREEZES, "E_TESTS_FAILED"),
        (PACKETS, "E_RUN_INCOMPLETE"),
        (CREDITS, "E_CREDIT_MISSING"),
        (SEALS, "E_NO_EVIDENCE"),
    ):
        drop(topic, kind)
        assert code == decided(topic), kind


def still_frozen(repo: RepoBuilder, seal: str) -> Any:
    made = some_freeze(seal, **trees_of(repo))
    return made._replace(freeze=made.freeze._replace(expires_at="9999-12-31T00:00:00Z"))


def test_a_failed_test_needs_a_freeze_that_counts(topic: RepoBuilder, keys: Keys, ci: Sign) -> None:
    seal = store(topic, ci, FAILED)
    assert "E_TESTS_FAILED" == decided(topic)
    for name in ("ci", "builder", "stranger"):
        store_freeze(topic, still_frozen(topic, seal), lambda payload, name=name: keys.signed_line(name, payload))
        assert "E_TESTS_FAILED" == decided(topic), name
    wanted = ("--test", FLAKY, "--until", "9999-12-31T00:00:00Z", "--job", "reviewer", "--key", str(keys.path("pat")))
    assert 0 == agentgate(topic, "freeze", *wanted).status
    assert "ALLOW" == decided(topic)


UNTRUSTED: dict[str, tuple[str, str]] = {
    "an agent": ("builder", "E_NOTE_UNTRUSTED"),
    "a human": ("pat", "E_NOTE_UNTRUSTED"),
    "a stranger": ("stranger", "E_NOTE_UNTRUSTED"),
}


@pytest.mark.parametrize(("name", "code"), UNTRUSTED.values(), ids=UNTRUSTED)
def test_b32_a_run_that_somebody_else_signed(topic: RepoBuilder, keys: Keys, ci: Sign, name: str, code: str) -> None:
    store(topic, lambda payload: keys.signed_line(name, payload))
    assert code == decided(topic)
    store(topic, ci)
    assert "ALLOW" == decided(topic), "what others wrote beside it takes nothing away"


ENROLMENTS: dict[str, tuple[str, str, str]] = {
    "a key that is valid now": ("runner:late", 'namespaces="agentgate",valid-before="99991231"', "ALLOW"),
    "a key that has ended": ("runner:late", 'namespaces="agentgate",valid-before="20200101"', "E_NOTE_UNTRUSTED"),
    "a key that begins later": ("runner:late", 'namespaces="agentgate",valid-after="99991231"', "E_NOTE_UNTRUSTED"),
    "a key for commits alone": ("runner:late", 'namespaces="git"', "E_NOTE_UNTRUSTED"),
    "a key of a bot": ("bot:late", 'namespaces="agentgate"', "E_NOTE_UNTRUSTED"),
    "a key without a role": ("late@example.org", 'namespaces="agentgate"', "E_NOTE_UNTRUSTED"),
}


@pytest.mark.parametrize(("principal", "options", "code"), ENROLMENTS.values(), ids=ENROLMENTS)
def test_what_the_base_says_of_a_runner_s_key(
    repo: RepoBuilder, keys: Keys, principal: str, options: str, code: str
) -> None:
    enrol(repo, {".agentgate/allowed_signers": keys.enrolment(principal, "late", options)})
    store(repo, lambda payload: keys.signed_line("late", payload))
    assert code == decided(repo)


def test_where_no_run_is_kept_the_next_step_is_a_run(topic: RepoBuilder) -> None:
    done = agentgate(topic, "decide", "HEAD")
    assert (4, True) == (done.status, "have a runner seal and run it (`git agentgate run`)" in done.stderr)


def test_verify_names_who_signed_the_packet_of_a_run(topic: RepoBuilder, keys: Keys, ci: Sign) -> None:
    store(topic, ci)
    (result,) = agentgate(topic, "verify", "--depth", "lookup", "--format", "json").json()["results"]
    assert ["runner:ci"] == [line["signed_by"] for line in result["evidence"]]
    drop(topic, "packets")
    store(topic, lambda payload: keys.signed_line("stranger", payload))
    (result,) = agentgate(topic, "verify", "--depth", "lookup", "--format", "json").json()["results"]
    assert [None] == [line["signed_by"] for line in result["evidence"]]


def test_a_key_that_the_base_revokes(repo: RepoBuilder, keys: Keys) -> None:
    revoked = keys.path("ci").with_suffix(".pub").read_text()
    enrol(repo, {".agentgate/allowed_signers": keys.enrolment("runner:ci", "ci"), ".agentgate/revoked_keys": revoked})
    store(repo, lambda payload: keys.signed_line("ci", payload))
    assert "E_NOTE_UNTRUSTED" == decided(repo)


def enrol(repo: RepoBuilder, files: dict[str, str]) -> None:
    """A base with these files, and a proposal that changes production."""
    repo.commit({**FILES, **files}, "first")
    repo.git("config", "agentgate.target", "main")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"core.py": "ONE = 2 - 1\n"})


def test_a_signature_for_another_purpose(topic: RepoBuilder, keys: Keys) -> None:
    store(topic, lambda payload: keys.signed_line("ci", payload, namespace="git"))
    assert "E_NOTE_UNTRUSTED" == decided(topic)


def test_b32_a_run_that_nobody_signed(topic: RepoBuilder) -> None:
    seal = store_run(topic)
    store_run_packet(topic, seal)
    assert "E_NOTE_UNTRUSTED" == decided(topic)


def test_two_runners_are_no_runner(topic: RepoBuilder, keys: Keys, ci: Sign) -> None:
    seal = store_run(topic, ci)
    store_run_packet(topic, seal, lambda payload: keys.signed_line("other", payload))
    assert "E_NOTE_UNTRUSTED" == decided(topic)


def test_the_runner_may_not_have_signed_the_patch(topic: RepoBuilder, keys: Keys, ci: Sign) -> None:
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(keys.path("ci"))), ("commit.gpgsign", "true")):
        topic.git("config", name, value)
    topic.commit({"core.py": "ONE = 3 - 2\n"})
    store(topic, ci)
    assert "E_SHARED_JOB" == decided(topic)


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "credit that is missing": ({}, {"missing": ("pricing.discount",)}, "E_CREDIT_MISSING"),
    "a run that came to no end": ({"codes": ("E_RUN_INCOMPLETE",)}, {}, "E_RUN_INCOMPLETE"),
    "a foreign import beside failed tests": (
        {**FAILED, "codes": ("E_FOREIGN_IMPORT", "E_TESTS_FAILED")},
        {},
        "E_FOREIGN_IMPORT",
    ),
    "more failures than names": ({**FAILED, "outcomes": (("failed", 2),)}, {}, "E_TESTS_FAILED"),
    "a failure without a name": ({"codes": ("E_TESTS_FAILED",), "failed": ()}, {}, "E_TESTS_FAILED"),
    "a run over another base": ({"base_tree": "d" * 40}, {}, "E_RUN_INCOMPLETE"),
}


@pytest.mark.parametrize(("packet", "credit", "code"), REFUSED.values(), ids=REFUSED)
def test_what_a_signed_run_is_refused_for(
    topic: RepoBuilder, keys: Keys, ci: Sign, packet: dict[str, Any], credit: dict[str, Any], code: str
) -> None:
    seal = store(topic, ci, packet, **credit)
    store_freeze(topic, still_frozen(topic, seal), lambda payload: keys.signed_line("pat", payload))
    assert code == decided(topic)


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"README.md": "prose\n"}, "ALLOW"),
        ({"tests/test_more.py": "def test_two():\n    assert 2 == 1 + 1\n"}, "E_TESTS_ONLY"),
        ({}, "E_EMPTY_DIFF"),
    ],
    ids=["prose", "tests", "nothing"],
)
def test_the_class_of_the_change_is_derived(topic: RepoBuilder, ci: Sign, files: dict[str, str], code: str) -> None:
    topic.git("reset", "-q", "--hard", "main")
    topic.commit(files, "a change")
    store_run(topic, ci)
    assert code == decided(topic)


def test_a_run_of_another_tree_is_no_run_of_this_one(topic: RepoBuilder, ci: Sign) -> None:
    store(topic, ci)
    topic.commit({"core.py": "ONE = 3 - 2\n"})
    assert "E_NO_EVIDENCE" == decided(topic)
    assert "ALLOW" == agentgate(topic, "decide", "HEAD~1").stdout.strip()


def test_b33_the_run_of_a_tree_says_nothing_of_the_same_tree_over_another_base(topic: RepoBuilder, ci: Sign) -> None:
    tree = topic.tree()
    store(topic, ci)
    topic.commit({"core.py": "ONE = 3 - 2\n"})
    topic.commit({"core.py": "ONE = 2 - 1\n"})
    assert (tree, "ALLOW") == (topic.tree(), decided(topic)), "the whole proposal is the same change"
    done = agentgate(topic, "decide", "HEAD", "--base", "HEAD~1")
    assert ("E_NO_EVIDENCE\n", 4) == (done.stdout, done.status)


def test_what_the_gate_blocks_no_run_allows(topic: RepoBuilder, ci: Sign) -> None:
    topic.commit({"tests/conftest.py": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"})
    store(topic, ci)
    done = agentgate(topic, "decide", "HEAD")
    assert ("E_HARNESS_TAMPERED\n", 1) == (done.stdout, done.status)
    assert "the gate blocks tests/conftest.py" in done.stderr


@pytest.mark.parametrize("args", [("HEAD", "--record", "x"), ("--base", "main"), ("HEAD", "--now", "x"), ("nowhere",)])
def test_bad_usage_of_a_revision(topic: RepoBuilder, args: tuple[str, ...]) -> None:
    done = agentgate(topic, "decide", *args)
    assert (2, "", 1) == (done.status, done.stdout, done.stderr.count("\n"))
