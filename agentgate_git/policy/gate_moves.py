"""Files of tests that moved to a folder in which no runner looks for any."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import WARN
from agentgate_git.policy.gate_change import GateChange

_ASIDE = frozenset(
    (
        *(
            "archive",
            "archived",
            "attic",
            "backup",
            "backups",
            "data",
            "deprecated",
            "disabled",
            "doc",
            "docs",
            "example",
        ),
        *(
            "examples",
            "graveyard",
            "legacy",
            "notes",
            "old",
            "quarantine",
            "samples",
            "skipped",
            "tmp",
            "trash",
            "unused",
        ),
        *("wip", "_old", "_disabled", "_archive", "broken", "parked", "demo", "demos", "misc"),
    )
)


def moved_aside(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> Iterator[GateChange]:
    """Test files of the base that stand under such a folder at the head, with the same tests."""
    old = {facts.path: facts for facts in before}
    new = {facts.path: facts for facts in after}
    fresh = {path: facts for path, facts in new.items() if path not in old and _is_aside(path)}
    for path, facts in old.items():
        if path in new or _is_aside(path):
            continue
        names = {test.name for test in facts.tests.tests}
        for target, now in fresh.items():
            if names and names & {test.name for test in now.tests.tests} and _name(path) == _name(target):
                yield GateChange(WARN, target, 0, f"the tests of {path} moved to where none are looked for")


def _is_aside(path: str) -> bool:
    return not _ASIDE.isdisjoint(path.lower().split("/")[:-1])


def _name(path: str) -> str:
    return path.rpartition("/")[2]
