"""A staged change that a check must look at: judge it, say what was found, answer with the exit status."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from agentgate_git.flows.change_sets.staged import Staged
from agentgate_git.flows.check import check_staged, staged_proposal
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.text import check_text

_SCISSORS = "# ------------------------ >8 ------------------------"


def judge_staged(staged: Staged, message_file: str, directory: str, environ: Mapping[str, str]) -> int:
    """Judge the frozen index, with the commit message when there is one already."""
    message = _message(message_file) if message_file else ""
    with Workspace(directory, environ, is_clean=False) as workspace:
        result = check_staged(workspace, staged_proposal(workspace, staged, message), is_hook=True)
    return report(result)


def report(result: CheckResult, about: str = "") -> int:
    """Say what was found, where anything was; nothing is said of a change that is clean."""
    if result.findings:
        sys.stderr.write(about + check_text(result))
    return result.exit_status


def _message(path: str) -> str:
    """The message as git will keep it: without comment lines and without what stands below the scissors."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as lines:
            text = lines.read()
    except OSError as error:
        raise UsageFailure(
            f"{path} cannot be read ({error.strerror})", "give the file of the commit message"
        ) from error
    kept = text.partition(_SCISSORS)[0]
    return "".join(line for line in kept.splitlines(keepends=True) if not line.startswith("#"))
