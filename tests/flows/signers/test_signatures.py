"""Commits signed with real keys, judged by the allowed signers of the base and by nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from testing.command_line import agentgate
from testing.keys import Keys, TouchKey, sign_with, signed_commit
from testing.repo_builder import RepoBuilder

BASELINE = {"entropy.baseline.yaml": "version: 1\npins: {tz: UTC}\n", "entropy.yaml": "version: 1\npins: {tz: UTC}\n"}
ROTATED = {"entropy.yaml": "version: 1\npins: {tz: CET}\n", "entropy.baseline.yaml": "version: 1\npins: {tz: CET}\n"}


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "keys")


def start(repo: RepoBuilder, signers: str, mode: str = "mode: lenient\n") -> None:
    repo.commit(
        {
            **BASELINE,
            ".agentgate/policy.yaml": f"version: 1\n{mode}",
            ".agentgate/allowed_signers": signers,
        }
    )
    repo.git("config", "agentgate.target", "main")
    repo.git("checkout", "-q", "-b", "topic")


def classes(repo: RepoBuilder) -> list[tuple[str, str]]:
    answer = agentgate(repo, "check", "HEAD", "--format", "json").json()
    return [(commit["class"], commit["rule"]) for commit in answer["commits"]]


def test_an_enrolled_human_may_rotate_the_pins(repo_of_each_hash: RepoBuilder, keys: Keys) -> None:
    repo = repo_of_each_hash
    start(repo, keys.line("human:pat", "pat"))
    sign_with(repo, keys.path("pat"))
    repo.commit(ROTATED)
    assert [("human", "H_FILEKEY")] == classes(repo)
    done = agentgate(repo, "check", "HEAD")
    assert 0 == done.status
    assert "E_PIN_CHANGED warn" in done.stdout


def test_without_the_signature_the_same_commit_is_refused(repo: RepoBuilder, keys: Keys) -> None:
    start(repo, keys.line("human:pat", "pat"))
    repo.commit(ROTATED)
    assert [("human", "U_DEFAULT")] == classes(repo)
    assert 1 == agentgate(repo, "check", "HEAD").status


def test_a_key_file_is_no_presence_in_strict_mode(repo: RepoBuilder, keys: Keys) -> None:
    start(repo, keys.line("human:pat", "pat"), mode="mode: strict\n")
    sign_with(repo, keys.path("pat"))
    repo.commit(ROTATED)
    assert [("agent", "H_FILEKEY")] == classes(repo)
    assert 1 == agentgate(repo, "check", "HEAD").status


def test_enrolling_a_human_makes_a_mode_that_nobody_set_strict(repo: RepoBuilder, keys: Keys) -> None:
    start(repo, keys.line("human:pat", "pat"), mode="")
    repo.commit({"a.py": "x = 1\n"})
    assert [("agent", "U_DEFAULT")] == classes(repo)


def test_enrolling_an_agent_leaves_it_lenient(repo: RepoBuilder, keys: Keys) -> None:
    start(repo, keys.line("agent:builder", "builder"), mode="")
    repo.commit({"a.py": "x = 1\n"})
    assert [("human", "U_DEFAULT")] == classes(repo)


def test_an_enrolled_agent_key_beats_a_persons_name(repo: RepoBuilder, keys: Keys) -> None:
    start(repo, keys.line("human:pat", "pat") + keys.line("agent:builder", "builder"))
    sign_with(repo, keys.path("builder"))
    repo.commit({"a.py": "x = 1\n"})
    assert [("agent", "A_KEY")] == classes(repo)


def test_a_key_that_nobody_enrolled_says_nothing(repo: RepoBuilder, keys: Keys) -> None:
    start(repo, keys.line("human:pat", "pat"))
    sign_with(repo, keys.path("stranger"))
    repo.commit({"a.py": "x = 1\n"})
    assert [("human", "U_DEFAULT")] == classes(repo)


def test_the_proposals_own_signers_enrol_nobody(repo: RepoBuilder, keys: Keys) -> None:
    start(repo, keys.line("human:pat", "pat"))
    sign_with(repo, keys.path("eve"))
    repo.commit({**ROTATED, ".agentgate/allowed_signers": keys.line("human:eve", "eve")})
    assert [("human", "U_DEFAULT")] == classes(repo)
    assert 1 == agentgate(repo, "check", "HEAD").status


@pytest.mark.parametrize(
    "options",
    ['namespaces="agentgate"', 'namespaces="git",valid-before="20200101"'],
    ids=["another namespace", "expired"],
)
def test_an_enrolled_key_that_may_not_sign_commits_is_bad(repo: RepoBuilder, keys: Keys, options: str) -> None:
    start(repo, keys.line("human:pat", "pat", options))
    sign_with(repo, keys.path("pat"))
    repo.commit({"a.py": "x = 1\n"})
    assert [("agent", "A_SIG_BAD")] == classes(repo)


def test_a_signature_moved_to_another_commit_is_bad(repo: RepoBuilder, keys: Keys) -> None:
    start(repo, keys.line("human:pat", "pat"))
    sign_with(repo, keys.path("pat"))
    repo.commit({"a.py": "x = 1\n"})
    raw = repo.run("git", "cat-file", "commit", "HEAD").stdout.replace(b"change", b"chance")
    repo.git("reset", "-q", "--hard", repo.git("hash-object", "-w", "-t", "commit", "--stdin", stdin=raw))
    assert [("agent", "A_SIG_BAD")] == classes(repo)


def test_the_repositorys_own_signing_program_is_not_asked(repo: RepoBuilder, keys: Keys, tmp_path: Path) -> None:
    start(repo, keys.line("human:pat", "pat"))
    sign_with(repo, keys.path("pat"))
    repo.commit({"a.py": "x = 1\n"})
    program = tmp_path / "always-good"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\n")
    program.chmod(0o755)
    repo.git("config", "gpg.ssh.program", str(program))
    assert [("human", "H_FILEKEY")] == classes(repo)
    assert not (tmp_path / "asked").exists()


def test_a_key_that_the_base_revokes_is_bad_though_nobody_enrols_it(repo: RepoBuilder, keys: Keys) -> None:
    repo.commit({".agentgate/revoked_keys": f"# lost in March\n{keys.public('pat')}"})
    start(repo, keys.line("human:sam", "sam"))
    sign_with(repo, keys.path("pat"))
    repo.commit({"a.py": "x = 1\n"})
    assert [("agent", "A_SIG_BAD")] == classes(repo)
    assert "revoked_keys revokes" in agentgate(repo, "check", "--explain-authorship").stdout


def test_a_line_that_revokes_nothing_is_told(repo: RepoBuilder, keys: Keys) -> None:
    repo.commit({".agentgate/revoked_keys": "SHA256:of-some-key\n"})
    start(repo, keys.line("human:pat", "pat"))
    repo.commit({"a.py": "x = 1\n"})
    assert "1 line(s) of .agentgate/revoked_keys" in agentgate(repo, "check").stdout


def test_the_text_explains_each_commit_when_asked(repo: RepoBuilder, keys: Keys) -> None:
    start(repo, keys.line("human:pat", "pat"))
    sign_with(repo, keys.path("pat"))
    signed = repo.commit({"a.py": "x = 1\n"})
    marked = repo.commit_as_agent({"a.py": "x = 2\n"})
    repo.git("config", "commit.gpgsign", "false")
    bare = repo.commit({"a.py": "x = 3\n"})
    for verb in ("check", "verify"):
        lines = agentgate(repo, verb, "--explain-authorship").stdout.splitlines()
        assert f"{signed[:12]} human H_FILEKEY: signed with a key file of human:pat" in lines
        at = lines.index(
            f"{marked[:12]} agent A_IDENT: agent-coauthored: claude-code, coauthor claude <noreply@anthropic.com>"
        )
        assert "    A_IDENT coauthor claude <noreply@anthropic.com> (claude-code)" == lines[at + 1]
        assert lines[at + 2].startswith("    H_FILEKEY signature SHA256:")
        assert f"{bare[:12]} human U_DEFAULT: no mark and no enrolled key" in lines
        assert bare[:12] not in agentgate(repo, verb).stdout
    scanned = agentgate(repo, "scan", "--range", "main..HEAD", "--explain-authorship").stdout
    assert f"{signed[:12]} human H_FILEKEY" in scanned


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (1, ("human", "H_PRESENT")),
        (5, ("human", "H_PRESENT")),
        (4, ("human", "H_PRESENT")),
        (0, ("agent", "H_FILEKEY")),
    ],
    ids=["touched", "touched, with a PIN", "a PIN alone", "not touched"],
)
def test_a_hardware_key_must_have_been_touched(
    repo: RepoBuilder, tmp_path: Path, flags: int, expected: tuple[str, str]
) -> None:
    """ssh-keygen calls all of them good."""
    key = TouchKey(tmp_path / "touch")
    start(repo, key.line("human:pat"), mode="mode: strict\n")
    repo.commit(ROTATED)
    signed_commit(repo, key, flags=flags)
    assert [("human", "H_PRESENT") if flags else ("agent", "H_FILEKEY")] == classes(repo)
    assert (0 if flags else 1) == agentgate(repo, "check").status


@pytest.mark.parametrize("principals", ["human:pat,agent:builder", "agent:builder,human:pat"])
def test_a_key_of_an_agent_and_a_human_is_an_agents(repo: RepoBuilder, keys: Keys, principals: str) -> None:
    start(repo, keys.line(principals, "pat"))
    sign_with(repo, keys.path("pat"))
    repo.commit({"a.py": "x = 1\n"})
    assert [("agent", "A_KEY")] == classes(repo)
