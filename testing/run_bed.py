"""A project with a runner: a base with a defect, a proposal that mends it, keys that the base enrols."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from testing.command_line import Done, agentgate
from testing.evidence_keys import Keys
from testing.repo_builder import RepoBuilder

PRICES = "src/prices.py"
TESTS = "tests/test_prices.py"
BASE = {
    PRICES: """
def total(cents, count):
    return cents + count


def label(cents):
    return f"{cents / 100:.2f}"
""",
    TESTS: """
import prices


def test_label():
    assert "12.50" == prices.label(1250)
""",
}
FIX = {
    PRICES: BASE[PRICES].replace("cents + count", "cents * count"),
    TESTS: BASE[TESTS] + "\n\ndef test_total():\n    assert 300 == prices.total(100, 3)\n",
}
# For a policy: none of the plugins that happen to be installed here, whose loading is a third of a sealed run.
NO_PLUGINS = """
capture:
  environment:
    PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1"
"""
# As runner, human and agent; `stranger` has a key that nobody enrolled.
ENROLLED = (("runner", "ci"), ("runner", "other"), ("human", "pat"), ("agent", "builder"))
JOBS = ("--author-job", "model-session-17", "--runner-job", "server-job-88")


class RunBed:
    """A repository on `topic`, and the keys beside it."""

    def __init__(self, repo: RepoBuilder, folder: Path, base: Mapping[str, str | None] | None = None) -> None:
        self.repo = repo
        self.keys = Keys(folder / "keys")
        signers = "".join(self.keys.enrolment(f"{role}:{name}", name) for role, name in ENROLLED)
        repo.commit({**(BASE if base is None else base), ".agentgate/allowed_signers": signers}, "first")
        repo.git("config", "agentgate.target", "main")
        repo.git("checkout", "-q", "-b", "topic")

    def propose(self, files: Mapping[str, str | bytes | None] | None = None) -> RunBed:
        """Commit a change; the one that mends the defect unless another is given."""
        self.repo.commit(FIX if files is None else files, "a change")
        return self

    def run(self, *args: str, key: str = "ci", jobs: tuple[str, ...] = JOBS, **env: str) -> Done:
        """`git agentgate run` of HEAD with a key of the bed."""
        return agentgate(self.repo, "run", "HEAD", *jobs, "--key", str(self.keys.path(key)), *args, **env)

    def decide(self) -> str:
        """What `decide` answers for HEAD."""
        return agentgate(self.repo, "decide", "HEAD").stdout.strip()

    def lines(self, kind: str) -> list[str]:
        """The lines that are kept under the tree of HEAD."""
        done = agentgate(self.repo, "ledger", "cat", kind, self.repo.tree())
        return done.stdout.splitlines()
