"""`uninstall`: what `install` put in place is taken out, what it moved aside is put back. Evidence stays."""

from __future__ import annotations

import os

from agentgate_git.flows.clone.driver_config import uninstall_driver
from agentgate_git.flows.clone.hook_files import (
    CALLS_US,
    CHAINED,
    LEGACY,
    OURS,
    STAGES,
    HooksDirectory,
    calls_us,
    find_hooks,
    owner_of,
)
from agentgate_git.flows.clone.note_config import (
    STRATEGY,
    fetch_key,
    fetch_refspecs,
    remotes,
    strategies,
    wanted_refspec,
)
from agentgate_git.flows.files import read_file
from agentgate_git.model.setup import BY_HAND, DONE, SetupRow
from agentgate_git.repo.process import Git


def uninstall(git: Git) -> tuple[SetupRow, ...]:
    """Take every hook of ours and our configuration out; a row for each thing that was there."""
    hooks = find_hooks(git)
    rows = [row for stage in STAGES for row in take_out(hooks, stage)]
    rows += uninstall_driver(git)
    keys = [key for key, value in strategies(git) if value == STRATEGY]
    for key in keys:
        _unset(git, key, STRATEGY)
    if keys:
        rows.append(SetupRow(DONE, "removed the merge strategies of notes"))
    for remote in remotes(git):
        if wanted_refspec(remote) in fetch_refspecs(git, remote):
            _unset(git, fetch_key(remote), wanted_refspec(remote))
            rows.append(SetupRow(DONE, f"removed {wanted_refspec(remote)} from {remote}"))
    return tuple(rows)


def take_out(hooks: HooksDirectory, stage: str) -> list[SetupRow]:
    """Every file of ours for one stage."""
    path = hooks.file(stage)
    rows = [_remove(slot, path + CHAINED) for slot in (path, path + LEGACY) if owner_of(slot, stage) == OURS]
    if os.path.lexists(path + CHAINED):
        rows.append(_stranded(path))
    script = hooks.husky_file(stage) if hooks.is_husky() else path
    if owner_of(path, stage) == CALLS_US or (hooks.is_husky() and calls_us(read_file(script), stage)):
        rows.append(SetupRow(BY_HAND, f"{script} runs git-agentgate", "take the line out"))
    return rows


def _remove(slot: str, before: str) -> SetupRow:
    """One file of ours away; the one that it ran first takes its place again."""
    if os.path.lexists(before):
        os.replace(before, slot)
        return SetupRow(DONE, f"put the earlier hook back to {slot}")
    os.unlink(slot)
    return SetupRow(DONE, f"removed {slot}")


def _stranded(path: str) -> SetupRow:
    """An earlier hook whose place another tool took from us."""
    if os.path.lexists(path):
        return SetupRow(BY_HAND, f"{path + CHAINED} was there before {path}", "keep what you need of it, delete it")
    os.rename(path + CHAINED, path)
    return SetupRow(DONE, f"put the earlier hook back to {path}")


def _unset(git: Git, key: str, value: str) -> None:
    # Status 5: the value stands in another file (the user's own); that one is not ours to change.
    git.try_run("config", "--local", "--fixed-value", "--unset-all", key, value)
