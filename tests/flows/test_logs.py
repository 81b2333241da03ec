"""`logs`: what a sealed run printed is shown once the run is over and its seal is kept, and not before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentgate_git.flows.sealed.run_logs import RunLogStore
from testing.command_line import agentgate
from testing.evidence_keys import Keys
from testing.proposals import FILES
from testing.repo_builder import RepoBuilder
from testing.sealed_runs import some_logs, store_logs, store_run, trees_of

LOG = b"\x1b[31mF\x1b[0m\tone\r\nE  \xe9\xff\n1 failed\n"
SHOWN = "\\x1b[31mF\\x1b[0m\tone\nE  \\udce9\\udcff\n1 failed\n"


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "keys")


@pytest.fixture
def topic(repo: RepoBuilder, keys: Keys) -> RepoBuilder:
    """A proposal whose base enrols the runner ci."""
    repo.commit({**FILES, ".agentgate/allowed_signers": keys.line("runner:ci", "ci")}, "first")
    repo.git("config", "agentgate.target", "main")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"core.py": "ONE = 2 - 1\n"})
    return repo


def refused(repo: RepoBuilder, *args: str) -> tuple[int, str]:
    done = agentgate(repo, "logs", *args)
    assert ("", 1) == (done.stdout, done.stderr.count("\n"))
    return done.status, done.stderr.removeprefix("git agentgate: ").partition(":")[0]


def test_nothing_is_shown_before_the_run_is_over_and_published(topic: RepoBuilder) -> None:
    assert (4, "E_NO_EVIDENCE") == refused(topic)
    about = trees_of(topic)
    with RunLogStore(str(topic.path / ".git")).open_run(about["tree"], about["base_tree"]) as run:
        Path(run.log).write_bytes(LOG)
        seal = store_run(topic)
        assert (1, "E_LOGS_EARLY") == refused(topic), "sealed, and still running"
        store_logs(topic, some_logs(seal, LOG, **about))
        assert (1, "E_LOGS_EARLY") == refused(topic), "another run's log tells as much"
        assert (4, "E_NO_EVIDENCE") == refused(topic, "main")
        run.describe(seal)
    done = agentgate(topic, "logs")
    assert (0, SHOWN) == (done.status, done.stdout)
    assert "git agentgate: whole log of server-job-88, seal " in done.stderr


def test_a_log_of_which_the_end_is_left(topic: RepoBuilder, keys: Keys) -> None:
    def sign(payload: bytes) -> bytes:
        return keys.signed_line("ci", payload)

    seal, log = store_run(topic, sign), b"begin\n" + b"x" * 70_000 + b"\n1 passed\n"
    store_logs(topic, some_logs(seal, b"forged\n", **trees_of(topic), published_at="2026-10-12T10:07:00Z"))
    store_logs(topic, some_logs(seal, log[-20:], **{**trees_of(topic), "size": len(log), "log_sha256": "1" * 64}), sign)
    done = agentgate(topic, "logs", "--seal", seal[:12])
    assert (0, "x" * 10 + "\n1 passed\n") == (done.status, done.stdout)
    assert "end of the log (70016 bytes, sha256 111111111111) of server-job-88" in done.stderr
    assert "signed by runner:ci; 1 more: name one with --seal\n" in done.stderr
    assert (4, "E_NO_EVIDENCE") == refused(topic, "--seal", "0" if seal[0] != "0" else "1")
    assert (
        "log of 70016 bytes, published 2026-10-12T10:06:00Z by server-job-88, seal" in agentgate(topic, "show").stdout
    )


def test_a_log_that_nobody_enrolled_signed_is_shown_as_such(topic: RepoBuilder) -> None:
    store_logs(topic, some_logs(store_run(topic), **trees_of(topic)))
    done = agentgate(topic, "logs")
    assert (0, "1 passed\n") == (done.status, done.stdout)
    assert "UNTRUSTED: no enrolled runner signed every line of the run" in done.stderr


ELSEWHERE: dict[str, Any] = {"base_tree": "d" * 40, "tree": "d" * 40, "runner_job": "server-job-89"}
EARLY: dict[str, Any] = {"seal_sha256": "1" * 64, "published_at": "2026-10-12T09:59:59Z"}


def test_a_log_that_no_seal_answers_for_is_not_shown(topic: RepoBuilder) -> None:
    good = some_logs(store_run(topic), **trees_of(topic))
    for field, value in ELSEWHERE.items():
        store_logs(topic, good._replace(**{field: value}))
    assert (4, "E_NO_EVIDENCE") == refused(topic), "over another base, of another tree, of another job than the seal"
    for field, value in EARLY.items():
        store_logs(topic, good._replace(**{field: value}))
    assert (1, "E_LOGS_EARLY") == refused(topic), "its seal is not kept, or is younger"
    store_logs(topic, good)
    assert 0 == agentgate(topic, "logs").status, "lines beside it take nothing away"
