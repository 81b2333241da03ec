"""Commits signed with real OpenPGP keys, judged by the key files of the base and by no other key ring."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from testing.command_line import agentgate
from testing.hooked_repo import path_of_programs
from testing.keys import LONG_AGO, PgpRing
from testing.proposals import WORKFLOW, checked, told
from testing.repo_builder import RepoBuilder

DEPENDABOT = {
    "GIT_AUTHOR_NAME": "dependabot[bot]",
    "GIT_AUTHOR_EMAIL": "49699333+dependabot[bot]@users.noreply.github.com",
}


@pytest.fixture
def ring(tmp_path: Path) -> Iterator[PgpRing]:
    made = PgpRing(tmp_path / "ring")
    yield made
    made.close()


def start(repo: RepoBuilder, keys: dict[str, bytes], policy: str = "mode: lenient\n") -> RepoBuilder:
    """A base that holds these files below .agentgate/gpg; the developer stands on a topic."""
    files = {f".agentgate/gpg/{name}": data for name, data in keys.items()}
    repo.commit({".agentgate/policy.yaml": f"version: 1\n{policy}", **files, WORKFLOW: "on: push\n"})
    repo.git("config", "agentgate.target", "main")
    repo.git("checkout", "-q", "-b", "topic")
    return repo


def who(repo: RepoBuilder) -> list[tuple[str, str]]:
    return [(commit.actor, commit.rule) for commit in checked(repo).commits]


def test_an_enrolled_human(repo_of_each_hash: RepoBuilder, ring: PgpRing) -> None:
    repo = repo_of_each_hash
    fingerprint = ring.make("pat")
    start(repo, {"human/pat.asc": ring.public("pat")})
    ring.sign_commits(repo, "pat")
    repo.commit({"a.py": "x = 1\n"})
    assert [("human", "H_FILEKEY")] == who(repo)
    (reason,) = checked(repo).commits[0].reasons
    assert ("H_FILEKEY", "signature", "human:pat") == (reason.rule, reason.place, reason.who)
    assert fingerprint.endswith(reason.seen)


def test_an_openpgp_key_proves_no_presence(repo: RepoBuilder, ring: PgpRing) -> None:
    """It makes a mode that nobody set strict, where it is not enough."""
    ring.make("pat")
    start(repo, {"human/pat.asc": ring.public("pat")}, policy="")
    ring.sign_commits(repo, "pat")
    repo.commit({"a.py": "x = 1\n"})
    assert [("agent", "H_FILEKEY")] == who(repo)


def test_an_enrolled_agent(repo: RepoBuilder, ring: PgpRing) -> None:
    ring.make("builder")
    start(repo, {"agent/builder.asc": ring.public("builder")})
    ring.sign_commits(repo, "builder")
    repo.commit({"a.py": "x = 1\n"})
    assert [("agent", "A_KEY")] == who(repo)


def test_a_key_that_nobody_enrolled_says_nothing(repo: RepoBuilder, ring: PgpRing) -> None:
    """Though the key ring of whoever verifies knows it."""
    ring.make("pat")
    ring.make("stranger")
    start(repo, {"human/pat.asc": ring.public("pat")})
    ring.sign_commits(repo, "stranger")
    repo.commit({"a.py": "x = 1\n"})
    assert [("human", "U_DEFAULT")] == who(repo)
    assert "a key that nobody enrolled" in checked(repo).commits[0].detail


def test_keys_of_the_proposal_itself_enrol_nobody(repo: RepoBuilder, ring: PgpRing) -> None:
    ring.make("eve")
    start(repo, {})
    ring.sign_commits(repo, "eve")
    repo.commit({".agentgate/gpg/human/eve.asc": ring.public("eve")})
    assert [("human", "U_DEFAULT")] == who(repo)


DEAD = {"revoked": "is of a key that is revoked", "expired": "is of a key that is expired"}


@pytest.mark.parametrize("end", DEAD)
def test_a_key_that_came_to_its_end_is_bad(repo: RepoBuilder, ring: PgpRing, end: str) -> None:
    ring.make("pat", made_at=LONG_AGO)
    start(repo, {"human/pat.asc": ring.revoked("pat") if end == "revoked" else ring.expired("pat")})
    ring.sign_commits(repo, "pat")
    repo.commit({"a.py": "x = 1\n"})
    assert [("agent", "A_SIG_BAD")] == who(repo)
    assert f"the signature {DEAD[end]}" == checked(repo).commits[0].detail


def test_a_signature_moved_to_another_commit_is_bad(repo: RepoBuilder, ring: PgpRing) -> None:
    ring.make("pat")
    start(repo, {"human/pat.asc": ring.public("pat")})
    ring.sign_commits(repo, "pat")
    repo.commit({"a.py": "x = 1\n"})
    raw = repo.run("git", "cat-file", "commit", "HEAD").stdout.replace(b"change", b"chance")
    repo.git("reset", "-q", "--hard", repo.git("hash-object", "-w", "-t", "commit", "--stdin", stdin=raw))
    assert [("agent", "A_SIG_BAD")] == who(repo)


def test_a_signature_that_cannot_be_read_is_bad(repo: RepoBuilder) -> None:
    start(repo, {})
    raw = repo.run("git", "cat-file", "commit", repo.commit({"a.py": "x = 1\n"})).stdout
    head, _, body = raw.partition(b"\n\n")
    header = b"gpgsig -----BEGIN PGP SIGNATURE-----\n \n !!!!\n -----END PGP SIGNATURE-----"
    made = repo.git("hash-object", "-w", "-t", "commit", "--stdin", stdin=head + b"\n" + header + b"\n\n" + body)
    repo.git("reset", "-q", "--hard", made)
    assert [("agent", "A_SIG_BAD")] == who(repo)


def test_the_user_s_own_gpg_settings_and_program_are_not_asked(
    repo: RepoBuilder, ring: PgpRing, home: Path, tmp_path: Path
) -> None:
    ring.make("pat")
    start(repo, {"human/pat.asc": ring.public("pat")})
    ring.sign_commits(repo, "pat")
    repo.commit({"a.py": "x = 1\n"})
    program = tmp_path / "always-good"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\n")
    program.chmod(0o755)
    repo.git("config", "gpg.program", str(program))
    (ring.directory / "gpg.conf").write_text("no-such-option\n")
    before = sorted(path.name for path in ring.directory.iterdir())
    assert [("human", "H_FILEKEY")] == who(repo)
    assert (False, before) == (
        (tmp_path / "asked").exists(),
        sorted(path.name for path in ring.directory.iterdir()),
    )
    assert not (home / ".gnupg").exists()


NO_KEYS: dict[str, bytes] = {
    "human/pat.asc": b"hello\n",
    "human/sam.asc": b"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n!!\n-----END PGP PUBLIC KEY BLOCK-----\n",
    "boss/kim.asc": b"",
    "human/kim.gpg": b"",
}


@pytest.mark.parametrize("name", NO_KEYS)
def test_a_file_that_enrols_nobody_is_told(repo: RepoBuilder, name: str) -> None:
    start(repo, {name: NO_KEYS[name]}).commit({"a.py": "x = 1\n"})
    assert any(f".agentgate/gpg/{name} at the base" in note for note in checked(repo).notes)
    assert [("human", "U_DEFAULT")] == who(repo)


# Bots


def bot_commit(repo: RepoBuilder, ring: PgpRing, path: str) -> None:
    ring.sign_commits(repo, "forge")
    repo.commit({path: "on: pull_request\n"}, **DEPENDABOT)


@pytest.mark.parametrize("allowed", [True, False])
def test_a_bot_may_touch_the_guarded_paths_that_are_left_to_bots(
    repo: RepoBuilder, ring: PgpRing, allowed: bool
) -> None:
    ring.make("forge")
    paths = "bot_paths: [.github/workflows/**]\n" if allowed else ""
    start(repo, {"bot/forge.asc": ring.public("forge")}, policy=f"mode: strict\n{paths}")
    bot_commit(repo, ring, WORKFLOW)
    assert [("bot", "B_KEY")] == who(repo)
    assert ([] if allowed else [("E_GUARDED_PATH", "block", WORKFLOW)]) == told(checked(repo).findings)


def test_a_bot_may_touch_no_other_guarded_path(repo: RepoBuilder, ring: PgpRing) -> None:
    ring.make("forge")
    start(repo, {"bot/forge.asc": ring.public("forge")}, policy="bot_paths: [.github/workflows/**]\n")
    bot_commit(repo, ring, ".github/dependabot.yml")
    (finding,) = checked(repo).findings
    assert ("E_GUARDED_PATH", "block", ".github/dependabot.yml") == finding[:3]
    assert "by a bot" in finding.message
    assert "bot_paths" in finding.next_step


def test_the_name_of_a_bot_without_its_key_is_nothing(repo: RepoBuilder, ring: PgpRing) -> None:
    ring.make("forge")
    start(repo, {"bot/forge.asc": ring.public("forge")}, policy="mode: strict\nbot_paths: [.github/**]\n")
    repo.commit({WORKFLOW: "on: never\n"}, **DEPENDABOT)
    assert [("agent", "U_DEFAULT")] == who(repo)
    assert 1 == checked(repo).exit_status


def test_the_key_of_a_forge_under_a_person_s_name_is_no_bot(repo: RepoBuilder, ring: PgpRing) -> None:
    """What a forge signs is made by people, bots and agents alike."""
    ring.make("forge")
    start(repo, {"bot/forge.asc": ring.public("forge")}, policy="mode: strict\n")
    ring.sign_commits(repo, "forge")
    repo.commit({"a.py": "x = 1\n"})
    assert [("agent", "U_DEFAULT")] == who(repo)
    assert "no bot that is listed" in checked(repo).commits[0].detail


def test_where_there_is_no_gpg_nothing_is_decided(repo: RepoBuilder, ring: PgpRing, tmp_path: Path) -> None:
    ring.make("pat")
    start(repo, {"human/pat.asc": ring.public("pat")})
    ring.sign_commits(repo, "pat")
    repo.commit({"a.py": "x = 1\n"})
    only_git = path_of_programs(tmp_path / "bin", "git")
    done = agentgate(repo, "check", PATH=only_git)
    assert (3, "") == (done.status, done.stdout)
    assert done.stderr.endswith("there is no gpg: install GnuPG\n")
