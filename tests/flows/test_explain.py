"""`explain`: four answers with the lines they rest on, and the page of a code where there is no network."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from agentgate_git.model.code import ALLOW, CODES
from agentgate_git.model.run_evidence import Probe
from testing.command_line import Done, agentgate
from testing.evidence_keys import Keys
from testing.proposals import FILES
from testing.records import stored_lines
from testing.repo_builder import RepoBuilder
from testing.sealed_runs import some_freeze, store_freeze, store_run, store_run_packet, trees_of

QUESTIONS = [
    "Which job wrote the patch?",
    "Which job sealed the inputs?",
    "Which changed symbols have credit that a test can lose?",
    "Does a freeze cite that digest, a passing credit, another test and a future expiry?",
]
FOREVER = "9999-12-31T00:00:00Z"


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path / "keys")


@pytest.fixture
def topic(repo: RepoBuilder, keys: Keys) -> RepoBuilder:
    """A proposal whose base enrols the runner ci and the human pat."""
    signers = keys.line("runner:ci", "ci") + keys.line("human:pat", "pat")
    repo.commit({**FILES, ".agentgate/allowed_signers": signers}, "first")
    repo.git("config", "agentgate.target", "main")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({"core.py": "ONE = 2 - 1\n"})
    return repo


def signed_by(keys: Keys, name: str) -> Callable[[bytes], bytes]:
    return lambda payload: keys.signed_line(name, payload)


def answers(done: Done) -> list[str]:
    """What stands under each question."""
    _, *blocks = done.stdout.removesuffix("\n").split("\n\n")
    assert [block.partition("\n")[0] for block in blocks] == QUESTIONS
    return [block.partition("\n")[2] for block in blocks]


def name_of(repo: RepoBuilder, kind: str) -> str:
    (line,) = stored_lines(repo, kind)[repo.tree()]
    return sha256(line).hexdigest()


def test_without_evidence_every_question_stays_open(topic: RepoBuilder) -> None:
    done = agentgate(topic, "explain")
    assert (4, 1) == (done.status, done.stderr.count("\n"))
    expected = ["  no line says so", "  no seal is kept", "  no credit is kept", "  no freeze is kept"]
    assert expected == answers(done)


def test_a_run_that_holds_and_its_freeze(topic: RepoBuilder, keys: Keys) -> None:
    seal = store_run(topic, signed_by(keys, "ci"), missing=("pricing.b",), tautologies=("tests/test_t.py::test_void",))
    store_run_packet(topic, seal, author_job="model-session-17")
    freeze = some_freeze(seal, **trees_of(topic))
    store_freeze(topic, freeze._replace(freeze=freeze.freeze._replace(expires_at=FOREVER)), signed_by(keys, "pat"))
    done = agentgate(topic, "explain")
    assert (0, "") == (done.status, done.stderr)
    wrote, sealed, credit, frozen = answers(done)
    by_ci = "signed by runner:ci]"
    packet = f"[refs/notes/agentgate/packets {name_of(topic, 'packets')[:12]}, signed by nobody whom the base enrols]"
    assert [
        f"  model-session-17 [refs/notes/agentgate/seals {seal[:12]}, {by_ci}",
        f"  model-session-17 {packet}",
    ] == wrote.splitlines()
    assert f"  server-job-88, 2026-10-12T10:00:00Z [refs/notes/agentgate/seals {seal[:12]}, {by_ci}" == sealed
    assert [
        f"  credit-014, seal {seal[:12]} [refs/notes/agentgate/credits {name_of(topic, 'credits')[:12]}, {by_ci}",
        "    credited: pricing.tax_cents",
        "    by: tests/test_tax.py::test_bounds",
        "    missing: pricing.b",
        "    tautologies: tests/test_t.py::test_void",
        "    not enough: the credit names symbols without any: pricing.b",
    ] == credit.splitlines()
    line = f"[refs/notes/agentgate/freezes {name_of(topic, 'freezes')[:12]}, signed by human:pat]"
    assert [
        f"  tests/test_report.py::test_timezone, filed by reviewer-job-2 {line}",
        f"    yes: cites the digest of a seal that is kept ({seal[:12]})",
        "    NO: cites a credit that passes (credit-014)",
        "    yes: is for another test than those that earned it",
        f"    yes: ends in the future ({FOREVER})",
    ] == frozen.splitlines()


def test_a_run_of_tautologies_that_nobody_signed_and_a_freeze_of_its_own(topic: RepoBuilder, keys: Keys) -> None:
    test = "tests/test_tax.py::test_bounds"
    probes = (Probe("idempotence", "", True, "once"), Probe("absence", "core.py::ONE", False, "as it was"))
    seal = store_run(topic, probes=probes, tautologies=(test,))
    freeze = some_freeze(seal, **trees_of(topic))
    ended = freeze.freeze._replace(test_id=test, expires_at="2026-01-01T00:00:00Z")
    store_freeze(topic, freeze._replace(freeze=ended), signed_by(keys, "pat"))
    done = agentgate(topic, "explain", "HEAD", "--base", "main", "--format", "json")
    found = done.json()
    assert (0, "agentgate.explain/1", 0) == (done.status, found["schema"], found["exit"])
    assert trees_of(topic) == {name: found[name] for name in ("tree", "base_tree", "commit")}
    (credit,), (frozen,) = found["credits"], found["freezes"]
    assert ([], [], [test]) == (credit["credited"], credit["tests"], credit["tautologies"])
    assert [probes[1]._asdict()] == credit["failed_probes"]
    assert "    does not hold: absence of core.py::ONE (as it was)\n" in agentgate(topic, "explain").stdout
    assert f"rests on a test that cannot fail: {test}" == credit["problem"]
    assert "no enrolled runner signed every line of the run" == credit["untrusted"]
    line = {"kind": "seals", "sha256": seal, "signers": [], "ref": "refs/notes/agentgate/seals"}
    assert [{"job": "server-job-88", "sealed_at": "2026-10-12T10:00:00Z", "line": line}] == found["seals"]
    names = ("has_digest", "has_passing_credit", "is_other_test", "has_future_expiry", "problem")
    assert [True, False, False, False, ""] == [frozen[name] for name in names]


def test_the_page_of_every_code_is_printed_without_a_repository(tmp_path: Path, repo: RepoBuilder) -> None:
    done = agentgate(repo, "explain", "E_LOGS_EARLY", cwd=tmp_path, GIT_DIR="/nowhere")
    head, page = done.stdout.split("\n\n", 1)
    info = CODES["E_LOGS_EARLY"]
    assert (0, f"E_LOGS_EARLY: {info.title}\nnext: {info.next_step}") == (done.status, head)
    text = (Path(__file__).parents[2] / "docs/codes/E_LOGS_EARLY.md").read_text(encoding="utf-8")
    assert text == f"# E_LOGS_EARLY\n\n{page}"
    told = json.loads(agentgate(repo, "explain", "E_STALE", "--format", "json").stdout)
    assert ("agentgate.explain/1", "E_STALE", True) == (told["schema"], told["code"], "## Why" in told["page"])
    assert f"ALLOW: {CODES[ALLOW].title}\n" in agentgate(repo, "explain", "ALLOW").stdout


def test_what_is_no_code_and_no_revision(topic: RepoBuilder) -> None:
    done = agentgate(topic, "explain", "E_NO_SUCH")
    assert (2, "", "git agentgate: there is no code 'E_NO_SUCH': see `git agentgate help` for all of them\n") == tuple(
        done
    )
    done = agentgate(topic, "explain", "nowhere")
    assert (2, "", 1) == (done.status, done.stdout, done.stderr.count("\n"))
