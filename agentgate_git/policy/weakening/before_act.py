"""Assertions that stand before what they were there to look at the effect of."""

from __future__ import annotations

from collections import Counter

from agentgate_git.model.inventory import AT_END, BEHIND
from agentgate_git.policy.weakening.test_matching import Pair


def before_act(pair: Pair) -> str:
    """The name of what a test still does and asserts nothing behind, though it did, where that moved before it."""
    if pair.new is None:
        return ""
    old, new = _behind(pair.old.test.said), _behind(pair.new.test.said)
    ends = {f"{AT_END}{act}" for act, _ in old} & set(pair.new.test.said) - set(pair.old.test.said)
    for act in dict.fromkeys(act for act, _ in old if f"{AT_END}{act}" in ends):
        if any(one == act for one, _ in new):
            continue
        moved = [said for one, said in old if one == act]
        fresh = Counter(said for _, said in new) - Counter(said for one, said in old if one != act)
        if all(fresh[said] for said in moved):
            return act
    return ""


def _behind(said: tuple[str, ...]) -> list[tuple[str, str]]:
    """(what was done last before an assertion, what it says) of each."""
    parts = (one.removeprefix(BEHIND).partition("\n") for one in said if one.startswith(BEHIND))
    return [(act, text) for act, _, text in parts]
