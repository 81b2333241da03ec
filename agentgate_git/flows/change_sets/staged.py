"""The short way of a hook: freeze the index, look at the raw rows, and mostly be done.

Nothing here reads a blob. Only when a row can matter to a check does the hook load the rest.
"""

from __future__ import annotations

import os

from agentgate_git.model.config_paths import config_format
from agentgate_git.model.failure import GitFailure
from agentgate_git.model.oid import empty_tree
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH, POLICY_PATH
from agentgate_git.model.record import Record
from agentgate_git.policy.guarded_names import is_guarded
from agentgate_git.repo.diff import tree_changes
from agentgate_git.repo.index import freeze, merge_heads
from agentgate_git.repo.process import Git
from agentgate_git.repo.refs import git_dir, is_unborn
from agentgate_git.source.roles import holds_tests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentgate_git.model.change import Change
    from agentgate_git.model.oid import Oid


class Staged(Record):
    """The tree that is about to be committed, the other parents it will have, and whether a check must look."""

    tree: Oid
    merge_heads: tuple[Oid, ...]
    is_relevant: bool


def look_in(directory: str, environ: Mapping[str, str]) -> Staged:
    """`look` in the repository that git runs a hook for."""
    return look(Git.in_repository(directory, environ))


def look(git: Git) -> Staged:
    """Freeze the index and say whether anything in it can matter; three git processes."""
    directory, has_policy = _situation(git)
    tree = freeze(git)
    heads = merge_heads(directory, git.environment)
    if heads or has_policy:
        return Staged(tree, heads, True)
    try:
        return Staged(tree, heads, any(map(matters, tree_changes(git, "HEAD", tree))))
    except GitFailure:
        if not is_unborn(git):
            raise
    return Staged(tree, heads, any(map(matters, tree_changes(git, empty_tree(tree), tree))))


def _situation(git: Git) -> tuple[str, bool]:
    """The git directory, and whether HEAD has a policy; asked in one go, the policy last since it may be missing."""
    answer = git.try_run("rev-parse", "--absolute-git-dir", f"HEAD:{POLICY_PATH}")
    lines = os.fsdecode(answer.stdout).split("\n")
    if not lines[0].startswith("/"):
        return git_dir(git), False
    return lines[0], answer.status == 0


def matters(change: Change) -> bool:
    """True when some check wants to see the change."""
    path = change.path
    return path in (MANIFEST_PATH, BASELINE_PATH) or holds_tests(path) or is_guarded(path) or bool(config_format(path))
