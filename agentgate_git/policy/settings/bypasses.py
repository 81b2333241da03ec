"""Ways around the hooks: `--no-verify`, `SKIP=…`, another `core.hooksPath`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.model.role import TEST
from agentgate_git.policy.settings.change import GateChange


def bypasses(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> Iterator[GateChange]:
    """Each that is new: in a script that committed before without them they take something away."""
    known = Counter(value for facts in before for value in _bypass_values(facts))
    honest = _commits(before) - _commits(after)
    for facts in (one for one in after if one.role != TEST):  # these commit to repositories of their own
        for setting in facts.settings:
            if not setting.key.startswith("bypass > "):
                continue
            if known[setting.value] > 0:
                known[setting.value] -= 1
                continue
            yield from _bypass(facts.path, setting.value, setting.line, honest[facts.path] > 0)


def _commits(files: Iterable[FileFacts]) -> Counter[str]:
    """How many commits and pushes of each file go through the hooks."""
    return Counter(facts.path for facts in files for one in facts.settings if one.key.startswith("commits > "))


def _bypass_values(facts: FileFacts) -> Iterator[str]:
    return (one.value for one in facts.settings if one.key.startswith("bypass > "))


def _bypass(path: str, value: str, line: int, was_honest: bool) -> Iterator[GateChange]:
    if value.startswith("core.hooksPath="):
        target = value.partition("=")[2]
        if target in ("", "/dev/null", "NUL") or target.startswith(("/nonexist", "/var/empty", "/dev/")):
            yield GateChange(BLOCK, path, line, f"hooks are switched off: {value}")
        return
    severity = ADVICE if value.startswith("export ") else BLOCK if was_honest else WARN
    yield GateChange(severity, path, line, f"the hooks are passed by: {value}")
