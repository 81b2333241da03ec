"""Deriving a packet's fields again from the tree: collect always, run only when the ids still agree."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from agentgate_git.flows.packets.capture_request import TOOL
from agentgate_git.flows.packets.runs import RanTests, RunPlan, isolation_of, run_in_scratch
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.commit import Proposal
from agentgate_git.model.finding import Finding
from agentgate_git.model.packet import PASSED, Packet, RunReport
from agentgate_git.model.paths import MANIFEST_PATH
from agentgate_git.model.record import Record
from agentgate_git.runner.conclude import RunFacts, conclude
from agentgate_git.runner.conclude import judge as judge_run


class Rederived(Record):
    """What the tree gives now: `ids` after collection; `findings` say why it is no pass, as far as it was run."""

    packet: Packet
    ids: tuple[str, ...]
    has_run: bool
    findings: tuple[Finding, ...]


def rederive(workspace: Workspace, proposal: Proposal, plan: RunPlan, wants_run: Callable[[Packet], bool]) -> Rederived:
    """Lay the tip's tree out and collect; go on to run the tests when `wants_run` says so of what was collected."""
    facts = _facts(workspace, proposal, plan)
    stopped: list[RunReport] = []

    def decide(report: RunReport) -> bool:
        is_wanted = wants_run(conclude(report, facts))
        if not is_wanted:
            stopped.append(report)
        return is_wanted

    ran: RanTests = run_in_scratch(workspace.room, proposal.tip.tree, plan, decide=decide)
    if stopped:
        findings = judge_run(_as_if_all_passed(ran.report))
        return Rederived(conclude(stopped[0], facts), stopped[0].selected, False, findings)
    packet = conclude(ran.report, facts._replace(foreign_imports=ran.foreign))
    return Rederived(packet, ran.report.selected, True, judge_run(ran.report, ran.foreign))


def _as_if_all_passed(report: RunReport) -> RunReport:
    """The best end that a run can come to; what stands against it is the collection's own."""
    outcomes = tuple((test, PASSED) for test in report.selected)
    return report._replace(
        outcomes=outcomes, session_status=0, main_status=0, exit_status=0, is_finished=True, problems=()
    )


def _facts(workspace: Workspace, proposal: Proposal, plan: RunPlan) -> RunFacts:
    manifest = workspace.objects.find(f"{proposal.tip.tree}:{MANIFEST_PATH}")
    return RunFacts(
        tree=proposal.tip.tree,
        base_tree=proposal.base_tree,
        commit=proposal.tip.oid,
        author_job="",
        argv=plan.args,
        isolation=isolation_of(plan),
        nonce=plan.nonce,
        tool=TOOL,
        manifest_sha256=sha256(manifest.data).hexdigest() if manifest else "",
    )
