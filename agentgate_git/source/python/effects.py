"""What keeps a test from running: one effect per marker or statement, and how several add up."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from agentgate_git.model.inventory import CONDITIONAL, EXPECTED_FAIL, NOT_COLLECTED, RUNS, SKIPPED
from agentgate_git.model.record import Record
from agentgate_git.source.python.conditions import ALWAYS, NEVER

_STRENGTH = (RUNS, CONDITIONAL, EXPECTED_FAIL, SKIPPED, NOT_COLLECTED)


class Effect(Record):
    """What one marker or statement does to a test.

    `state` is one of inventory.STATES; `marker` is how a reader would write it; `line` where it stands;
    `condition` what it hangs on. `runs` with a condition is a guard that never holds where the gate runs.
    """

    state: str
    marker: str
    line: int
    condition: str = ""


def guarded(effect: Effect, verdict: str, condition: str) -> Effect:
    """The effect when it happens only under a condition with the given verdict (conditions.truth)."""
    if verdict == ALWAYS:
        return effect
    text = f"{condition}; {effect.condition}" if effect.condition else condition
    is_inert = verdict == NEVER or effect.state == RUNS
    return effect._replace(state=RUNS if is_inert else CONDITIONAL, condition=text)


def is_certain(effect: Effect) -> bool:
    """True when the effect stops the test wherever it runs."""
    return effect.state not in (RUNS, CONDITIONAL)


def total(effects: Iterable[Effect], line: int) -> Effect:
    """All effects on one test as one: the strongest, with every condition when the strongest is conditional."""
    ordered = sorted(dict.fromkeys(effects), key=lambda effect: -_STRENGTH.index(effect.state))
    if not ordered:
        return Effect(RUNS, "", line)
    first = ordered[0]
    if first.state != CONDITIONAL:
        return first
    conditions = (effect.condition for effect in ordered if effect.state == CONDITIONAL)
    return first._replace(condition="; ".join(dict.fromkeys(conditions)))


def written(node: ast.AST, limit: int = 200) -> str:
    """An expression as a reader would write it, cut at `limit` characters."""
    try:
        text = ast.unparse(node)
    except ValueError:  # a number of more digits than Python writes
        text = f"the {type(node).__name__} on line {getattr(node, 'lineno', 0)}"
    return text if len(text) <= limit else text[:limit] + "…"
