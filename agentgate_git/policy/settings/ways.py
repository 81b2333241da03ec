"""The browsers, devices and projects that the same tests are run for: fewer of them is less that is tested."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.settings.change import GateChange


def fewer_ways(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """Lists of them that lost some and got none: most of them gone blocks, one of several warns."""
    for path, before in base.items():
        after = head.get(path, ())
        for name in dict.fromkeys(one.key for one in before if one.key.startswith("ways > ")):
            old = tuple(dict.fromkeys(one.value for one in before if one.key == name))
            new = {one.value: one.line for one in after if one.key == name}
            gone = [one for one in old if one not in new]
            if not gone or not new or len(new) > len(old) - len(gone):
                continue
            severity = BLOCK if 2 * len(gone) > len(old) else WARN
            shown = name.removeprefix("ways > ").replace(" > ", " ")
            message = f"{shown} are only {', '.join(new)}: nothing is run for {', '.join(gone)}"
            yield GateChange(severity, path, min(new.values()), message[:300])
