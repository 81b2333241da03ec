"""Commands that a test ran and that had to end well, and that it runs now without a look at how they end."""

from __future__ import annotations

from agentgate_git.model.inventory import IS_CHECKED, IS_UNCHECKED
from agentgate_git.policy.weakening.test_matching import Pair

_STATUS = ("returncode", "exit_code", "exitcode")


def unasked(pair: Pair) -> str:
    """The first such command as it is written; empty where the test has none, or looks at a status."""
    if pair.new is None or not pair.old.test.said:
        return ""
    before, after = (_commands(place.test.said) for place in (pair.old, pair.new))
    lost = [one for one in before[IS_CHECKED] if one in after[IS_UNCHECKED] and one not in after[IS_CHECKED]]
    is_asked = any(word in one.subject for one in pair.new.test.assertions for word in _STATUS)
    is_raised = not {"check_returncode", "wait", "communicate"}.isdisjoint(pair.new.test.calls)
    return "" if is_asked or is_raised or not lost else lost[0]


def _commands(said: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {IS_CHECKED: [], IS_UNCHECKED: []}
    for one in said:
        word, _, command = one.partition("\n")
        if word in found:
            found[word].append(command.strip())
    return found
