"""Coverage that looks at less: sources of which only parts are left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import BLOCK
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.patterns import above

_SOURCES = ("coverage > source", "coverage > source_pkgs", "coverage > include")
Files = Mapping[str, tuple[Setting, ...]]


def source_changes(base: Files, head: Files) -> Iterator[GateChange]:
    """Sources of the base of which the head names only modules or folders inside them."""
    for path, after in head.items():
        old = {_plain(one.value) for one in base.get(path, ()) if one.key in _SOURCES}
        new = [one for one in after if one.key in _SOURCES]
        values = {_plain(one.value) for one in new}
        inside: dict[str, list[Setting]] = {}
        for one in new:
            for folder in above(_plain(one.value)):
                inside.setdefault(folder, []).append(one)
        fresh = sum(_plain(one.value) not in old for one in new)
        for gone in sorted(old - values):
            parts = inside.get(gone, [])
            is_covered = not values.isdisjoint(("", ".", *above(gone)))
            if parts and not is_covered and len(parts) == fresh:
                named = ", ".join(one.value for one in parts)
                yield GateChange(BLOCK, path, parts[0].line, f"coverage measures only {named} of {gone}")


def _plain(value: str) -> str:
    """A module or a folder as a path, so that both can be compared."""
    plain = value.strip("\"'").removeprefix("./").rstrip("/*")
    return plain.removesuffix(".py") if "/" in plain else plain.removesuffix(".py").replace(".", "/")
