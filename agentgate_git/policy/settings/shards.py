"""Parts of a suite that a matrix ran all of, and of which some run nowhere now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import BLOCK
from agentgate_git.policy.settings.change import GateChange

_PREFIX = "shards > "
_ALL = "all of "


def shards_lost(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """Jobs of the same name and axis whose rows no longer make up the whole."""
    for path, before in base.items():
        whole = {one.key for one in before if one.key.startswith(_PREFIX) and one.value.startswith(_ALL)}
        for one in head.get(path, ()) if whole else ():
            if one.key in whole and not one.value.startswith(_ALL):
                _, job, axis = one.key.split(" > ", 2)
                yield GateChange(BLOCK, path, one.line, f"{job} runs no part {one.value} (matrix {axis})"[:300])
