"""What a remote's notes refs held when we last looked: `refs/agentgate/remote/<remote>/<kind>`.

They stand outside refs/notes, so that no push of notes carries them on and no configured refspec overwrites them.
"""

from __future__ import annotations

from agentgate_git.model.evidence import REF_PREFIX, REMOTE_PREFIX
from agentgate_git.model.failure import Undecided, UsageFailure
from agentgate_git.model.oid import Oid, is_oid
from agentgate_git.repo.commits import is_ancestor
from agentgate_git.repo.process import Git
from agentgate_git.repo.refs import update_ref


class Tracking:
    """The tracking refs of one remote."""

    def __init__(self, git: Git, remote: str) -> None:
        self._git = git
        self._prefix = f"{REMOTE_PREFIX}{remote}/"
        if git.try_run("check-ref-format", f"{self._prefix}packets").status != 0:
            raise UsageFailure(f"{remote!r} is no name for a remote", "see `git remote`")

    def refspec(self) -> str:
        """What to fetch into them; without a plus, so that a remote that lost records is noticed."""
        return f"{REF_PREFIX}*:{self._prefix}*"

    def tips(self) -> dict[str, Oid]:
        """The notes commits by kind; Undecided for a symbolic ref, which a fetch would write through."""
        listing = self._git.text("for-each-ref", "--format=%(refname) %(objectname) %(symref)", self._prefix)
        tips: dict[str, Oid] = {}
        for row in listing.split("\n") if listing else ():
            name, oid, target = row.split(" ", 2)
            if target:
                raise Undecided(f"{name} is a symbolic ref to {target}", f"run `git symbolic-ref --delete {name}`")
            if is_oid(oid):
                tips[name.removeprefix(self._prefix)] = oid
        return tips

    def forget(self, kind: str, seen: Oid) -> None:
        """Drop one that still holds what was seen."""
        ref = self._prefix + kind
        self._git.try_run("-c", "core.hooksPath=/dev/null", "update-ref", "--no-deref", "-d", ref, seen)

    def record(self, kind: str, new: Oid, old: Oid | None) -> None:
        """The remote holds this now; one that another process moved meanwhile is left to the next fetch."""
        update_ref(self._git, self._prefix + kind, new, old or "0" * len(new), "agentgate: push")

    def follows(self, old: Oid, new: Oid) -> bool:
        """True when a notes commit descends from another."""
        return is_ancestor(self._git, old, new)
