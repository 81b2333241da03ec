"""A runner that is killed at any step leaves nothing that counts, and the next call goes on from there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from testing.command_line import BIN
from testing.repo_builder import RepoBuilder
from testing.run_bed import BASE, JOBS, NO_PLUGINS, RunBed

KINDS = ("seals", "credits", "logs", "packets", "verdicts")
MARK = "AGENTGATE_TEST_MARK"
# The real command, in a process that dies at one moment: before or after the first line of a kind, in the tests, or
# having searched a symbol.
DYING = """
import os, signal, sys
from agentgate_git.cli.main import main
from agentgate_git.evidence.ledger import GitLedger
from agentgate_git.flows.sealed.kept_search import KeptSearch
from agentgate_git.runner.run_tests import Observer

when, kind = sys.argv.pop(1).split()
append = GitLedger.append


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def dying(self, of, entries):
    if (when, kind) == ("before", of):
        die()
    report = append(self, of, entries)
    if (when, kind) == ("after", of):
        die()
    return report


GitLedger.append = dying
if when == "within":
    Observer.collected = lambda self, count: die()
keep = KeptSearch.keep


def keeping(self, change, events):
    keep(self, change, events)
    print(change.name, flush=True)
    if when == "having":
        die()


KeptSearch.keep = keeping
sys.exit(main())
"""


@pytest.fixture
def bed(repo: RepoBuilder, tmp_path: Path) -> RunBed:
    policy = f"version: 1\n{NO_PLUGINS}    {MARK}: {tmp_path.name}\n"
    return RunBed(repo, tmp_path, {**BASE, ".agentgate/policy.yaml": policy}).propose()


def killed(bed: RunBed, moment: str, scratch: Path) -> str:
    """Run until the moment comes; the symbols that were searched."""
    environment = {**bed.repo.environment, "PATH": f"{BIN}:{bed.repo.environment['PATH']}", "TMPDIR": str(scratch)}
    argv = [sys.executable, "-c", DYING, moment, "run", "HEAD", *JOBS, "--key", str(bed.keys.path("ci"))]
    done = subprocess.run(argv, cwd=bed.repo.path, env=environment, capture_output=True, check=False)
    assert -9 == done.returncode, (moment, done)
    return done.stdout.decode()


def survivors(mark: str) -> list[str]:
    """Processes of the tests that are still there."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = Path("/proc", pid, "environ").read_bytes()
        except OSError:
            continue
        if f"{MARK}={mark}\0".encode() in environment:
            found.append(pid)
    return found


def test_the_next_call_goes_on_wherever_a_run_was_killed(bed: RunBed, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    moments = ["before seals", "after seals", "within tests", "having symbol", "before credits", "after credits"]
    moments += ["before logs", "after logs", "before packets"]
    for moment in moments:
        searched = killed(bed, moment, scratch)
        assert ("total\n" if moment == "having symbol" else "") == searched, "what was found once is not searched again"
        assert "ALLOW" not in bed.decide(), moment
        assert 1 >= len(list(scratch.glob("agentgate-sealed-*"))), "what an earlier run had laid out is gone"
    deadline = time.monotonic() + 20
    while survivors(tmp_path.name) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [] == survivors(tmp_path.name)
    for moment in ("after packets", "before verdicts"):
        killed(bed, moment, scratch)
        assert "ALLOW" == bed.decide(), "the packet is what makes a run whole"
    done = bed.run(TMPDIR=str(scratch))
    assert (0, "ALLOW\n") == (done.status, done.stdout), done.stderr
    assert (1, 1, 1) == tuple(len(bed.lines(kind)) for kind in ("seals", "packets", "verdicts"))
    assert [] == list(scratch.glob("agentgate-sealed-*"))
    assert [] == list((bed.repo.path / ".git").rglob("*.lock.*"))
    assert [] == list((bed.repo.path / ".git/agentgate/searches").iterdir()), "a whole run needs it no more"
