"""Ranges of commits as they are written on the command line."""

from __future__ import annotations

from agentgate_git.model.failure import UsageFailure


def split_range(text: str) -> tuple[str, str]:
    """`A..B` in two; UsageFailure for anything else."""
    start, dots, end = text.partition("..")
    if not dots or not start or not end or end.startswith("."):
        raise UsageFailure(f"{text!r} is no range", "write it as A..B")
    return start, end
