"""`run`: a proposal is sealed, run and scored by a runner, and what it leaves is what `decide` and `verify` believe."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from agentgate_git.wire.allowed_signers import read_allowed_signers
from testing.command_line import PROGRAM, agentgate
from testing.repo_builder import RepoBuilder
from testing.run_bed import BASE, FIX, JOBS, NO_PLUGINS, PRICES, TESTS, RunBed

KINDS = ("seals", "credits", "logs", "packets", "verdicts")
TAUTOLOGY = {**FIX, TESTS: BASE[TESTS] + "\n\ndef test_total():\n    assert prices.total(2, 3) == prices.total(2, 3)\n"}
# What pytest is, and what it imports: patterns in the folder of packages.
NEEDED = ("pytest", "_pytest", "py.py", "pluggy*", "iniconfig*", "packaging*", "pygments*")
FAILING = {**FIX, TESTS: FIX[TESTS] + "\n\ndef test_flaky():\n    assert 4 == prices.total(2, 3)\n"}


@pytest.fixture
def bed(request: pytest.FixtureRequest, repo: RepoBuilder, tmp_path: Path) -> RunBed:
    """With `no policy`, pytest loads whatever plugins are installed."""
    if getattr(request, "param", "") == "no policy":
        return RunBed(repo, tmp_path)
    return RunBed(repo, tmp_path, {**BASE, ".agentgate/policy.yaml": f"version: 1\n{NO_PLUGINS}"})


def counts(bed: RunBed) -> list[int]:
    return [len(bed.lines(kind)) for kind in KINDS]


def predicate(line: str) -> dict[str, Any]:
    """What one of our own statements says."""
    statement = json.loads(base64.b64decode(json.loads(line)["payload"]))
    extension: dict[str, Any] = statement["predicate"]["agentgate"]
    return extension


@pytest.mark.parametrize("bed", ["no policy"], indirect=True)
def test_a_fix_whose_test_bites_is_allowed(bed: RunBed) -> None:
    done = bed.propose().run()
    assert (0, "ALLOW\n") == (done.status, done.stdout), done.stderr
    assert [1, 1, 1, 1, 1] == counts(bed)
    names = {json.loads(line)["signatures"][0]["keyid"] for kind in KINDS for line in bed.lines(kind)}
    (enrolled,) = read_allowed_signers(bed.keys.enrolment("runner:ci", "ci").encode())
    assert {enrolled.fingerprint} == names
    assert "ALLOW" == bed.decide()
    (result,) = agentgate(bed.repo, "verify", "HEAD", "--format", "json").json()["results"]
    assert ("ALLOW", "REPRODUCED", [], "ALLOW") == tuple(
        result[name] for name in ("decision", "verdict", "drifted", "sealed_run")
    )
    log = agentgate(bed.repo, "logs", "HEAD")
    assert (0, True) == (log.status, "2 passed" in log.stdout)

    again = bed.run("--format", "json").json()
    assert ("agentgate.run/1", "ALLOW", None, 0) == tuple(
        again[name] for name in ("schema", "decision", "reason", "exit")
    )
    assert (["src/prices.py::total"], True) == (again["credit"]["credit"]["credited"], "before" in again["notes"][0])
    assert [1, 1, 1, 1, 1] == counts(bed), "the same call again says what came out, and adds nothing"

    bed.propose({PRICES: FIX[PRICES] + "\n\ndef half(cents):\n    return cents // 2\n"})
    changed = bed.run()
    assert (1, True) == (changed.status, changed.stdout.startswith("E_DIGEST_OPEN: runner job 'server-job-88'"))
    assert [0, 0, 0, 0, 0] == counts(bed), "nothing was run for other bytes under the same runner job"
    started_over = bed.run("--proposal", "another")
    assert (1, True) == (started_over.status, started_over.stdout.startswith("E_CREDIT_MISSING"))
    assert "src/prices.py::half" in started_over.stdout


def test_what_a_seal_says(bed: RunBed) -> None:
    manifest = "version: 1\nproperty_id: p\nmodule: tests/test_prices.py\npins: {rng_seed: 7, tz: Europe/Paris}\n"
    bed.propose({**FIX, "entropy.yaml": manifest, "tests/data/rates.json": "{}", "README.md": "x"}).run()
    (line,) = bed.lines("seals")
    seal = predicate(line)
    assert ["entropy.yaml", "tests/data/rates.json", TESTS] == sorted(
        one["path"] for one in seal["inputs"] if not one["path"].startswith(".agentgate")
    )
    pins = dict(seal["pins"])
    assert ("7", "Europe/Paris", "real", "bubblewrap") == tuple(
        pins[name] for name in ("rng_seed", "tz", "clock_mode", "sandbox")
    )
    (packet,) = bed.lines("packets")
    assert "Europe/Paris" == dict(predicate(packet)["environment"])["TZ"]
    assert "bubblewrap" == predicate(packet)["isolation"]


def test_a_tautology_earns_nothing_and_is_named(bed: RunBed) -> None:
    done = bed.propose(TAUTOLOGY).run()
    assert (1, True) == (done.status, done.stdout.startswith("E_CREDIT_MISSING"))
    assert "cannot fail: tests/test_prices.py::test_total" in done.stderr
    assert done.stdout.startswith(f"{bed.decide()}:")


def test_a_failing_test_is_no_pass_without_a_freeze(bed: RunBed) -> None:
    done = bed.propose(FAILING).run()
    assert (1, True) == (done.status, done.stdout.startswith("E_TESTS_FAILED")), done.stderr
    assert "note: 1 test failed: tests/test_prices.py::test_flaky" in done.stderr
    wanted = ("--test", f"{TESTS}::test_flaky", "--until", "9999-12-31T00:00:00Z", "--job", "review-2")
    assert 0 == agentgate(bed.repo, "freeze", "HEAD", *wanted, "--key", str(bed.keys.path("pat"))).status
    assert ("ALLOW", "ALLOW\n") == (bed.decide(), bed.run().stdout)


REFUSED: dict[str, tuple[tuple[str, ...], str, dict[str, str], int, str]] = {
    "the author runs it": (("--author-job", "a", "--runner-job", "A "), "ci", {}, 1, "E_SHARED_JOB"),
    "nobody wrote it": ((), "ci", {}, 1, "name the job that wrote the change with --author-job"),
    "a human's key": (JOBS, "pat", {}, 2, "is enrolled for human:pat)"),
    "an agent's key": (JOBS, "builder", {}, 2, "is enrolled for agent:builder)"),
    "a stranger's key": (JOBS, "stranger", {}, 2, "is enrolled for nobody)"),
    "an agent's environment": (JOBS, "ci", {"CLAUDE_CODE_SESSION_ID": "1"}, 2, "nobody grades himself"),
}


@pytest.mark.parametrize(("jobs", "key", "env", "status", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_run_at_all(
    bed: RunBed, jobs: tuple[str, ...], key: str, env: dict[str, str], status: int, said: str
) -> None:
    done = bed.propose().run(key=key, jobs=jobs, **env)
    assert (status, True) == (done.status, said in done.stdout + done.stderr)
    assert [0, 0, 0, 0, 0] == counts(bed)


def test_a_runner_who_signed_the_patch_is_no_runner(bed: RunBed) -> None:
    for name, value in (
        ("gpg.format", "ssh"),
        ("user.signingkey", str(bed.keys.path("ci"))),
        ("commit.gpgsign", "true"),
    ):
        bed.repo.git("config", name, value)
    done = bed.propose().run()
    assert (2, True) == (done.status, "signed both the run and the patch" in done.stderr)
    assert [0, 0, 0, 0, 0] == counts(bed)


SPY = """
import os, pathlib, subprocess, urllib.request

