"""The log of a sealed run for a person."""

from __future__ import annotations

from agentgate_git.model.run_evidence import RunLog
from agentgate_git.render.printable import printable


def log_head(answer: RunLog) -> str:
    """One line: whose log it is, how much of it, and whether anybody vouches for it; empty without a log."""
    if answer.logs is None:
        return ""
    logs = answer.logs.logs
    part = "whole log" if answer.is_whole else f"end of the log ({logs.size} bytes, sha256 {logs.log_sha256[:12]})"
    signed = f"signed by {', '.join(answer.logs.signers)}" if not answer.problem else f"UNTRUSTED: {answer.problem}"
    others = f"; {answer.others} more: name one with --seal" if answer.others else ""
    return printable(
        f"{part} of {logs.runner_job}, seal {logs.seal_sha256[:12]}, {logs.published_at}, {signed}{others}"
    )


def log_text(data: bytes) -> str:
    """Lines and tabs of a log as they are; whatever else could move the cursor is spelt out."""
    lines = data.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
    shown = ("\t".join(map(printable, line.removesuffix("\r").split("\t"))) for line in lines)
    return "".join(f"{line}\n" for line in shown) if data else ""
