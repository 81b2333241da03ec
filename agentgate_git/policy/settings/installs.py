"""What a job installs before its tests: the checkout no more, but what was released under its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange

_KEY = "installs > "
_OWN = pattern_of(r"(?:file:)?\.{1,2}/?(\[[\w,.-]+\])?")
_NAMED = pattern_of(r"[A-Za-z][\w.-]*(\[[\w,.-]+\])(?:[<>=~!].*)?")
Files = Mapping[str, tuple[Setting, ...]]


def released_instead(base: Files, head: Files) -> Iterator[GateChange]:
    """Jobs that test, and install a package with the extras with which they installed the checkout before."""
    for path, after in head.items():
        before = base.get(path, ())
        tested = {one.key.split(" > ")[2] for one in after if one.key.startswith("run > test > ")}
        old, new = _installed(before), _installed(after)
        for place in sorted(tested & old.keys() & new.keys()):
            extras = {found[1] for one in old[place] if (found := _OWN.fullmatch(one.value)) and found[1]}
            if not extras or any(_OWN.fullmatch(one.value) for one in new[place]):
                continue
            for one in new[place]:
                named = _NAMED.fullmatch(one.value)
                if named is not None and named[1] in extras:
                    message = f"{place} tests {one.value} as it was released, and no longer what is checked out"
                    yield GateChange(WARN, path, one.line, message)


def _installed(settings: tuple[Setting, ...]) -> dict[str, list[Setting]]:
    found: dict[str, list[Setting]] = {}
    for one in settings:
        if one.key.startswith(_KEY):
            found.setdefault(one.key.removeprefix(_KEY), []).append(one)
    return found
