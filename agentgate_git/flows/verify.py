"""`verify`: gate findings, evidence, the cheap fields derived again, and the tests run again where that is due."""

from __future__ import annotations

import os
from collections.abc import Iterable

from agentgate_git.flows.change_sets.adoptions import adoptions_of
from agentgate_git.flows.check import judge
from agentgate_git.flows.decide_notes import decide_proposal
from agentgate_git.flows.packets.against_base import Compared, HeadRun, Wanted, compare_with_base
from agentgate_git.flows.packets.capture_request import plan_of
from agentgate_git.flows.packets.compare_packets import Comparison, compare_derived, compare_unrun
from agentgate_git.flows.packets.replay import Runs
from agentgate_git.flows.packets.runs import RunPlan
from agentgate_git.flows.packets.stored import Lookup, StoredPacket, nearest, packets_in_file, packets_of
from agentgate_git.flows.sealed.change_class import class_of
from agentgate_git.flows.sealed.sealed_plan import Surroundings, sealed_plan
from agentgate_git.flows.signers.signatures import Signers
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model import code
from agentgate_git.model.actor import AGENT, REPORT
from agentgate_git.model.code import CODES
from agentgate_git.model.commit import Commit, Proposal
from agentgate_git.model.evidence import PACKETS, ref_of
from agentgate_git.model.exit_status import (
    EXIT_ALLOW,
    EXIT_NO_EVIDENCE,
    EXIT_REJECTED,
    EXIT_STALE,
    EXIT_UNDECIDED,
    EXIT_USAGE,
)
from agentgate_git.model.failure import Failure, Undecided
from agentgate_git.model.finding import WARN, Finding
from agentgate_git.model.packet import Packet
from agentgate_git.model.policy import Policy
from agentgate_git.model.record import Record
from agentgate_git.model.run_record import DOCS_ONLY, RunDecision
from agentgate_git.model.verdict import RUNG_NONE, RUNG_TREE, CheckResult, EvidenceRef, VerifyResult
from agentgate_git.policy.authors.authorship import strongest
from agentgate_git.policy.decide import Facts, decide
from agentgate_git.policy.runs.sampling import Changed, ChangeFacts, Sampling, sample
from agentgate_git.repo.commits import first_parents, read_commit
from agentgate_git.repo.diff import tree_changes
from agentgate_git.repo.refs import resolve_commit, work_tree
from agentgate_git.runner.run_tests import Observer
from agentgate_git.source.roles import role_of

LOOKUP = "lookup"
COLLECT = "collect"
RERUN = "rerun"
POLICY = "policy"
DEPTHS = (LOOKUP, COLLECT, RERUN, POLICY)

# How far back the nearest packet is looked for where no target says where the proposal begins.
_LOOK_BACK = 50
# What is to be captured; only HEAD is what the work tree holds.
_CAPTURE = {
    code.NO_EVIDENCE: "run `git agentgate capture{rev}`, or sync and retry",
    code.STALE: "run `git agentgate capture{rev}` for this tree",
}
_OTHER_ARGUMENTS = (
    "run `git agentgate capture` without arguments behind `--`; those that every run needs are `pytest_args` of the "
    "policy's `capture`"
)
# The exit status of several answers is the first of these that any of them has.
_SEVEREST = (EXIT_REJECTED, EXIT_UNDECIDED, EXIT_USAGE, EXIT_STALE, EXIT_NO_EVIDENCE)


class VerifyRequest(Record):
    """How to verify: `depth` is one of DEPTHS; `packet_file` holds envelope lines, None for the notes.

    `now` is RFC 3339 with `Z`. `log` is the file that the output of the tests goes to. `runs_base` runs the base's
    tests to compare outcomes with, `replays_base` runs them on the head's code
    (docs/adr/0015-base-tests-on-new-code.md). `observer` is told how far each run is.
    """

    base: str = ""
    depth: str = POLICY
    python: str = ""
    packet_file: bytes | None = None
    now: str = ""
    log: str = os.devnull
    runs_base: bool = False
    replays_base: bool = False
    observer: Observer | None = None


def exit_status_of(answers: Iterable[VerifyResult | Failure]) -> int:
    """One status for several answers, and for what kept others from being given: the severest."""
    statuses = {one.exit_status for one in answers}
    return next((status for status in _SEVEREST if status in statuses), EXIT_ALLOW)


