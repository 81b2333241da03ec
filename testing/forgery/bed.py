"""Runs a patch as a runner does, and asks all who answer about it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agentgate_git.flows.decide_notes import decide_revision
from agentgate_git.flows.run import RunRequest, run_sealed
from agentgate_git.flows.verify import LOOKUP, VerifyRequest, verify
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.record import Record
from agentgate_git.model.run_result import SealedRunResult
from testing.command_line import BIN
from testing.evidence_keys import Keys
from testing.forgery.projects import PROJECTS, Files
from testing.repo_builder import RepoBuilder
from testing.run_bed import ENROLLED, NO_PLUGINS

POLICY = f"version: 1\nsealed_run: required\n{NO_PLUGINS}"
RUNNER_JOB = "server-job-88"
# An enrolment that has ended.
RETIRED = 'namespaces="agentgate",valid-before="20200101000000Z"'


class Answers(Record):
    """What each of the three says: a code, or `refused` where a run is not made at all, `-` where it was not asked."""

    run: str
    decide: str
    verify: str


class Bed:
    """One project in a repository with its base on `main`; every patch has a branch of its own."""

    def __init__(self, project: str, folder: Path) -> None:
        self.repo = RepoBuilder.create(folder / project, folder / "home")
        self.keys = Keys(folder / "keys")
        signers = "".join(self.keys.enrolment(f"{role}:{name}", name) for role, name in ENROLLED)
        signers += self.keys.enrolment("runner:retired", "retired", RETIRED)
        agentgate = {".agentgate/allowed_signers": signers, ".agentgate/policy.yaml": POLICY}
        self.repo.commit({**PROJECTS[project], **agentgate}, "first")
        self.repo.git("config", "agentgate.target", "main")
        self._count = 0
        self.job = ""
        self.said = ""

    def propose(self, files: Files) -> None:
        """Commit a patch of the base."""
        self._count += 1
        self.job = f"author-{self._count}"
        self.repo.git("checkout", "-q", "-f", "-B", f"topic-{self._count}", "main")
        self.repo.git("clean", "-q", "-f", "-d", "-x")
        self._link(files)
        self.repo.commit({path: data for path, data in files.items() if not _is_link(data)}, "a change")

    def _link(self, files: Files) -> None:
        for path, data in files.items():
            if isinstance(data, str) and _is_link(data):
                target = self.repo.path / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(data.removeprefix(LINK))

    @contextmanager
    def workspace(self, environ: Mapping[str, str] | None = None) -> Iterator[Workspace]:
        """As the command opens it."""
        surroundings = {**self.repo.environment, "PATH": f"{BIN}:{self.repo.environment['PATH']}", **(environ or {})}
        with Workspace(str(self.repo.path), surroundings, is_clean=True) as workspace:
            yield workspace

    def run(self, key: str = "ci", **wanted: Any) -> str:
        """The code of a sealed run of HEAD."""
        request = RunRequest("HEAD", self.job, RUNNER_JOB, now, key=str(self.keys.path(key)))
        try:
            with self.workspace() as workspace:
                result = run_sealed(workspace, request._replace(**wanted))
        except (UsageFailure, Undecided) as failure:
            self.said = str(failure)
            return "refused"
        self.said = _told(result)
        return result.decision.code

    def decide(self) -> str:
        """The code that the notes give for HEAD."""
        with self.workspace() as workspace:
            return decide_revision(workspace, "HEAD", "", now()).code

    def verify(self) -> str:
        """The code of the gate for HEAD; what is kept is believed as far as it can be, since nothing is run again."""
        with self.workspace() as workspace:
            return verify(workspace, VerifyRequest(depth=LOOKUP, now=now()), "HEAD").decision

    def answers(self, run: str) -> Answers:
        """What all say once `run` said this."""
        return Answers(run, self.decide(), self.verify())


LINK = "link to "


def _is_link(data: object) -> bool:
    return isinstance(data, str) and data.startswith(LINK)


def _told(result: SealedRunResult) -> str:
    symbols = [
        f"{one.name}: {one.state}; {[tuple(each) for each in one.mutants]}; {one.untried}" for one in result.symbols
    ]
    packet = result.packet
    return "\n".join((result.decision.reason, *result.notes, *symbols, str(packet and (packet.codes, packet.outcomes))))


def now() -> str:
    """RFC 3339, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
