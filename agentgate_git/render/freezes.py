"""Freezes for a person."""

from __future__ import annotations

from agentgate_git.model.run_evidence import JudgedFreeze
from agentgate_git.render.printable import printable


def freeze_text(judged: JudgedFreeze) -> str:
    """One line of the freezes of a tree: the test, until when, and what it counts for."""
    state = (
        f"counts for nothing: it {judged.problem}" if judged.problem else f"signed by {', '.join(judged.principals)}"
    )
    if judged.filed is None:
        return f"{judged.sha256[:12]} {printable(state)}\n"
    freeze = judged.filed.freeze
    lines = [
        f"{judged.sha256[:12]} {printable(freeze.test_id)} until {printable(freeze.expires_at)}",
        f"    filed by {printable(freeze.author_job)}, {printable(state)}",
        f"    run of {printable(freeze.runner_job)}, credit {printable(freeze.credit_id)}",
    ]
    lines += [f"    reason: {printable(judged.filed.reason)}"] if judged.filed.reason else []
    return "\n".join(lines) + "\n"
