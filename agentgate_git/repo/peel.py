"""What an id comes to when tags are taken off it; every object on the way is hashed again."""

from __future__ import annotations

from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import is_oid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.model.oid import Oid
    from agentgate_git.repo.objects import Objects

MAX_TAGS = 64


def peel_to_commit(objects: Objects, oid: Oid) -> Oid | None:
    """The commit that an id names, directly or by tags; None for a tree or a blob."""
    for _ in range(MAX_TAGS):
        found = objects.find(oid)
        if found is None:
            raise Undecided(f"object {oid} is not here", "push again")
        if found.kind != "tag":
            return oid if found.kind == "commit" else None
        field, _, target = found.data.partition(b"\n")[0].decode("ascii", "replace").partition(" ")
        if field != "object" or not is_oid(target):
            raise Undecided(f"tag {oid} names no object", "make the tag again")
        oid = target
    raise Undecided(f"more than {MAX_TAGS} tags stand one on the other", "tag the commit itself")
