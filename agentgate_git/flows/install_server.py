"""`install --server`: the hook of a repository that others push to, beside what is there already."""

from __future__ import annotations

import os

from agentgate_git.flows.clone.hook_files import (
    CALLS_US,
    OURS,
    SERVER_STAGES,
    HooksDirectory,
    find_server_hooks,
    our_part,
    owner_of,
)
from agentgate_git.flows.clone.server import target_row
from agentgate_git.flows.install import fill
from agentgate_git.flows.uninstall import take_out
from agentgate_git.model.setup import BY_HAND, DONE, PRESENT, SetupRow
from agentgate_git.repo.process import Git

PRE_RECEIVE, UPDATE = SERVER_STAGES


def install_server(git: Git, program: str, stage: str) -> tuple[SetupRow, ...]:
    """Put the hook of a stage in place. `program` is the absolute path of git-agentgate, for a PATH without it."""
    hooks = find_server_hooks(git)
    return (_place(hooks, stage, program), target_row(git, PRESENT, BY_HAND))


def uninstall_server(git: Git) -> tuple[SetupRow, ...]:
    """Take every server hook of ours out; a row for each that was there."""
    hooks = find_server_hooks(git)
    rows = [row for stage in SERVER_STAGES for row in take_out(hooks, stage)]
    for stage in SERVER_STAGES:
        part = our_part(hooks, stage)
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
    part = our_part(hooks, stage)
    return fill(hooks, stage, part if os.path.isdir(os.path.dirname(part)) else path, program)
