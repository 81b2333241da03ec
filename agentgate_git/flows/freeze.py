"""`freeze`: somebody who had no part in a patch or its run gives one failing test a dated leave."""

from __future__ import annotations

from agentgate_git.flows.sealed.sealed_runs import SealedRuns
from agentgate_git.flows.signers.signing import agent_here, signed_line
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.code import ALLOW, FREEZE_EXPIRED
from agentgate_git.model.commit import Proposal
from agentgate_git.model.evidence import FREEZES, Entry
from agentgate_git.model.failure import NoEvidence, UsageFailure
from agentgate_git.model.finding import some_of
from agentgate_git.model.instant import instant_of
from agentgate_git.model.paths import SIGNERS_PATH
from agentgate_git.model.record import Record
from agentgate_git.model.run_evidence import FiledFreeze, JudgedFreeze, SealedRun
from agentgate_git.model.run_record import SEALED, Freeze, RunRecord
from agentgate_git.policy.runs.merge_rule import RunFacts, decide_run
from agentgate_git.wire.run_statements import freeze_payload

_NAMED = 3


class WantedFreeze(Record):
    """Which test of a revision may fail, until when (RFC 3339 with a zone), and who says so.

    `credit_id` may be empty where the tree has one run. `now` is RFC 3339 with `Z`.
    """

    rev: str
    test: str
    until: str
    job: str
    now: str
    base: str = ""
    credit_id: str = ""
    reason: str = ""


def file_freeze(workspace: Workspace, wanted: WantedFreeze, key: str) -> JudgedFreeze:
    """Sign a freeze and store it; UsageFailure when it would count for nothing, NoEvidence where there is no run.

    `key` is a file, empty for the key that commits are signed with.
    """
    if agent := agent_here(workspace):
        step = "have a reviewer file it in a shell of their own"
        raise UsageFailure(f"an agent's environment is here ({agent}), and an author may not file a freeze", step)
    if instant_of(wanted.until) is None:
        raise UsageFailure(f"{wanted.until!r} is no time with a zone", "write it like 2027-01-31T18:00:00Z")
    proposal = workspace.proposals.of_revision(wanted.rev, wanted.base)
    known = SealedRuns(workspace, proposal, wanted.now)
    run = _run(known, wanted.credit_id)
    filed = _filed(proposal, run, wanted)
    _require_failed(known, run, wanted.test)
    line = signed_line(workspace, freeze_payload(filed), key)
    judged = known.judge(line)
    if judged.problem:
        step = (
            f"have it signed by somebody else whom {SIGNERS_PATH} of the base branch enrols, or name a key with --key"
        )
        raise UsageFailure(f"this freeze would count for nothing: it {judged.problem}", step)
    workspace.ledger().append(FREEZES, [Entry(filed.tree, line.text)])
    return judged


def list_freezes(workspace: Workspace, rev: str, base: str, now: str) -> tuple[JudgedFreeze, ...]:
    """Every line that is kept about the tree of a revision, with what it counts for."""
    proposal = workspace.proposals.of_revision(rev, base)
    return tuple(SealedRuns(workspace, proposal, now).judged())


def _run(known: SealedRuns, credit_id: str) -> SealedRun:
    """The one run that is meant."""
    if not known.runs:
        step = "run `git agentgate sync`, or have a runner seal and run this commit"
        raise NoEvidence("no sealed run with credit is kept for this tree", step)
    runs = [run for run in known.runs if credit_id in ("", run.credit.credit.credit_id)]
    if len(runs) != 1:
        names = ", ".join(sorted(run.credit.credit.credit_id for run in known.runs))
        what = f"no {credit_id!r} is among the" if not runs else f"there are {len(runs)}"
        raise UsageFailure(f"{what} sealed runs that are kept for this tree: {names}", "name one with --credit")
    return runs[0]


def _require_failed(known: SealedRuns, run: SealedRun, test: str) -> None:
    """UsageFailure for a test that no packet of the run says failed: a leave for it would be read by nobody."""
    packets = [packet for packet, _ in known.packets() if packet.seal_sha256 == run.seal.sha256]
    failed = sorted({test for packet in packets for test in packet.failed})
    if not packets or test in failed or not all(packet.names_all_failed() for packet in packets):
        return
    told = f"these did: {some_of(failed, _NAMED)}" if failed else "no test did"
    step = "name one that did, by its node id" if failed else "nothing is to be filed for this run"
    raise UsageFailure(f"{test!r} did not fail in this run; {told}", step)


def _filed(proposal: Proposal, run: SealedRun, wanted: WantedFreeze) -> FiledFreeze:
    """What is to be signed; UsageFailure where the merge rule would refuse it."""
    now = instant_of(wanted.now)
    freeze = Freeze(
        author_job=wanted.job,
        runner_job=run.seal.seal.runner_job,
        runner_digest=run.seal.sha256,
        credit_id=run.credit.credit.credit_id,
        test_id=wanted.test,
        expires_at=wanted.until,
    )
    record = RunRecord(
        author_job=run.seal.seal.author_job,
        runner_job=run.seal.seal.runner_job,
        digest_status=SEALED,
        logs_present=False,
        failed_tests=(wanted.test,),
    )
    decision = decide_run(RunFacts(record, run.credit.credit, freeze, now or 0))
    if decision.code != ALLOW:
        message = f"this freeze would count for nothing: {decision.code}, {decision.reason}"
        step = "name a time to come with --until" if decision.code == FREEZE_EXPIRED else decision.next_step()
        raise UsageFailure(message, step)
    tip = proposal.tip
    return FiledFreeze(tip.tree, proposal.base_tree, tip.oid, freeze, wanted.reason, wanted.now)
