"""The git configuration that evidence needs: how notes are merged, and how they are fetched.

A forced refspec into refs/notes would overwrite notes that were never published, so ours has no `+` and ends
in refs of its own.
"""

from __future__ import annotations

import os

from agentgate_git.model.evidence import KINDS, REF_PREFIX, REMOTE_PREFIX, ref_of
from agentgate_git.repo.process import Git

STRATEGY = "cat_sort_uniq"


def strategy_key(kind: str) -> str:
    """The configuration key that says how git merges the notes of a kind."""
    return f"notes.{ref_of(kind).removeprefix('refs/notes/')}.mergeStrategy"


def strategies(git: Git) -> tuple[tuple[str, str], ...]:
    """Each key with its value, empty when it is not set."""
    return tuple((key, _last_value(git, key)) for key in map(strategy_key, KINDS))


def remotes(git: Git) -> tuple[str, ...]:
    """The names of the remotes."""
    return tuple(git.text("remote").splitlines())


def fetch_key(remote: str) -> str:
    """The configuration key of a remote's refspecs."""
    return f"remote.{remote}.fetch"


def fetch_refspecs(git: Git, remote: str) -> tuple[str, ...]:
    """What `git fetch <remote>` fetches, in order."""
    answer = git.try_run("config", "--null", "--get-all", fetch_key(remote))
    return tuple(os.fsdecode(value) for value in answer.stdout.split(b"\0") if value)


def wanted_refspec(remote: str) -> str:
    """The refspec that fetches evidence beside, never over, what is kept here."""
    return f"{REF_PREFIX}*:{REMOTE_PREFIX}{remote}/*"


def overwrites_notes(refspec: str) -> bool:
    """True for a forced refspec that ends where our notes are kept."""
    if not refspec.startswith("+"):
        return False
    target = refspec.partition(":")[2]
    before, star, after = target.partition("*")
    if not star:
        return target.startswith(REF_PREFIX)
    return any(ref.startswith(before) and ref.endswith(after) for ref in map(ref_of, KINDS))


def _last_value(git: Git, key: str) -> str:
    answer = git.try_run("config", "--null", "--get", key)
    return os.fsdecode(answer.stdout).removesuffix("\0") if answer.status == 0 else ""
