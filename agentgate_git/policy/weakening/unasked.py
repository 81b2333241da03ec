"""What a test ran and had to end well, and that it runs now without a look at how: commands, coroutines."""

from __future__ import annotations

from agentgate_git.model.inventory import AWAITS, IS_CHECKED, IS_UNCHECKED
from agentgate_git.policy.weakening.test_matching import Pair

_THERE = ("is truthy", "!=")
# How many coroutines are looked for.
_MOST = 20
_STATUS = ("returncode", "exit_code", "exitcode")


def unasked(pair: Pair) -> str:
    """The first such command as it is written; empty where the test has none, or looks at a status."""
    if pair.new is None or not pair.old.test.said:
        return ""
    before, after = (_commands(place.test.said) for place in (pair.old, pair.new))
    unasked_now = set(after[IS_UNCHECKED]) - set(after[IS_CHECKED])
    lost = [one for one in before[IS_CHECKED] if one in unasked_now]
    if not lost:
        return ""
    is_asked = any(word in one.subject for one in pair.new.test.assertions for word in _STATUS)
    is_raised = not {"check_returncode", "wait", "communicate"}.isdisjoint(pair.new.test.calls)
    return "" if is_asked or is_raised else lost[0]


def not_awaited(pair: Pair) -> str:
    """The name of a coroutine that a test ran, and of which it asks now only whether there is one; else empty."""
    if pair.new is None:
        return ""
    before, after = (_awaited(place.test.said) for place in (pair.old, pair.new))
    for name in sorted(before - after)[:_MOST]:
        for one in pair.new.test.assertions:
            head, _, given = one.subject.partition(f"{name}(")
            is_whole = given.endswith(")") and (not head or head.endswith(".")) and "(" not in head
            if one.relation in _THERE and is_whole and not (one.void or one.expected not in ("", "None")):
                return name
    return ""


def _awaited(said: tuple[str, ...]) -> frozenset[str]:
    return frozenset(one.removeprefix(AWAITS) for one in said if one.startswith(AWAITS))


def _commands(said: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {IS_CHECKED: [], IS_UNCHECKED: []}
    for one in said:
        word, _, command = one.partition("\n")
        if word in found:
            found[word].append(command.strip())
    return found