import prices


def test_total():
    assert 300 == prices.total(100, 3)


def test_nothing_of_the_runner_can_be_reached():
    assert not os.path.exists({repo!r}), os.listdir({repo!r})
    assert not os.path.exists({key!r})
    assert not [name for name in os.environ if "TOKEN" in name or "SSH" in name]
    assert [] == os.listdir(pathlib.Path.home())
"""


def test_the_tests_see_neither_keys_nor_the_repository(bed: RunBed) -> None:
    spy = SPY.format(repo=str(bed.repo.path), key=str(bed.keys.path("ci")))
    done = bed.propose({**FIX, TESTS: spy}).run(FORGE_TOKEN="secret", SSH_AUTH_SOCK="/tmp/agent")
    assert (0, "ALLOW\n") == (done.status, done.stdout), agentgate(bed.repo, "logs").stdout


WATCHER = """
import pathlib, subprocess

import prices


def test_total():
    seen = [subprocess.run(argv, capture_output=True, text=True) for argv in {commands!r}]
    pathlib.Path({out!r}).write_text("".join(one.stdout + one.stderr for one in seen))
    assert 300 == prices.total(100, 3)
"""


def test_the_seal_is_there_before_a_test_and_the_log_is_not(bed: RunBed, tmp_path: Path) -> None:
    git = ["git", "-C", str(bed.repo.path)]
    commands = [[*git, "notes", "--ref=agentgate/seals", "list"], [PROGRAM, *git[1:], "logs", "HEAD"]]
    bed.propose({**FIX, TESTS: WATCHER.format(commands=commands, out=str(tmp_path / "out"))}).run("--sandbox", "none")
    seen = (tmp_path / "out").read_text()
    assert (True, True) == (bed.repo.tree() in seen, "E_LOGS_EARLY" in seen), seen
    assert 0 == agentgate(bed.repo, "logs").status


def test_a_policy_can_demand_a_sealed_run(repo: RepoBuilder, tmp_path: Path) -> None:
    bed = RunBed(repo, tmp_path, {**BASE, ".agentgate/policy.yaml": "version: 1\nsealed_run: required\n"}).propose()
    agentgate(repo, "capture", "HEAD")
    before = agentgate(repo, "verify", "HEAD", "--depth", "lookup")
    assert (4, True) == (before.status, "demands a sealed run" in before.stdout), before
    bed.run()
    assert 0 == agentgate(repo, "verify", "HEAD", "--depth", "lookup").status


def test_an_environment_is_made_once_for_its_lock_file(repo: RepoBuilder, tmp_path: Path) -> None:
    policy = """
version: 1
environment:
  setup:
    - echo made >>"$VIRTUAL_ENV/made"
    - ls >"$VIRTUAL_ENV/seen"
    - cp -r {modules} "$VIRTUAL_ENV"/lib/python*/site-packages
  locks: [deep/requirements.lock]
""".format(modules=" ".join(f"{Path(pytest.__file__).parent.parent}/{name}" for name in NEEDED))
    base = {**BASE, ".agentgate/policy.yaml": policy, "deep/requirements.lock": "one\n"}
    bed = RunBed(repo, tmp_path, base).propose()
    first = bed.run()
    assert "ALLOW\n" == first.stdout, first.stderr + agentgate(repo, "logs").stdout
    assert "ALLOW\n" == bed.run(jobs=(*JOBS[:3], "server-job-89")).stdout
    environments = repo.path / ".git" / "agentgate" / "environments"
    (made,) = environments.glob("*/made")
    assert ("made\n", "deep\n") == (made.read_text(), (made.parent / "seen").read_text())
    assert made.parent.name == dict(predicate(bed.lines("seals")[0])["pins"])["environment_sha256"]
