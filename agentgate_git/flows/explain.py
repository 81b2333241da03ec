"""`explain`: who wrote, who sealed, what bites and what is frozen, from the lines that are kept and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.flows.packets.stored import packets_of
from agentgate_git.flows.sealed.sealed_runs import SealedRuns
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.commit import Proposal
from agentgate_git.model.evidence import CREDITS, FREEZES, PACKETS, SEALS
from agentgate_git.model.explanation import Cited, Explanation, SaidAuthor, SaidCredit, SaidFreeze, SaidSeal
from agentgate_git.model.instant import instant_of
from agentgate_git.model.run_evidence import FiledFreeze, JudgedFreeze, SealedRun
from agentgate_git.policy.runs.merge_rule import credit_problem


def explain_revision(workspace: Workspace, rev: str, base: str, now: str) -> Explanation:
    """What is kept about the proposal that ends at a revision; nothing is run. `now` is RFC 3339 with `Z`."""
    proposal = workspace.proposals.of_revision(rev, base)
    known = SealedRuns(workspace, proposal, now)
    return Explanation(
        rev=rev,
        commit=proposal.tip.oid,
        tree=proposal.tip.tree,
        base_tree=proposal.base_tree,
        commit_signers=tuple(dict.fromkeys(known.authors)),
        authors=tuple(_authors(workspace, proposal, known)),
        seals=tuple(
            SaidSeal(one.seal.runner_job, one.seal.sealed_at, Cited(SEALS, one.sha256, one.signers))
            for one in known.seals.values()
        ),
        credits=tuple(_credit(known, run) for run in known.runs),
        freezes=tuple(_freeze(known, one, one.filed, now) for one in known.judged() if one.filed is not None),
    )


def _authors(workspace: Workspace, proposal: Proposal, known: SealedRuns) -> Iterator[SaidAuthor]:
    """Seals first, then the packets over the same base."""
    for one in known.seals.values():
        yield SaidAuthor(one.seal.author_job, Cited(SEALS, one.sha256, one.signers))
    tree = proposal.tip.tree
    for stored in packets_of(workspace.evidence().read(PACKETS, (tree,)).get(tree)).packets:
        if stored.packet.author_job and stored.packet.base_tree == proposal.base_tree:
            line = Cited(PACKETS, stored.line.sha256, known.signers_of(stored.line))
            yield SaidAuthor(stored.packet.author_job, line)


def _credit(known: SealedRuns, run: SealedRun) -> SaidCredit:
    credit = run.credit.credit
    tautologies = credit.tautologies or ()
    tests = tuple(test for test in credit.test_ids if test not in tautologies)
    untrusted = known.signing_problem(run.seal.signers, run.credit_signers)
    return SaidCredit(
        credit_id=credit.credit_id,
        seal_sha256=run.seal.sha256,
        credited=credit.credited if tests else (),
        tests=tests,
        missing=credit.missing or (),
        tautologies=tautologies,
        failed_probes=tuple(probe for probe in run.credit.probes if not probe.is_held),
        problem=credit_problem(credit),
        untrusted=untrusted.reason if untrusted else "",
        line=Cited(CREDITS, run.credit_sha256, run.credit_signers),
    )


def _freeze(known: SealedRuns, judged: JudgedFreeze, filed: FiledFreeze, now: str) -> SaidFreeze:
    freeze = filed.freeze
    run = known.run_of(freeze.runner_digest, freeze.credit_id)
    earned = {test.strip() for test in run.credit.credit.test_ids} if run else set()
    expiry, at = instant_of(freeze.expires_at), instant_of(now)
    return SaidFreeze(
        test_id=freeze.test_id,
        job=freeze.author_job,
        expires_at=freeze.expires_at,
        seal_sha256=freeze.runner_digest,
        credit_id=freeze.credit_id,
        has_digest=freeze.runner_digest in known.seals,
        has_passing_credit=run is not None and not credit_problem(run.credit.credit),
        is_other_test=run is not None and freeze.test_id.strip() not in earned,
        has_future_expiry=expiry is not None and at is not None and expiry > at,
        problem=judged.problem,
        line=Cited(FREEZES, judged.sha256, judged.signers),
    )
