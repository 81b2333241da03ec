"""`demo`: a story in a scratch repository. Every answer in it is given by the flows, none is written down here."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping

from agentgate_git.flows.capture import Subject, capture_revision
from agentgate_git.flows.check import check_revision
from agentgate_git.flows.packets.capture_request import TOOL, plan_of
from agentgate_git.flows.shipped import example_directory
from agentgate_git.flows.verify import VerifyRequest, verify
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model import code
from agentgate_git.model.demo import DemoStep
from agentgate_git.model.evidence import PACKETS
from agentgate_git.model.failure import Undecided
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH, POLICY_PATH
from agentgate_git.repo.process import Git, scrubbed
from agentgate_git.repo.refs import resolve_commit, resolve_tree

_HUMAN = ("Robin Example", "robin@example.org")
_AGENT = ("Coding Agent", "agent@example.org")  # the example's policy lists the address
_CODE = "invoicing/totals.py"
_PROPERTY = "tests/properties/test_invoice_total.py"
_TESTS = "tests/test_totals.py"

_VAT = """    by_rate = {}
    for line in lines:
        by_rate[line.vat_percent] = by_rate.get(line.vat_percent, 0) + line.quantity * line.unit_cents
    return sum((cents * rate + 50) // 100 for rate, cents in by_rate.items())
"""
_SHORT_BUT_WRONG = """    return sum(round(line.quantity * line.unit_cents * line.vat_percent / 100) for line in lines)
"""
_SHORT_AND_RIGHT = """    rates = {line.vat_percent for line in lines}
    return sum((rate * net(line for line in lines if line.vat_percent == rate) + 50) // 100 for rate in rates)
"""
_DISCOUNT = '''

def discounted(lines, percent):
    """What the customer pays after a discount, rounded once, half up."""
    return (total(lines) * (100 - percent) + 50) // 100
'''
_DISCOUNT_TEST = """

def test_a_discount_is_rounded_once():
    assert 1071 == discounted([Line(1, 1000, 19)], 10)
"""
_IMPORT = "import pytest\n"
_SKIP = '@pytest.mark.skip(reason="flaky")\n'
_IGNORED = shutil.ignore_patterns("__pycache__", ".pytest_cache")


def demo(directory: str, environ: Mapping[str, str], python: str) -> Iterator[DemoStep]:
    """Build the repository in `directory`, which exists and is empty, and tell the story step by step.

    `python` runs the tests, and has pytest.
    """
    return _Story(directory, environ, python).steps()


class _Story:
    def __init__(self, directory: str, environ: Mapping[str, str], python: str) -> None:
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        self._environ = {**scrubbed(environ), **alone}
        self._directory = directory
        self._python = python
        self._git = Git.in_repository(directory, self._environ)

    def steps(self) -> Iterator[DemoStep]:
        """The whole story."""
        self._begin()
        yield self._capture("Robin runs the tests of the project once and keeps the evidence.", code.ALLOW)
        yield self._verify("A reviewer derives it again from the commit.", code.ALLOW)
        self._git.run("checkout", "-q", "-b", "shorter-vat")
        yield from self._cheats()
        yield from self._work()

    def _begin(self) -> None:
        """The gate in a first commit, the project in a second, so that the second one is judged by the first."""
        self._git.run("init", "-q", "-b", "main")
        self._git.run("config", "agentgate.target", "main")
        shutil.copytree(example_directory(), self._directory, dirs_exist_ok=True, ignore=_IGNORED)
        self._commit(_HUMAN, "Set up the gate", (POLICY_PATH, MANIFEST_PATH, BASELINE_PATH))
        self._commit(_HUMAN, "Add totals of invoices")

    def _cheats(self) -> Iterator[DemoStep]:
        """Three ways to green that leave the defect where it is."""
        self._edit(_CODE, lambda text: text.replace(_VAT, _SHORT_BUT_WRONG))
        self._commit(_AGENT, "Shorten vat()")
        yield self._capture("An agent shortens vat() and now rounds every line by itself.", code.TESTS_FAILED)

        self._edit(_TESTS, lambda text: text.replace("def test_vat_", f"{_SKIP}def test_vat_"))
        self._edit(_PROPERTY, lambda text: _IMPORT + text.replace("def test_total_", f"{_SKIP}def test_total_"))
        self._commit(_AGENT, "Skip flaky tests")
        yield self._check("It skips the tests that fail.", code.SKIP_MARKER)

        self._git.run("reset", "-q", "--hard", "HEAD~1")
        os.unlink(os.path.join(self._directory, BASELINE_PATH))
        self._commit(_AGENT, "Remove an outdated file")
        yield self._check("It deletes the baseline that the pins are compared with.", code.GUARDED_PATH)

    def _work(self) -> Iterator[DemoStep]:
        """The honest way, with evidence that goes out of date once."""
        self._git.run("reset", "-q", "--hard", "main")
        self._edit(_CODE, lambda text: text.replace(_VAT, _SHORT_AND_RIGHT))
        self._commit(_AGENT, "Shorten vat()")
        yield self._capture("It starts again, shortens vat() without changing what it gives, and captures.", code.ALLOW)
        old_packet = self._packet("HEAD")

        self._edit(_CODE, lambda text: text + _DISCOUNT)
        self._commit(_AGENT, "Add a discount")
        yield self._verify("It adds a discount afterwards and relies on the evidence it has.", code.STALE)
        story = "It hands that evidence over as a file."
        yield self._verify(story, code.STALE, packet=old_packet)

        self._edit(_TESTS, lambda text: text.replace("import Line,", "import Line, discounted,") + _DISCOUNT_TEST)
        self._commit(_AGENT, "Test the discount")
        yield self._capture("It writes a test for the discount and captures again.", code.ALLOW)
        yield self._verify("The reviewer derives that from the commit.", code.ALLOW)

    def _edit(self, path: str, change: Callable[[str], str]) -> None:
        place = os.path.join(self._directory, path)
        with open(place, encoding="utf-8") as file:
            before = file.read()
        after = change(before)
        if after == before:
            raise Undecided(f"the example's {path} is not the one of this version", "install agentgate-git again")
        with open(place, "w", encoding="utf-8") as file:
            file.write(after)

    def _commit(self, who: tuple[str, str], message: str, paths: tuple[str, ...] = (".",)) -> None:
        name, email = who
        extra = {
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": email,
            "GIT_COMMITTER_NAME": name,
            "GIT_COMMITTER_EMAIL": email,
        }
        self._git.run("add", "-A", "--", *paths)
        self._git.run("commit", "-q", "-m", message, extra=extra)

    def _capture(self, story: str, told: str) -> DemoStep:
        with Workspace(self._directory, self._environ, is_clean=False) as workspace:
            proposal = workspace.proposals.of_revision("HEAD")
            tip = proposal.tip
            plan = plan_of(
                workspace, workspace.policy_of(proposal.base), self._python, proposal.tip.tree, may_use_work_tree=False
            )
            subject = Subject(tip.oid, tip.tree, proposal.base_tree, "demo", TOOL)
            plan = plan._replace(log=os.devnull)
            result = capture_revision(workspace.clone, workspace.ledger(), subject, plan)
        first = result.findings[0] if result.findings else None
        counts = ", ".join(f"{count} {outcome}" for outcome, count in result.packet.outcomes)
        return DemoStep(
            story,
            "git agentgate capture HEAD",
            first.code if first else code.ALLOW,
            "",
            first.message if first else f"{counts}; the packet is kept under tree {result.packet.tree[:12]}",
            result.exit_status,
            told,
        )

    def _check(self, story: str, told: str) -> DemoStep:
        with Workspace(self._directory, self._environ, is_clean=True) as workspace:
            result = check_revision(workspace, "HEAD", "")
        first = next((finding for finding in result.findings if finding.is_blocking()), None)
        return DemoStep(
            story,
            "git agentgate check HEAD",
            first.code if first else code.ALLOW,
            "",
            f"{first.path}: {first.message}" if first else "",
            result.exit_status,
            told,
        )

    def _verify(self, story: str, told: str, packet: bytes | None = None) -> DemoStep:
        request = VerifyRequest(python=self._python, packet_file=packet)
        with Workspace(self._directory, self._environ, is_clean=True) as workspace:
            result = verify(workspace, request, "HEAD")
        drift = f" (drifted: {', '.join(result.drifted)})" if result.drifted else ""
        return DemoStep(
            story,
            "git agentgate verify HEAD" + (" --packet packet.json" if packet else ""),
            result.decision,
            result.verdict,
            result.message + drift,
            result.exit_status,
            told,
        )

    def _packet(self, rev: str) -> bytes:
        """The evidence of a commit as a file would hold it."""
        with Workspace(self._directory, self._environ, is_clean=False) as workspace:
            tree = resolve_tree(workspace.clone, resolve_commit(workspace.clone, rev))
            note = workspace.ledger().read(PACKETS, (tree,))[tree]
        return b"".join(line.text + b"\n" for line in note.lines)