def verify(workspace: Workspace, request: VerifyRequest, rev: str) -> VerifyResult:
    """The answer for one revision; UsageFailure for one that does not exist."""
    try:
        proposal = workspace.proposals.of_revision(rev, request.base)
    except Undecided as failure:
        tip = read_commit(workspace.objects, resolve_commit(workspace.clone, rev))
        return _undecided(rev, tip, code.BASE_MISSING, failure)
    try:
        return _Verification(workspace, request, rev, proposal).result()
    except Undecided as failure:
        return _undecided(rev, proposal.tip, code.UNDECIDED, failure)


class _Verification:
    def __init__(self, workspace: Workspace, request: VerifyRequest, rev: str, proposal: Proposal) -> None:
        self._workspace = workspace
        self._request = request
        self._rev = rev
        self._proposal = proposal
        self._policy = workspace.policy_of(proposal.base)
        self._evidence = workspace.evidence()

    def result(self) -> VerifyResult:
        """Look, compare, decide."""
        checked = judge(self._workspace, self._proposal)
        gate_codes = tuple(finding.code for finding in checked.findings if finding.is_blocking())
        lookup = self._lookup()
        passing = tuple(stored for stored in lookup.packets if stored.packet.is_pass())
        others = () if lookup.packets else self._nearest()
        sampled = self._sample(checked)
        compared = self._compare(passing or others) if (passing or others) and not gate_codes else None
        sealed_run = self._sealed_run()
        facts = _facts(gate_codes, lookup, passing, others, compared)
        facts = facts._replace(run_code=sealed_run.code if self._policy.requires_run else code.ALLOW)
        with_base = self._with_base(compared, checked) if decide(facts).code == code.ALLOW and compared else Compared()
        facts = facts._replace(base_codes=tuple(one.code for one in with_base.findings if one.is_blocking()))
        decision = decide(facts)
        used = (compared.chosen,) if compared else passing or lookup.packets or others
        return VerifyResult(
            rev=self._rev,
            commit=self._proposal.tip.oid,
            tree=self._proposal.tip.tree,
            base=self._proposal.base,
            base_tree=self._proposal.base_tree,
            decision=decision.code,
            verdict=decision.verdict,
            message=self._message(facts, lookup, compared, sealed_run),
            next_step=self._next_step(decision.code, (*checked.findings, *with_base.findings), facts, sealed_run),
            exit_status=decision.exit_status,
            drifted=facts.drifted,
            drift_detail=compared.drift if compared else (),
            test_drift=compared.tests if compared else (),
            rung=RUNG_TREE if lookup.packets else RUNG_NONE,
            evidence=(*(self._reference(stored) for stored in used[:1]), *checked.evidence, *with_base.evidence),
            findings=(*checked.findings, *lookup.findings, *_run_findings(compared), *with_base.findings),
            authorship=checked.commits,
            has_rerun=facts.has_rerun,
            policy_note=f"{_policy_note(self._policy, self._proposal)}; sampling: {sampled.sample} ({sampled.reason})",
            with_base=with_base.with_base,
            sealed_run=sealed_run.code if sealed_run.code != code.NO_EVIDENCE or self._policy.requires_run else "",
        )

    def _sealed_run(self) -> RunDecision:
        """What the merge rule says of the sealed runs that are kept; prose claims nothing that needs one."""
        if self._policy.requires_run and class_of(self._workspace, self._proposal) == DOCS_ONLY:
            return RunDecision(code.ALLOW)
        return decide_proposal(self._workspace, self._proposal, self._request.now)

    def _lookup(self) -> Lookup:
        """The packets of the tree, first those of runs that were made as the policy has it."""
        tree, args = self._proposal.tip.tree, self._policy.pytest_args
        if self._request.packet_file is None:
            lookup = packets_of(self._evidence.read(PACKETS, (tree,)).get(tree))
        else:
            lookup = packets_in_file(self._request.packet_file)
        packets = (stored for stored in lookup.packets if stored.key == tree)
        return lookup._replace(packets=tuple(sorted(packets, key=lambda stored: stored.has_other_arguments(args))))

    def _nearest(self) -> tuple[StoredPacket, ...]:
        """Packets of an earlier commit of the proposal, or those in the file that speak of another tree."""
        if self._request.packet_file is not None:
            return packets_in_file(self._request.packet_file).packets
        return nearest(self._evidence, self._earlier(), self._proposal.tip.tree)

    def _earlier(self) -> tuple[Commit, ...]:
        """The proposal's commits, newest first; where no target bounds it, first parents as far as is sensible."""
        proposal = self._proposal
        if proposal.target or not proposal.base:
            return proposal.commits[::-1]
        return first_parents(self._workspace.room, self._workspace.objects, proposal.tip.oid, _LOOK_BACK)

    def _sample(self, checked: CheckResult) -> Sampling:
        rows = tree_changes(self._workspace.room, self._proposal.base_tree, self._proposal.tip.tree)
        changes = (Changed(row.path, role_of(row.path)) for row in rows)
        return sample(changes, ChangeFacts(strongest(checked.commits), len(self._proposal.commits)))

    def _compare(self, stored: tuple[StoredPacket, ...]) -> Comparison:
        """Derive again as far as asked. Nobody vouches for an unsigned packet, so sampling spares it nothing
        (docs/adr/0003). A packet of a sealed run is derived as that was made; one that holds is enough."""
        depth = self._request.depth
        if depth == LOOKUP:
            return compare_unrun(stored, self._proposal.tip.tree, self._policy.pytest_args)
        sealed = tuple(one for one in stored if one.packet.seal_sha256)
        others = tuple(one for one in stored if not one.packet.seal_sha256)
        plans = [(kind, plan) for kind, plan in ((sealed, self._sealed_plan), (others, self._plan)) if kind]
        first, *rest = plans
        compared = self._compared(first[0], first[1]())
        for kind, plan in rest if not compared.is_good() else ():
            again = self._compared(kind, plan())
            compared = again if again.is_good() else compared
        return compared

    def _compared(self, stored: tuple[StoredPacket, ...], plan: RunPlan) -> Comparison:
        may_run = self._request.depth != COLLECT
        return compare_derived(self._workspace, self._proposal, plan, stored, may_run=may_run)

    def _plan(self) -> RunPlan:
        tree = self._proposal.tip.tree
        plan = plan_of(self._workspace, self._policy, self._request.python, tree, may_use_work_tree=False)
        return plan._replace(log=self._request.log, observer=self._request.observer)

    def _sealed_plan(self) -> RunPlan:
        wanted = Surroundings(self._request.log, self._request.python)
        plan = sealed_plan(self._workspace, self._policy, self._proposal.tip.tree, wanted)
        return plan._replace(observer=self._request.observer)

    def _with_base(self, compared: Comparison, checked: CheckResult) -> Compared:
        """What the base has to say about a head that nothing else stands against."""
        request, base_tree = self._request, self._proposal.base_tree
        is_by_agent = strongest(checked.commits) == AGENT
        wanted = Wanted(
            runs_base=request.runs_base,
            replays=request.replays_base,
            replays_if_touched=request.depth == RERUN or (request.depth == POLICY and is_by_agent),
            may_run=request.depth in (RERUN, POLICY),
            is_by_agent=is_by_agent,
        )
        has_run = compared.derived is not None and compared.derived.has_run
        packet = compared.derived.packet if compared.derived and has_run else compared.chosen.packet
        stored = packets_of(self._evidence.read(PACKETS, (base_tree,)).get(base_tree)).packets
        packets = tuple(one.packet for one in stored)
        head = HeadRun(packet, has_run)
        found = compare_with_base(
            self._workspace, self._proposal, head, packets, wanted, Runs(self._workspace, self._plan)
        )
        if self._policy.mode == REPORT:
            return found._replace(findings=tuple(one._replace(severity=WARN) for one in found.findings))
        applied = adoptions_of(self._workspace, self._proposal).apply(found.findings)
        return found._replace(findings=applied.findings, evidence=applied.evidence)

    def _reference(self, stored: StoredPacket) -> EvidenceRef:
        signed_by = ", ".join(self._signers_of(stored))
        if self._request.packet_file is not None:
            return stored.reference(signed_by)
        introduced = self._evidence.introduced_by(PACKETS, stored.key, stored.line.sha256)
        return stored.reference(signed_by, introduced or "")

    def _signers_of(self, stored: StoredPacket) -> tuple[str, ...]:
        """Whom the base enrols and whose signature on the line is good now."""
        envelope = stored.line.envelope
        signers = Signers(self._workspace, self._proposal.base_tree) if envelope.signatures else None
        return signers.of_line(envelope, self._request.now) if signers else ()

    def _message(self, facts: Facts, lookup: Lookup, compared: Comparison | None, sealed_run: RunDecision) -> str:
        if facts.gate_codes:
            return f"{len(facts.gate_codes)} finding(s) of the gate block this proposal"
        if facts.packet_codes and not facts.has_packet:
            return f"{len(lookup.packets)} packet(s) for this tree, none of a run that passed"
        if facts.drifted:
            return "the packet no longer holds" if facts.has_packet else "the nearest packet is of another tree"
        if facts.run_codes:
            return f"the tests were {'run' if facts.has_rerun else 'collected'} again: no pass"
        if facts.lost:
            return f"{facts.lost} test(s) that passed for the packet did not pass now"
        if facts.run_code != code.ALLOW and facts.has_packet:
            return f"the policy of the base demands a sealed run: {sealed_run.reason}"
        if facts.base_codes:
            return (
                f"a packet of a run that passed is there, and {len(facts.base_codes)} finding(s) from the base's tests"
            )
        if facts.has_rerun and compared and compared.derived:
            counts = _counts(compared.derived.packet)
            return f"every field was derived again and the tests passed again: {counts}"
        if facts.has_packet:
            failing = sum(not stored.packet.is_pass() for stored in lookup.packets)
            beside = f", beside {failing} of runs that did not pass" if failing else ""
            return f"a packet of a run that passed is kept under this tree{beside}; the tests were not run again"
        return self._no_evidence()

    def _next_step(self, decision: str, findings: tuple[Finding, ...], facts: Facts, sealed_run: RunDecision) -> str:
        if blocking := next((finding for finding in findings if finding.is_blocking()), None):
            return blocking.next_step
        if decision == code.ALLOW and self._proposal.base and not self._proposal.target:
            return "name what it is merged into (--base, or `git config agentgate.target`): only one commit was judged"
        if facts.run_code == decision != code.ALLOW:
            return sealed_run.next_step()
        if decision == code.STALE and "argv" in facts.drifted and "tree" not in facts.drifted:
            return _OTHER_ARGUMENTS
        if decision in _CAPTURE and self._request.packet_file is None:
            rev = "" if self._rev == "HEAD" and work_tree(self._workspace.clone) else f" {self._rev}"
            return _CAPTURE[decision].format(rev=rev)
        return CODES[decision].next_step

    def _no_evidence(self) -> str:
        if self._request.packet_file is not None:
            return "the file holds no packet that can be read"
        if not self._evidence.has_ref(PACKETS):
            return f"there is no {ref_of(PACKETS)} here: evidence was never fetched, or never made"
        return "no packet for this tree, nor for an earlier commit of the proposal"


