"""Adoption: a human's signed note over exactly one tree, base and path lets agent work through; nothing else does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentgate_git.flows.show import show
from agentgate_git.model.adoption import Adoption
from agentgate_git.model.evidence import ADOPTIONS, Entry, Envelope, Signature
from agentgate_git.wire.adoption_statement import ADOPTION, REQUEST, adoption_payload
from agentgate_git.wire.dsse import IN_TOTO, encode_envelope, pae
from agentgate_git.wire.sshsig import unarmour
from testing.command_line import Done, agentgate
from testing.hooked_repo import AGENT_SESSION
from testing.keys import Keys, TouchKey
from testing.proposals import FILES, SKIPPING, TEST_FILE, WORKFLOW, checked, opened, store_packet, told, verified
from testing.records import open_ledger, stored_lines
from testing.repo_builder import RepoBuilder

GUARDED = "E_GUARDED_PATH"
NOW = "2026-01-01T00:00:00Z"


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "keys")


@pytest.fixture
def topic(repo: RepoBuilder, keys: Keys) -> RepoBuilder:
    """An agent changed the workflow; pat is enrolled as a human, builder as an agent."""
    return start(repo, keys.line("human:pat", "pat") + keys.line("agent:builder", "builder"))


def start(repo: RepoBuilder, signers: str, mode: str = "lenient") -> RepoBuilder:
    policy = {".agentgate/policy.yaml": f"version: 1\nmode: {mode}\n", ".agentgate/allowed_signers": signers}
    repo.commit({**FILES, **policy}, "first")
    repo.git("config", "agentgate.target", "main")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit_as_agent({WORKFLOW: "on: pull_request\n"})
    return repo


def adopt(repo: RepoBuilder, keys: Keys, *args: str, key: str = "pat", **env: str) -> Done:
    return agentgate(repo, "adopt", "--key", str(keys.path(key)), *args, **env)


def statement(repo: RepoBuilder, **changes: Any) -> Adoption:
    """An adoption of everything on the topic."""
    made = Adoption(repo.tree(), repo.tree("main"), repo.git("rev-parse", "HEAD"), (WORKFLOW,), (), (), "", NOW)
    return made._replace(**changes)


def signed_by(
    keys: Keys, adoption: Adoption, key: str = "pat", *, namespace: str = "agentgate", kind: str = ADOPTION
) -> Envelope:
    payload = adoption_payload(adoption, kind)
    argv = ("ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", str(keys.path(key)))
    made = keys.run(*argv, data=pae(IN_TOTO, payload))
    return Envelope(payload, IN_TOTO, (Signature("", unarmour(made.decode())),))


def store(repo: RepoBuilder, envelope: Envelope, key: str = "") -> None:
    with open_ledger(repo) as ledger:
        ledger.append(ADOPTIONS, [Entry(key or repo.tree(), encode_envelope(envelope))])


# What an adoption lets through


def test_an_adopted_path_is_let_through_and_says_by_whom(topic: RepoBuilder, keys: Keys) -> None:
    assert 1 == checked(topic).exit_status
    done = adopt(topic, keys, "--reason", "needed for forks")
    assert 0 == done.status, done.stderr
    assert f"path {WORKFLOW}" in done.stdout
    result = checked(topic)
    (finding,) = result.findings
    assert (GUARDED, "warn", WORKFLOW, "human:pat") == (*finding[:3], finding.adopted_by)
    assert finding.message.endswith("; adopted by human:pat")
    assert (0, [(ADOPTIONS, "human:pat")]) == (
        result.exit_status,
        [(one.kind, one.signed_by) for one in result.evidence],
    )


def test_verify_lets_it_through_and_names_the_line(topic: RepoBuilder, keys: Keys) -> None:
    store_packet(topic)
    assert "E_GUARDED_PATH" == verified(topic).decision
    adopt(topic, keys)
    result = verified(topic)
    assert ("ALLOW", ["packets", ADOPTIONS]) == (result.decision, [one.kind for one in result.evidence])
    row = agentgate(topic, "verify", "--depth", "lookup", "--format", "json").json()["results"][0]
    assert ("warn", "human:pat") == (row["findings"][0]["severity"], row["findings"][0]["adopted_by"])
    assert "signed by human:pat" in agentgate(topic, "verify", "--depth", "lookup").stdout


def test_b66_an_adoption_survives_a_squash_that_keeps_tree_and_base(topic: RepoBuilder, keys: Keys) -> None:
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    adopt(topic, keys)
    topic.git("reset", "-q", "--soft", "main")
    topic.commit_as_agent({})
    assert 0 == checked(topic).exit_status


def test_every_finding_is_adopted_unless_paths_are_named(topic: RepoBuilder, keys: Keys) -> None:
    topic.commit_as_agent({TEST_FILE: SKIPPING})
    adopt(topic, keys, "--path", TEST_FILE)
    assert [(GUARDED, "block", WORKFLOW), ("E_SKIP_MARKER", "warn", TEST_FILE)] == told(checked(topic).findings)
    adopt(topic, keys)
    assert 0 == checked(topic).exit_status


def test_a_test_can_be_adopted_by_name(topic: RepoBuilder, keys: Keys) -> None:
    topic.git("reset", "-q", "--hard", "main")
    topic.commit_as_agent({TEST_FILE: SKIPPING})
    adopt(topic, keys, "--test", f"{TEST_FILE}::test_other")
    assert 1 == checked(topic).exit_status
    adopt(topic, keys, "--test", f"{TEST_FILE}::test_one")
    assert 0 == checked(topic).exit_status


def test_a_manifest_that_nobody_can_read_is_not_adopted(topic: RepoBuilder, keys: Keys) -> None:
    topic.git("reset", "-q", "--hard", "main")
    topic.commit_as_agent({"entropy.yaml": "version: [1\n"})
    done = adopt(topic, keys)
    assert (0, "", True) == (done.status, done.stdout, "nothing blocks here" in done.stderr)
    adopt(topic, keys, "--path", "entropy.yaml")
    assert [("E_MANIFEST_INVALID", "block", "entropy.yaml")] == told(checked(topic).findings)


def test_in_a_repository_of_the_other_hash(tmp_path: Path, home: Path, keys: Keys) -> None:
    repo = start(RepoBuilder.create(tmp_path / "long", home, object_format="sha256"), keys.line("human:pat", "pat"))
    adopt(repo, keys)
    assert 0 == checked(repo).exit_status


# What counts for nothing


def test_another_tree(topic: RepoBuilder, keys: Keys) -> None:
    adopt(topic, keys)
    topic.commit_as_agent({WORKFLOW: "on: never\n"})
    assert 1 == checked(topic).exit_status
    assert () == checked(topic).notes  # there is nothing on this tree


def test_another_base(topic: RepoBuilder, keys: Keys) -> None:
    adopt(topic, keys)
    topic.git("checkout", "-q", "main")
    topic.commit({"other.py": "X = 1\n"})
    topic.git("branch", "-q", "newer")
    topic.git("checkout", "-q", "topic")
    assert 0 == checked(topic).exit_status
    rebased = signed_by(keys, statement(topic, base_tree=topic.tree("main")))
    topic.git("update-ref", "-d", "refs/notes/agentgate/adoptions")
    topic.git("update-ref", "-d", "refs/agentgate/kept/adoptions")
    store(topic, rebased)
    result = checked(topic)
    assert 1 == result.exit_status
    assert any("is over a change from tree" in note for note in result.notes)


COUNT_FOR_NOTHING = {
    "another path": (lambda keys, made: signed_by(keys, made._replace(paths=("other.py",))), ""),
    "a path in other letters": (lambda keys, made: signed_by(keys, made._replace(paths=(WORKFLOW.upper(),))), ""),
    "a folder of the path": (lambda keys, made: signed_by(keys, made._replace(paths=(".github",))), ""),
    "an agent's key": (lambda keys, made: signed_by(keys, made, "builder"), "enrols for no human"),
    "a stranger's key": (lambda keys, made: signed_by(keys, made, "eve"), "enrols for no human"),
    "the namespace of commits": (lambda keys, made: signed_by(keys, made, namespace="git"), "no good signature"),
    "a request that is signed": (lambda keys, made: signed_by(keys, made, kind=REQUEST), "is no urn:"),
    "unsigned": (lambda _, made: Envelope(adoption_payload(made, ADOPTION), IN_TOTO), "is not signed"),
    "no signature": (
        lambda _, made: Envelope(adoption_payload(made, ADOPTION), IN_TOTO, (Signature("", b"x"),)),
        "cannot be read",
    ),
    "the signature of another adoption": (
        lambda keys, made: Envelope(
            adoption_payload(made, ADOPTION), IN_TOTO, signed_by(keys, made._replace(paths=("a",))).signatures
        ),
        "no good signature",
    ),
    "a time that is none": (lambda keys, made: signed_by(keys, made._replace(made_at="now")), "made_at is no time"),
}


@pytest.mark.parametrize(("make", "note"), COUNT_FOR_NOTHING.values(), ids=COUNT_FOR_NOTHING)
def test_it_counts_for_nothing(topic: RepoBuilder, keys: Keys, make: Any, note: str) -> None:
    store(topic, make(keys, statement(topic)))
    result = checked(topic)
    assert (1, ()) == (result.exit_status, result.evidence)
    assert not note or any(note in line and "counts for nothing" in line for line in result.notes), result.notes


def test_a_line_that_was_moved_to_another_tree(topic: RepoBuilder, keys: Keys) -> None:
    made = signed_by(keys, statement(topic))
    topic.commit_as_agent({WORKFLOW: "on: never\n"})
    store(topic, made)
    result = checked(topic)
    assert 1 == result.exit_status
    assert any("is not about this tree" in note for note in result.notes)


def test_keys_that_the_proposal_enrols_itself(topic: RepoBuilder, keys: Keys) -> None:
    topic.commit_as_agent({".agentgate/allowed_signers": keys.line("human:eve", "eve")})
    store(topic, signed_by(keys, statement(topic, paths=(WORKFLOW, ".agentgate/allowed_signers")), "eve"))
    assert 1 == checked(topic).exit_status


TIMES = {
    "allow: within": ("20250101Z", "20270101Z", NOW, 0),
    "allow: within, though it has ended by now": ("20200101Z", "20210101Z", "2020-06-01T00:00:00Z", 0),
    "before": ("20260601Z", "20270101Z", NOW, 1),
    "after": ("20200101Z", "20210101Z", NOW, 1),
}


@pytest.mark.parametrize(("after", "before", "made_at", "status"), TIMES.values(), ids=TIMES)
def test_a_key_must_be_valid_when_it_adopts(
    repo: RepoBuilder, keys: Keys, after: str, before: str, made_at: str, status: int
) -> None:
    start(repo, keys.line("human:pat", "pat", f'namespaces="agentgate",valid-after="{after}",valid-before="{before}"'))
    store(repo, signed_by(keys, statement(repo, made_at=made_at)))
    assert status == checked(repo).exit_status


def test_a_revoked_key_adopts_nothing_at_any_time(repo: RepoBuilder, keys: Keys) -> None:
    repo.commit({".agentgate/revoked_keys": keys.public("pat")})
    start(repo, keys.line("human:pat", "pat"))
    store(repo, signed_by(keys, statement(repo)))
    assert 1 == checked(repo).exit_status


@pytest.mark.parametrize("flags", [1, 0])
def test_strict_mode_asks_for_presence(repo: RepoBuilder, tmp_path: Path, keys: Keys, flags: int) -> None:
    touch = TouchKey(tmp_path / "touch")
    start(repo, touch.line("human:pat") + keys.line("human:sam", "sam"), "strict")
    store(repo, signed_by(keys, statement(repo), "sam"))
    assert any("a key file of human:sam" in note for note in checked(repo).notes)
    refused = agentgate(repo, "adopt", "--key", str(keys.path("sam")))
    assert (2, True) == (refused.status, "or write `mode: lenient` into" in refused.stderr)
    payload = adoption_payload(statement(repo), ADOPTION)
    signature = touch.sign("agentgate", pae(IN_TOTO, payload), flags=flags)
    store(repo, Envelope(payload, IN_TOTO, (Signature("", signature),)))
    assert (0 if flags else 1) == checked(repo).exit_status


def test_a_broken_ref_of_adoptions_hides_no_finding(topic: RepoBuilder) -> None:
    topic.git("symbolic-ref", "refs/notes/agentgate/adoptions", "refs/heads/main")
    result = checked(topic)
    assert (1, [(GUARDED, "block", WORKFLOW)]) == (result.exit_status, told(result.findings))
    assert any("adoptions cannot be read" in note for note in result.notes)


# Making one


def test_what_was_asked_for_and_adopted_is_shown(topic: RepoBuilder, keys: Keys) -> None:
    assert 0 == agentgate(topic, "adopt", "--request", "--reason", "forks need it").status
    adopt(topic, keys)
    with opened(topic) as workspace:
        summaries = {line.kind: line.summary for line in show(workspace, "HEAD")}
    about = f"{WORKFLOW} over tree {topic.tree('main')[:12]}, "
    assert [True, True] == [summaries[kind].startswith(about) for kind in ("adoptions", "requests")]
    assert summaries["requests"].endswith(": forks need it")


def test_with_the_key_that_commits_are_signed_with(topic: RepoBuilder, keys: Keys) -> None:
    topic.git("config", "gpg.format", "ssh")
    topic.git("config", "user.signingkey", str(keys.path("pat")))
    assert 0 == agentgate(topic, "adopt").status
    assert 0 == checked(topic).exit_status


REFUSED = {
    "an agent's key": (("--key", "builder"), {}, "enrols for no human"),
    "a stranger's key": (("--key", "eve"), {}, "enrols for no human"),
    "no key": ((), {}, "no SSH key is known"),
    "a key that is not there": (("--key", "../nowhere"), {}, "did not sign"),
    "an agent's environment": (("--key", "pat"), AGENT_SESSION, "only a human can adopt"),
    "a path that nothing changed": (("--key", "pat", "--path", "core.py"), {}, "is changed by nothing"),
    "a test that is none": (("--key", "pat", "--test", "test_one"), {}, "is no test"),
}


@pytest.mark.parametrize(("args", "env", "message"), REFUSED.values(), ids=REFUSED)
def test_what_would_count_for_nothing_is_not_stored(
    topic: RepoBuilder, keys: Keys, args: tuple[str, ...], env: dict[str, str], message: str
) -> None:
    given = [str(keys.path(word)) if word in ("pat", "eve", "builder") else word for word in args]
    done = agentgate(topic, "adopt", *given, **env)
    assert (2, "", 1) == (done.status, done.stdout, done.stderr.count("\n"))
    assert message in done.stderr
    assert {} == stored_lines(topic, ADOPTIONS)


def test_nothing_to_adopt(topic: RepoBuilder, keys: Keys) -> None:
    topic.git("reset", "-q", "--hard", "main")
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    assert 0 == adopt(topic, keys).status
    assert {} == stored_lines(topic, ADOPTIONS)


# Asking for one


def test_a_refusal_of_agent_work_tells_how_to_ask(topic: RepoBuilder) -> None:
    topic.commit_as_agent({TEST_FILE: SKIPPING})
    steps = {finding.code: finding.next_step for finding in checked(topic).findings}
    assert {GUARDED, "E_SKIP_MARKER"} == steps.keys()
    assert all("git agentgate adopt --request" in step for step in steps.values())
    assert "sign the commit" not in steps[GUARDED]


def test_where_only_a_proof_is_missing_it_tells_how_to_sign(repo: RepoBuilder, keys: Keys) -> None:
    start(repo, keys.line("human:pat", "pat"), "strict")
    repo.git("reset", "-q", "--hard", "main")
    repo.commit({WORKFLOW: "on: pull_request\n"})
    (finding,) = checked(repo).findings
    assert "git agentgate adopt --request" in finding.next_step
    assert "sign the commit with an enrolled key" in finding.next_step


def test_people_are_told_to_adopt_what_agents_are_told_to_ask_for(topic: RepoBuilder) -> None:
    topic.git("reset", "-q", "--hard", "main")
    topic.commit({TEST_FILE: SKIPPING})
    assert checked(topic).findings[0].next_step.endswith("; or adopt it as an enrolled human: `git agentgate adopt`")


def test_an_agent_asks_and_a_human_finds_it(topic: RepoBuilder, keys: Keys) -> None:
    done = agentgate(topic, "adopt", "--request", "--reason", "forks need it", **AGENT_SESSION)
    assert 0 == done.status
    assert f"for {GUARDED} {WORKFLOW}: a guarded path is changed" in done.stdout
    assert 1 == checked(topic).exit_status
    tip = topic.git("rev-parse", "HEAD")
    for args in ((), ("HEAD",)):
        listed = agentgate(topic, "adopt", "--list", *args)
        assert f"next: read the change, then `git agentgate adopt {tip[:12]}`" in listed.stdout
        done = agentgate(topic, "adopt", "--list", *args, "--format", "json")
        assert 0 == done.status == done.json()["exit"]
        (row,) = done.json()["adoptions"]
        assert ("request", topic.tree(), [WORKFLOW]) == (row["kind"], row["tree"], row["paths"])
        assert ("open" if args else "filed", "forks need it") == (row["state"], row["reason"])
    adopt(topic, keys, tip[:12])
    states = [
        row["state"] for row in agentgate(topic, "adopt", "--list", "HEAD", "--format", "json").json()["adoptions"]
    ]
    assert ["adopted by human:pat", "adopted"] == states


def test_asking_where_nothing_stands_against_it(topic: RepoBuilder) -> None:
    topic.git("reset", "-q", "--hard", "main")
    topic.commit_as_agent({"core.py": "ONE = 2 - 1\n"})
    done = agentgate(topic, "adopt", "--request")
    assert (0, "", True) == (done.status, done.stdout, "nothing blocks here" in done.stderr)
    assert "no adoption and no request\n" == agentgate(topic, "adopt", "--list").stdout


def test_options_that_do_not_go_together(topic: RepoBuilder) -> None:
    for args in (("--list", "--request"), ("--list", "--path", "a"), ("--list", "--reason", "x")):
        assert 2 == agentgate(topic, "adopt", *args).status


def test_adoptions_are_shared_by_sync(topic: RepoBuilder, keys: Keys, tmp_path: Path) -> None:
    topic.git("clone", "-q", "--bare", str(topic.path), str(tmp_path / "origin.git"))
    topic.git("remote", "add", "origin", str(tmp_path / "origin.git"))
    adopt(topic, keys)
    assert 0 == agentgate(topic, "sync").status
    topic.git("clone", "-q", "-b", "topic", str(tmp_path / "origin.git"), str(tmp_path / "other"))
    other = RepoBuilder(tmp_path / "other", topic.environment)
    assert 1 == checked(other, base="origin/main").exit_status
    assert 0 == agentgate(other, "sync", "--fetch-only").status
    assert 0 == checked(other, base="origin/main").exit_status
