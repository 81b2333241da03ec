"""Which targets of a Makefile and which scripts of a package start tests, by themselves or through one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_names import TEST
from agentgate_git.source.commands.runner_tables import OFF
from agentgate_git.source.settings.runs import COMMAND, RUN, key

# What pipelines and people ask for when they want the tests.
_ASKED_FOR = pattern_of(r"(?:tests?|checks?|ci|verify|unit|specs?|(?:test|ci|check)[-_:](?:all|unit|ci|full)|e2e)")
STARTS = "starts"
IDLE = "idle"


def start_settings(
    found: Iterable[Setting], leads: Mapping[str, frozenset[str]], tools: tuple[str, ...]
) -> Iterator[Setting]:
    """For each place that is called after tests whether it starts any: `starts`, or `idle` where it surely does not.

    `found` are the settings of the file, `leads` the places that each place starts, `tools` what names a place after
    it (`npm NAME`).
    """
    testing: set[str] = set()
    unknown: set[str] = set()
    ways = {name: set(others) for name, others in leads.items()}
    for one in found:
        parts = one.key.split(" > ")
        if parts[0] == COMMAND:
            unknown.add(parts[1])
        elif parts[0] == RUN and len(parts) == 4:
            tool, _, other = parts[3].partition(" ")
            if tool in tools and other in leads:
                ways.setdefault(parts[2], set()).add(other)
            elif parts[1] == TEST and f"{OFF}: " not in one.value:
                testing.add(parts[2])
    for name in leads:
        if _ASKED_FOR.fullmatch(name) is None:
            continue
        reached = _reached(name, ways)
        if reached & testing:
            yield Setting(key(STARTS, name), "")
        elif not reached & unknown and reached <= set(leads):
            yield Setting(key(IDLE, name), "")


def _reached(name: str, ways: Mapping[str, set[str]]) -> set[str]:
    found = {name}
    waiting = [name]
    while waiting:
        for one in ways.get(waiting.pop(), set()) - found:
            found.add(one)
            waiting.append(one)
    return found
