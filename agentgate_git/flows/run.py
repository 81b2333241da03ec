"""`run`: seal a proposal, run its tests under its pins, score credit, and keep it all as signed evidence.

The order is the proof. The seal's line is in the ledger before a process of the tests exists; credit, logs and packet
cite it by its sha256. The packet comes last, and without one a run counts for nothing: killed at any step, it leaves
nothing behind that is believed. The same call made again goes on from the seal, or says what came out.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from agentgate_git.flows.decide_notes import decide_with_gate
from agentgate_git.flows.packets.capture_request import TOOL
from agentgate_git.flows.packets.runs import LaidOut, RanTests, RunPlan, isolation_of, laid_out, run_laid_out
from agentgate_git.flows.sealed.credit import Search, changed_sources, search_credit
from agentgate_git.flows.sealed.kept_run import KeptRun, sealed_already
from agentgate_git.flows.sealed.kept_search import KeptSearch, SearchOf
from agentgate_git.flows.sealed.run_logs import OpenRun, RunLogStore
from agentgate_git.flows.sealed.seal import SealRequest, seal_of
from agentgate_git.flows.sealed.sealed_plan import Surroundings, sealed_pins, sealed_plan
from agentgate_git.flows.signers.signing import agent_here
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model import code
from agentgate_git.model.commit import Proposal
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.falsification import Falsification
from agentgate_git.model.packet import Packet
from agentgate_git.model.record import Record
from agentgate_git.model.run_evidence import IDEMPOTENCE, Probe, ScoredCredit, Seal, SignedSeal
from agentgate_git.model.run_record import RunDecision, RunRecord
from agentgate_git.model.run_result import SealedRunResult
from agentgate_git.model.sandbox import AUTO
from agentgate_git.policy.runs.credit_score import probes_of, score
from agentgate_git.policy.runs.merge_rule import RunFacts, decide_run
from agentgate_git.repo.apply import applies_again
from agentgate_git.repo.refs import common_dir
from agentgate_git.runner.conclude import RunFacts as PacketFacts
from agentgate_git.runner.conclude import conclude, judge
from agentgate_git.runner.credit_run import CreditObserver
from agentgate_git.runner.run_tests import Observer

_NAME_JOBS = (
    "name the job that wrote the change with --author-job (or AGENTGATE_AUTHOR_JOB), and leave --runner-job out or give"
    " another"
)
# So many changed files are protected one by one; each is a mount of the box.
_MAX_PROTECTED = 400


class RunRequest(Record):
    """Which proposal is run, for whom and by whom. `proposal_id` is empty for the author's job.

    `key` is a file, empty for the key that commits are signed with; `sandbox` is one of model.sandbox.WANTED. `clock`
    gives the time as RFC 3339 with `Z`.
    """

    rev: str
    author_job: str
    runner_job: str
    clock: Callable[[], str]
    base: str = ""
    proposal_id: str = ""
    key: str = ""
    python: str = ""
    sandbox: str = AUTO


class Watcher(Observer, CreditObserver):
    """Somebody who may like to know how far it is; this one does not."""


def run_sealed(workspace: Workspace, request: RunRequest, watcher: Watcher | None = None) -> SealedRunResult:
    """Run it, or say why it is not run; UsageFailure when what came out would count for nothing."""
    if agent := agent_here(workspace):
        step = "have a runner of its own do it, such as a CI job that holds a runner's key"
        raise UsageFailure(f"an agent's environment is here ({agent}), and nobody grades himself", step)
    proposal = workspace.proposals.of_revision(request.rev, request.base)
    jobs = RunRecord(author_job=request.author_job, runner_job=request.runner_job)
    answer = decide_run(RunFacts(jobs, None, None, 0))
    if answer.code in (code.JOB_MISSING, code.SHARED_JOB):
        return _result(request, proposal, answer._replace(step=_NAME_JOBS))
    return _Run(workspace, request, proposal, watcher or Watcher()).result()


class _Run:
    def __init__(self, workspace: Workspace, request: RunRequest, proposal: Proposal, watcher: Watcher) -> None:
        self._workspace = workspace
        self._request = request
        self._proposal = proposal
        self._watcher = watcher
        self._sources = changed_sources(workspace, proposal)
        self._kept = KeptRun(workspace, proposal, request.key, request.clock)

    def result(self) -> SealedRunResult:
        """Seal, run, score, keep, decide."""
        store = RunLogStore(common_dir(self._workspace.clone))
        with store.open_run(self._proposal.tip.tree, self._proposal.base_tree) as open_run:
            return self._within(open_run)

    def _within(self, open_run: OpenRun) -> SealedRunResult:
        plan = self._plan(open_run.log)
        plan = plan._replace(environ={**plan.environ, "TMPDIR": open_run.scratch})
        with self._laid_out(plan) as laid:
            sealed = self._kept.seal(self._seal(plan))
            if isinstance(sealed, RunDecision):
                return _result(self._request, self._proposal, sealed)
            memory = self._memory(sealed, plan)
            if (known := self._kept.known(sealed)) is not None:
                memory.forget()
                return self._decided(sealed, *known)._replace(notes=(sealed_already(sealed),))
            ran = run_laid_out(laid, plan, self._watcher)
        with self._laid_out(plan) as laid:  # the tests may have changed the tree that they ran in
            room, tree = self._workspace.room, self._proposal.tip.tree
            search = search_credit(room, tree, plan, laid, self._sources, self._watcher, memory)
        credit, packet = self._credit(sealed, search), self._packet(sealed, plan, ran)
        self._kept.credit(credit)
        self._kept.logs(sealed, open_run)
        self._kept.packet(packet)
        memory.forget()
        found = search.found or Falsification((), (), (), "")
        notes = tuple(finding.message for finding in judge(ran.report, ran.foreign))
        notes += tuple(f"nothing earns credit: {problem}" for problem in found.problems)
        return self._decided(sealed, credit, packet)._replace(symbols=found.symbols, notes=notes)

    def _laid_out(self, plan: RunPlan) -> AbstractContextManager[LaidOut]:
        return laid_out(self._workspace.room, self._proposal.tip.tree, plan)

    def _plan(self, log: str) -> RunPlan:
        policy = self._workspace.policy_of(self._proposal.base)
        wanted = Surroundings(log, self._request.python, self._request.sandbox, self._request.key)
        plan = sealed_plan(self._workspace, policy, self._proposal.tip.tree, wanted)
        changed = sorted(self._sources.new)
        return plan._replace(protected=tuple(changed[:_MAX_PROTECTED]))  # tests are to run what stands in the tree

    def _memory(self, sealed: SignedSeal, plan: RunPlan) -> KeptSearch:
        """What an earlier call under the same seal had found when it was killed."""
        search = SearchOf(sealed.sha256, TOOL, plan.python, self._sources.old, self._sources.new)
        return KeptSearch(common_dir(self._workspace.clone), search)

    def _seal(self, plan: RunPlan) -> Seal:
        request = self._request
        wanted = SealRequest(
            proposal_id=request.proposal_id or request.author_job,
            author_job=request.author_job,
            runner_job=request.runner_job,
            pins=sealed_pins(plan),
            sealed_at=request.clock(),
        )
        return seal_of(self._workspace, self._proposal, wanted)

    def _credit(self, sealed: SignedSeal, search: Search) -> ScoredCredit:
        found = search.found
        return ScoredCredit(
            tree=sealed.seal.tree,
            base_tree=sealed.seal.base_tree,
            commit=sealed.seal.commit,
            runner_job=sealed.seal.runner_job,
            credit=score(search.changed, found, sealed.sha256),
            scored_at=self._request.clock(),
            probes=(self._idempotence(), *(probes_of(found.symbols) if found else ())),
        )

    def _idempotence(self) -> Probe:
        """A patch that applies to its own result may have been applied twice already, and nobody would see it."""
        is_twice = applies_again(self._workspace.room, self._proposal.base_tree, self._proposal.tip.tree)
        detail = "the patch applies to its own result once more" if is_twice else "the patch does not apply twice"
        return Probe(IDEMPOTENCE, "", not is_twice, detail)

    def _packet(self, sealed: SignedSeal, plan: RunPlan, ran: RanTests) -> Packet:
        seal = sealed.seal
        facts = PacketFacts(
            tree=seal.tree,
            base_tree=seal.base_tree,
            commit=seal.commit,
            author_job=seal.author_job,
            argv=plan.args,
            isolation=isolation_of(plan),
            nonce=plan.nonce,
            tool=TOOL,
            foreign_imports=ran.foreign,
            manifest_sha256=seal.manifest_sha256,
        )
        return conclude(ran.report, facts)._replace(seal_sha256=sealed.sha256)

    def _decided(self, sealed: SignedSeal, credit: ScoredCredit, packet: Packet) -> SealedRunResult:
        decision = decide_with_gate(self._workspace, self._proposal, self._request.clock(), sealed.sha256)
        self._kept.verdict(sealed, decision)
        found = _result(self._request, self._proposal, decision)
        return found._replace(seal=sealed.seal, seal_sha256=sealed.sha256, credit=credit, packet=packet)


def _result(request: RunRequest, proposal: Proposal, decision: RunDecision) -> SealedRunResult:
    return SealedRunResult(
        rev=request.rev,
        commit=proposal.tip.oid,
        tree=proposal.tip.tree,
        base_tree=proposal.base_tree,
        decision=decision,
        exit_status=code.exit_of(decision.code),
    )
