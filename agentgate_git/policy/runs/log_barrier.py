"""E_LOGS_EARLY: a log is shown when what it cites proves that the inputs were sealed before it was published."""

from __future__ import annotations

from agentgate_git.model.instant import instant_of
from agentgate_git.model.run_evidence import SignedLogs


def early_reason(logs: SignedLogs) -> str:
    """Why a log may have been read too early, completing "the log …"; empty when it came after its seal.

    A line that cites the name of a seal's line was written when that was there; the times are claims on top.
    """
    if logs.seal is None:
        return f"cites the seal {logs.logs.seal_sha256[:12]}, which is not kept here"
    published, sealed = instant_of(logs.logs.published_at), instant_of(logs.seal.seal.sealed_at)
    if published is None or sealed is None or published < sealed:
        return "says that it was published before the inputs were sealed"
    return ""
