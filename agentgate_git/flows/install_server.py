"""`install --server`: the hook of a repository that others push to, beside what is there already."""

from __future__ import annotations

import os

from agentgate_git.flows.clone.hook_files import (
    CALLS_US,
    OURS,
    SERVER_STAGES,
    HooksDirectory,
    find_server_hooks,
    owner_of,
)
from agentgate_git.flows.clone.server import server_limits, server_target
from agentgate_git.flows.install import fill
from agentgate_git.flows.target import TARGET_KEY
from agentgate_git.flows.uninstall import take_out
from agentgate_git.model.failure import Failure
from agentgate_git.model.setup import BY_HAND, DONE, PRESENT, SetupRow
from agentgate_git.repo.process import Git

PRE_RECEIVE, UPDATE = SERVER_STAGES
# Some servers run every file of this directory from a hook of their own.
_PARTS = ".d"
_OUR_PART = "agentgate"


def install_server(git: Git, program: str, stage: str) -> tuple[SetupRow, ...]:
    """Put the hook of a stage in place. `program` is the absolute path of git-agentgate, for a PATH without it."""
    hooks = find_server_hooks(git)
    return (_place(hooks, stage, program), *_target_rows(git))


def uninstall_server(git: Git) -> tuple[SetupRow, ...]:
    """Take every server hook of ours out; a row for each that was there."""
    hooks = find_server_hooks(git)
    rows = [row for stage in SERVER_STAGES for row in take_out(hooks, stage)]
    for stage in SERVER_STAGES:
        part = os.path.join(hooks.file(stage) + _PARTS, _OUR_PART)
        if owner_of(part, stage) == OURS:
            os.unlink(part)
            rows.append(SetupRow(DONE, f"removed {part}"))
    return tuple(rows)


def server_line(stage: str) -> str:
    """The line that runs our hook from a script."""
    return 'git-agentgate receive --update "$1" "$2" "$3"' if stage == UPDATE else "git-agentgate receive"


def _place(hooks: HooksDirectory, stage: str, program: str) -> SetupRow:
    path = hooks.file(stage)
    if owner_of(path, stage) == CALLS_US:
        return SetupRow(PRESENT, f"{path} runs git-agentgate")
    if hooks.is_shared() and owner_of(path, stage) != OURS:
        return SetupRow(
            BY_HAND,
            f"core.hooksPath ({hooks.scope} scope, {hooks.origin}) sends every repository to {hooks.path}",
            f"add `{server_line(stage)}` to {path}, or run `git config core.hooksPath hooks` and install again",
        )
    parts = path + _PARTS
    return fill(hooks, stage, os.path.join(parts, _OUR_PART) if os.path.isdir(parts) else path, program)


def _target_rows(git: Git) -> tuple[SetupRow, ...]:
    """What pushes will be judged against; a server on which that is missing refuses all code."""
    step = f"push it first, or run `git config {TARGET_KEY} <branch>` here"
    try:
        target = server_target(git)
        server_limits(git)
    except Failure as failure:
        return (SetupRow(BY_HAND, failure.message, failure.next_step),)
    if not target.oid:
        return (SetupRow(BY_HAND, f"{target.ref}, which pushes are judged against, does not exist yet", step),)
    return (SetupRow(PRESENT, f"pushes are judged against {target.ref}"),)
