"""E_GUARDED_PATH: agent work touches a path that decides what is judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.change import ABSENT, GITLINK, SYMLINK, Change
from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.model.paths import POLICY_PATH
from agentgate_git.policy.guarded_names import fold, split_patterns, stands_guarded


def guarded_changes(changes: Iterable[Change], patterns: Iterable[str] = ()) -> Iterator[Change]:
    """The rows that touch a guarded path, in order: any content, mode or kind, added or deleted."""
    prepared = split_patterns(patterns)
    return (change for change in changes if stands_guarded(fold(change.path), prepared))


def guarded_finding(change: Change, commit: str = "") -> Finding:
    """The blocking finding for one row of `guarded_changes`."""
    message = f"a guarded path {_deed(change)}"
    return Finding(code.GUARDED_PATH, BLOCK, change.path, message, code.next_step(code.GUARDED_PATH), commit=commit)


def by_bot(finding: Finding) -> Finding:
    """The same for a bot, which may touch the guarded paths that the policy leaves to bots."""
    step = f"add the path to bot_paths of {POLICY_PATH} on the base branch, or have a human make this change"
    return finding._replace(message=f"{finding.message} by a bot", next_step=step)


def _deed(change: Change) -> str:
    if change.new_mode == ABSENT:
        return "is deleted or moved away"
    if change.new_mode != change.old_mode and change.new_mode in (SYMLINK, GITLINK):
        kind = "symbolic link" if change.new_mode == SYMLINK else "submodule"
        return f"is replaced by a {kind}"
    if change.old_mode == ABSENT:
        return "is added"
    if change.old_oid == change.new_oid:
        return f"changes its mode from {change.old_mode} to {change.new_mode}"
    return "is changed"
