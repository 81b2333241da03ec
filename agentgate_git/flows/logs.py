"""`logs`: what the tests of a sealed run printed, once nobody can tune the inputs to it any more."""

from __future__ import annotations

from hashlib import sha256

from agentgate_git.flows.sealed.run_logs import RunLogStore
from agentgate_git.flows.sealed.sealed_runs import SealedRuns
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model import code
from agentgate_git.model.evidence import LOGS
from agentgate_git.model.run_evidence import RunLog, SignedLogs
from agentgate_git.policy.runs.log_barrier import early_reason
from agentgate_git.repo.refs import common_dir

_WAIT = "wait until the run has ended, then ask again"
_RUN = "have a runner seal and run this commit, or run `git agentgate sync`"
_SYNC = "run `git agentgate sync`; where the seal is nowhere, discard the log and run again under a new runner job"


def read_logs(workspace: Workspace, rev: str, base: str, seal: str, now: str) -> RunLog:
    """The newest log of a proposal's sealed runs, one that an enrolled runner signed where there is one.

    `seal` is the start of the name of a seal's line, empty for any. `now` is RFC 3339 with `Z`.
    """
    proposal = workspace.proposals.of_revision(rev, base)
    store = RunLogStore(common_dir(workspace.clone))
    if store.has_open(proposal.tip.tree):
        return RunLog(code.LOGS_EARLY, "a run of this tree is not over yet", _WAIT)
    known = SealedRuns(workspace, proposal, now)
    found = [one for one in known.logs() if one.logs.seal_sha256.startswith(seal)]
    late = sorted((one for one in found if not early_reason(one)), key=lambda one: one.logs.published_at, reverse=True)
    if not late and found:
        return RunLog(code.LOGS_EARLY, f"the log {early_reason(found[0])}", _SYNC)
    if not late:
        return _nothing(known, seal)
    problems = [_problem(known, one) for one in late]
    at = problems.index("") if "" in problems else 0
    logs = late[at].logs
    whole = store.whole(logs)
    data = logs.tail.encode("utf-8", "surrogatepass") if whole is None else whole
    return RunLog(
        code.ALLOW,
        logs=late[at],
        data=data,
        is_whole=sha256(data).hexdigest() == logs.log_sha256,
        problem=problems[at],
        others=len(late) - 1,
    )


def _nothing(known: SealedRuns, seal: str) -> RunLog:
    is_sealed = any(name.startswith(seal) for name in known.seals)
    reason = (
        "a run of it was sealed, and no log of that is kept here" if is_sealed else "no sealed run of it is kept here"
    )
    return RunLog(code.NO_EVIDENCE, reason, _RUN)


def _problem(known: SealedRuns, one: SignedLogs) -> str:
    """Why nobody enrolled stands behind a log."""
    seal = one.seal.signers if one.seal else ()
    problem = known.signing_problem(seal, one.signers, kind=LOGS)
    return problem.reason if problem else ""
