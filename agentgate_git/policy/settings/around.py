"""What pipelines that did not change say about those and the scripts that did: who starts them, and who else tests."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.role import CI
from agentgate_git.policy.settings.run import TEST, runs_of

# The keys of what is told: a script of tests that a pipeline starts, and that no other pipeline tests a review.
STARTED = "around > started"
ALONE = "around > alone"
AT_HAND = frozenset(("pyproject.toml", "hatch.toml", "pixi.toml"))
_REVIEWS = frozenset(("pull_request", "pull_request_target", "merge_group"))


def scripts_lost(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[str, ...]:
    """The names of scripts for whoever works on the project that started tests, and start none any more."""
    new = {(one.path, one.place) for one in runs_of(after) if one.kind == TEST}
    old = (one for one in runs_of(before) if one.kind == TEST and one.path.rpartition("/")[2] in AT_HAND)
    return tuple(dict.fromkeys(one.place for one in old if (one.path, one.place) not in new))


def reviews_lost(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> bool:
    """True where a pipeline that tests is no longer started by reviews."""
    left = {one.path: one for one in after if one.role == CI}
    return any(one.path in left and tests_reviews(one) and not tests_reviews(left[one.path]) for one in before)


def tests_reviews(file: FileFacts) -> bool:
    """True for a pipeline that runs tests on a review: one that says on what it starts, or may start on anything."""
    if file.role != CI or not any(one.key.startswith("run > test > ") for one in file.settings):
        return False
    events = {one.value for one in file.settings if one.key == "trigger > event"}
    return not events or not events.isdisjoint(_REVIEWS)


def told(files: Iterable[FileFacts], key: str) -> frozenset[str]:
    """The values of one of the keys."""
    return frozenset(one.value for file in files for one in file.settings if one.key == key)
