"""pre-push: every ref of a push is judged, from git's own list on stdin."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from agentgate_git.flows.clone.hook_files import find_hooks, our_file
from agentgate_git.flows.push import PushedRef, check_push, outgoing_branches, read_pushed_refs
from agentgate_git.flows.workspace import Workspace
from agentgate_git.hook.judged import report
from agentgate_git.model.exit_status import EXIT_ALLOW

PARTIAL = (
    "agentgate: partial coverage: pre-commit hands over one ref of a push and no more.\n"
    "    next: run `git agentgate install`, which puts a native pre-push hook in place\n"
)


def run_pre_push(argv: tuple[str, ...], environ: Mapping[str, str]) -> int:
    """`hook pre-push REMOTE URL`, git's list on stdin; under pre-commit, what its variables say."""
    remote = argv[0] if argv else environ.get("PRE_COMMIT_REMOTE_NAME", "")
    listed = b"" if sys.stdin is None or sys.stdin.isatty() else sys.stdin.buffer.read()
    pushed = read_pushed_refs(listed)
    with Workspace(os.getcwd(), environ, is_clean=False) as workspace:
        if pushed:
            return _judge(workspace, pushed, remote)
        if "PRE_COMMIT_REMOTE_NAME" not in environ and "PRE_COMMIT_TO_REF" not in environ:
            return EXIT_ALLOW
        if not our_file(find_hooks(workspace.clone), "pre-push"):  # else every ref was judged before pre-commit began
            sys.stderr.write(PARTIAL)
        return _judge_partially(workspace, remote, environ.get("PRE_COMMIT_LOCAL_BRANCH", ""))


def _judge(workspace: Workspace, pushed: tuple[PushedRef, ...], remote: str) -> int:
    status = EXIT_ALLOW
    for ref in pushed:
        status = max(status, report(check_push(workspace, ref, remote), f"{ref.local_ref}:\n"))
    return status


def _judge_partially(workspace: Workspace, remote: str, handed_over: str) -> int:
    """The ref that was handed over decides; other branches with outgoing commits are looked at and named."""
    status = EXIT_ALLOW
    for ref in outgoing_branches(workspace, handed_over):
        result = check_push(workspace, ref, remote)
        if ref.local_ref == handed_over:
            status = report(result, f"{ref.local_ref}:\n")
        elif result.exit_status != EXIT_ALLOW:
            sys.stderr.write(f"{ref.local_ref} (not handed over, so not refused; would be):\n")
            report(result)
    return status