def _counts(packet: Packet) -> str:
    """How the tests came out, with those that were deselected, which no outcome tells of."""
    counts = [f"{count} {outcome}" for outcome, count in packet.outcomes]
    return ", ".join((*counts, f"{packet.deselected_count} deselected") if packet.deselected_count else counts)


def _facts(
    gate_codes: tuple[str, ...],
    lookup: Lookup,
    passing: tuple[StoredPacket, ...],
    others: tuple[StoredPacket, ...],
    compared: Comparison | None,
) -> Facts:
    derived = compared.derived if compared else None
    return Facts(
        gate_codes=gate_codes,
        has_packet=bool(passing),
        packet_codes=lookup.packets[0].packet.codes if lookup.packets and not passing else (),
        has_nearest=bool(others),
        drifted=tuple(row.field for row in compared.drift) if compared else (),
        has_rerun=compared.has_rerun() if compared else False,
        run_codes=tuple(finding.code for finding in derived.findings) if derived else (),
        lost=compared.lost() if compared else 0,
    )


def _run_findings(compared: Comparison | None) -> tuple[Finding, ...]:
    return compared.derived.findings if compared and compared.derived else ()


def _policy_note(policy: Policy, proposal: Proposal) -> str:
    source = "built-in defaults: the base has no policy" if policy.is_builtin else f"from base {proposal.base[:12]}"
    return source if proposal.target else f"{source}; no target is known, so the first parent stands in for the base"


def _undecided(rev: str, tip: Commit, name: str, failure: Undecided) -> VerifyResult:
    return VerifyResult(
        rev=rev,
        commit=tip.oid,
        tree=tip.tree,
        base="",
        base_tree="",
        decision=name,
        verdict="",
        message=failure.message,
        next_step=failure.next_step,
        exit_status=EXIT_UNDECIDED,
    )
