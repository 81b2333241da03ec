"""Jobs that no longer wait for tests: what is shipped or said yes to before they are through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import ADVICE, BLOCK
from agentgate_git.policy.gate_change import GateChange


def waits_lost(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """Jobs of the base that waited for a job with tests, which is still there at the head and no longer waited for."""
    for path, before in base.items():
        after = head.get(path, ())
        tested = {one.key.split(" > ")[2] for one in after if one.key.startswith("run > test > ")}
        now = {(one.key, one.value) for one in after if one.key.startswith("waits > ")}
        places = {one.key.partition(" > ")[2] for one in after if one.key.startswith("place > ")}
        for one in before:
            _, kind, name = (*one.key.split(" > "), "", "")[:3]
            if not one.key.startswith("waits > ") or (one.key, one.value) in now or name not in places:
                continue
            stood = {other.value for other in before if other.key == one.key}
            fresh = {value for key, value in now if key == one.key} - stood
            if one.value in tested and not fresh:
                severity = BLOCK if kind == "gate" else ADVICE
                yield GateChange(severity, path, 0, f"{name} no longer waits for the tests of {one.value}")
