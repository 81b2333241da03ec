"""Catalogue entries as real repositories: the base's and the head's tests run, compared and replayed.

pytest runs them all: plain tests, unittest's cases, and doctests with `--doctest-modules`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from agentgate_git.flows.packets.against_base import Compared, HeadRun, Wanted, compare_with_base
from agentgate_git.flows.packets.replay import Runs
from agentgate_git.flows.packets.runs import RunPlan, run_in_scratch
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.code import BASE_TESTS_FAIL, TEST_SILENCED
from agentgate_git.model.commit import Proposal
from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import SCRATCH, Packet, RunReport
from agentgate_git.model.record import Record
from agentgate_git.runner.conclude import RunFacts, conclude
from testing.catalogue import ROOT, Case, Entry, Tree, load
from testing.repo_builder import RepoBuilder, quoted
from testing.warm_python import warm_python

# By framework, what it takes beside the recorder; nothing else is loaded, so that a start takes little.
_RERUNS = ("-p", "pytest_rerunfailures")
LAYERS = ("run", "outcomes", "replay")
EXECUTED = ROOT / "tests" / "catalogue" / "executed.yaml"
_AT_ONCE = 2
_TIME_LIMIT = 300  # seconds
# These start other programs: what they run is no matter of a pytest recorder.
_NOT_PYTEST = frozenset(("nox", "tox", "coverage.py"))
_PLUGINS = {
    "hypothesis": ("-p", "_hypothesis_pytestplugin"),
    "doctest": ("--doctest-modules",),
}


class Outcome(Record):
    """What the runs say of one change: `packet` of its own tests, and how they compare with the base's.

    There is no packet where its own tests could not be started: that is undecided, and no pass.
    """

    packet: Packet | None
    compared: Compared = Compared()

    def layers(self) -> tuple[str, ...]:
        """Those of LAYERS that keep the change from getting through."""
        codes = {finding.code for finding in self.compared.findings if finding.is_blocking()}
        is_pass = self.packet is not None and self.packet.is_pass()
        has_spoken = (not is_pass, TEST_SILENCED in codes, BASE_TESTS_FAIL in codes)
        return tuple(layer for layer, speaks in zip(LAYERS, has_spoken, strict=True) if speaks)


class Ran(Record):
    """Which layers speak against the head of an entry, and which against its near miss."""

    entry: Entry
    head: tuple[str, ...]
    near: tuple[str, ...]


def executed_cases() -> tuple[Case, ...]:
    """The executed Python entries that pytest can run, those with the same base next to each other."""
    cases = (case for case in load() if case.entry.is_executed and case.entry.language == "python")
    return tuple(
        sorted((case for case in cases if case.entry.framework not in _NOT_PYTEST), key=lambda case: str(case.base))
    )


def run_all(cases: Iterable[Case], directory: Path) -> tuple[Ran, ...]:
    """Run them, two at a time: most of the time is spent waiting for a process."""
    benches: SimpleQueue[Bench] = SimpleQueue()

    def run(case: Case) -> Ran:
        bench = benches.get()
        try:
            head, near = (bench.judge(case.entry, case.base, tree) for tree in (case.head, case.near))
            return Ran(case.entry, head.layers(), near.layers())
        finally:
            benches.put(bench)

    with warm_python(directory / "warm") as python, ThreadPoolExecutor(_AT_ONCE) as pool:
        for number in range(_AT_ONCE):
            benches.put(Bench(directory / f"bench{number}", python))
        return tuple(pool.map(run, cases))


class Bench:
    """One repository for many cases; runs of a base that several cases share are made once."""

    def __init__(self, directory: Path, python: str = sys.executable) -> None:
        self._python = python
        self._repo = RepoBuilder.create(directory / "repo", directory / "home")
        self._log = str(directory / "log")
        self._temporary = directory / "tmp"  # many sessions of one user meet in pytest's own folder
        self._temporary.mkdir()
        self._has_commits = False
        self._of_base: dict[tuple[Oid, tuple[str, ...]], RunReport] = {}

    def judge(self, entry: Entry, base: Tree, head: Tree) -> Outcome:
        """Commit both trees, and run what `capture` and `verify --replay-base` would run."""
        args = _arguments(entry, (base, head))
        before, after = (self._commit(tree) for tree in (base, head))
        with Workspace(str(self._repo.path), self._repo.environment, is_clean=True) as workspace:
            proposal = workspace.proposals.of_revision(after, before)
            runs = _SharedRuns(workspace, self._plan(args), self._of_base)
            base_packet = self._packet(runs.of_base(proposal.base_tree), proposal, args)
            try:
                report = run_in_scratch(workspace.room, proposal.tip.tree, self._plan(args)).report
            except Undecided:
                return Outcome(None)
            packet = self._packet(report, proposal, args)
            wanted = Wanted(replays=True, may_run=True, is_by_agent=True)
            compared = compare_with_base(workspace, proposal, HeadRun(packet, True), (base_packet,), wanted, runs)
        return Outcome(packet, compared)

    def _commit(self, tree: Tree) -> Oid:
        """A commit of exactly these files, on top of what was there."""
        rows = [b"commit refs/heads/main\ncommitter A <a@example.org> 1767225600 +0000\ndata 4\ncase\n"]
        if self._has_commits:
            rows.append(b"from refs/heads/main^0\n")
        rows.append(b"deleteall\n")
        for path, data in tree.items():
            rows.append(b"M 100644 inline %s\ndata %d\n%s\n" % (quoted(path), len(data), data))
        self._repo.git("fast-import", "--quiet", stdin=b"".join(rows))
        self._has_commits = True
        return self._repo.git("rev-parse", "main")

    def _plan(self, args: tuple[str, ...]) -> RunPlan:
        environ = {
            **self._repo.environment,
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "TMPDIR": str(self._temporary),
        }
        return RunPlan(self._python, args, environ, (), (), _TIME_LIMIT, os.urandom(8).hex(), time.time, self._log)

    def _packet(self, report: RunReport, proposal: Proposal, args: tuple[str, ...]) -> Packet:
        facts = RunFacts(proposal.tip.tree, proposal.base_tree, proposal.tip.oid, "", args, SCRATCH, "", "testing")
        return conclude(report, facts)


def _arguments(entry: Entry, trees: Iterable[Tree]) -> tuple[str, ...]:
    uses_reruns = any(b"reruns" in data for tree in trees for data in tree.values())
    return (*_PLUGINS.get(entry.framework, ()), *(_RERUNS if uses_reruns else ()))


class _SharedRuns(Runs):
    def __init__(self, workspace: Workspace, plan: RunPlan, kept: dict[tuple[Oid, tuple[str, ...]], RunReport]) -> None:
        super().__init__(workspace, lambda: plan)
        self._args = plan.args
        self._kept = kept

    def of_base(self, tree: Oid) -> RunReport:
        if (tree, self._args) not in self._kept:
            self._kept[tree, self._args] = super().of_base(tree)
        return self._kept[tree, self._args]
