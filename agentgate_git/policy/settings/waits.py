"""Tests that nothing waits for or asks for any more: of jobs that ship, and of what runs when nobody says what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import BLOCK
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange

_NO_TESTS = pattern_of(
    r"(?:.*[-_:])?(?:lint(?:ing|ers?)?|docs?|flake8|ruff|mypy|format|fmt|style|types?|typing|typecheck|build|clean|"
    r"pre-?commit|package|release|black|isort|pylint|manifest|readme|twine)(?:[-_:].*)?"
)
_OF_TESTS = pattern_of(r"py(?:py)?[\d{]|test|unit|spec")


def waits_lost(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """Jobs of the base that waited for a job with tests, which is still there at the head and no longer waited for."""
    for path, before in base.items():
        after = head.get(path, ())
        tested = {one.key.split(" > ")[2] for one in after if one.key.startswith("run > test > ")}
        now = {(one.key, one.value) for one in after if one.key.startswith("waits > ")}
        fresh = {key for key, _ in now - {(one.key, one.value) for one in before}}
        places = {one.key.partition(" > ")[2] for one in after if one.key.startswith("place > ")}
        for one in before:
            name = one.key.removeprefix("waits > ")
            if not one.key.startswith("waits > ") or (one.key, one.value) in now or name not in places:
                continue
            if one.value in tested and one.key not in fresh:
                yield GateChange(BLOCK, path, 0, f"{name} no longer waits for the tests of {one.value}")


def default_runs(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """Sessions of nox and environments of tox that run by default: at the head none of them is one of tests."""
    for path, before in base.items():
        for key in ("default > nox", "default > tox"):
            old = [one.value for one in before if one.key == key]
            new = [one for one in head.get(path, ()) if one.key == key]
            tests = [value for value in old if not _is_without_tests(value)]
            if tests and new and all(_is_without_tests(one.value) for one in new):
                yield GateChange(BLOCK, path, new[0].line, f"{', '.join(tests)} no longer runs by default"[:300])


def starts_lost(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """Targets and scripts that are called after tests and start none any more, while others of the file do."""
    for path, before in base.items():
        after = head.get(path, ())
        if not any(one.key.startswith("run > test > ") for one in after):
            continue  # that the last run is gone is said elsewhere
        idle = {one.key.removeprefix("idle > ") for one in after if one.key.startswith("idle > ")}
        for one in before:
            name = one.key.removeprefix("starts > ")
            if one.key.startswith("starts > ") and name in idle:
                yield GateChange(BLOCK, path, 0, f"{name} no longer starts any test, and others of the file still do")


def _is_without_tests(name: str) -> bool:
    return _NO_TESTS.fullmatch(name) is not None and not _OF_TESTS.search(name)
