"""E_GATE_CONFIG: keys of shared files and steps of pipelines that stopped, emptied or softened a run of tests.

Settings of base and head are compared as multisets over the whole change set: what moved to another file, job or
target, was renamed or laid out anew is nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.policy.settings.change import GateChange
from agentgate_git.policy.settings.keys import key_changes
from agentgate_git.policy.settings.moves import moved_aside
from agentgate_git.policy.settings.runs import run_changes
from agentgate_git.policy.settings.shadows import with_shadowed
from agentgate_git.policy.settings.waits import waits_lost

_ASK = "take it back, or ask a human to adopt the change"


def config_findings(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> Iterator[Finding]:
    """Findings for a whole change set: facts of the changed files at the base and at the head."""
    old, new = tuple(before), tuple(after)
    readable = frozenset(one.path for one in (*old, *new)) - {one.path for one in (*old, *new) if one.problem}
    base, head = with_shadowed(
        tuple(one for one in old if one.path in readable), tuple(one for one in new if one.path in readable)
    )
    waits = waits_lost({one.path: one.settings for one in base}, {one.path: one.settings for one in head})
    found = (*run_changes(base, head), *key_changes(base, head), *waits, *moved_aside(base, head))
    seen: set[tuple[str, str]] = set()
    for change in found:
        place = (change.path, change.message)
        if place not in seen:
            seen.add(place)
            yield _finding(change)


def _finding(change: GateChange) -> Finding:
    step = code.next_step(code.GATE_CONFIG) if change.severity == BLOCK else _ASK
    return Finding(code.GATE_CONFIG, change.severity, change.path, change.message, step, line=change.line)
