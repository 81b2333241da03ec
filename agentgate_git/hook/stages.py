"""What each hook does: look at the frozen index, load the checks only when there is something to check."""

from __future__ import annotations

import os

from agentgate_git.flows.change_sets.staged import look_in
from agentgate_git.model.failure import UsageFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

STAGES = ("pre-commit", "pre-merge-commit", "commit-msg", "pre-push")


def run_stage(argv: tuple[str, ...], environ: Mapping[str, str]) -> int:
    """`git agentgate hook STAGE …`; the exit status."""
    stage, rest = (argv[0], argv[1:]) if argv else ("", ())
    if stage == "pre-commit":
        return judge_index("", environ)
    if stage == "pre-merge-commit":
        from agentgate_git.hook.merge_driver import warn_of_text_merge  # noqa: PLC0415 - the command table

        warn_of_text_merge(environ)
        return judge_index("", environ)
    if stage == "commit-msg" and len(rest) == 1:
        from agentgate_git.hook.message import run_commit_msg  # noqa: PLC0415 - the command table

        return run_commit_msg(rest[0], environ)
    if stage == "pre-push":
        from agentgate_git.hook.pre_push import run_pre_push  # noqa: PLC0415 - the command table

        return run_pre_push(rest, environ)
    raise UsageFailure(f"no hook {' '.join(argv)!r}", f"use one of {', '.join(STAGES)} (commit-msg takes its file)")


def judge_index(message_file: str, environ: Mapping[str, str]) -> int:
    """Freeze what is staged and judge it where a check has something to look at."""
    directory = os.getcwd()
    staged = look_in(directory, environ)
    if not staged.is_relevant:
        return 0
    from agentgate_git.hook.judged import judge_staged  # noqa: PLC0415 - the command table

    return judge_staged(staged, message_file, directory, environ)
