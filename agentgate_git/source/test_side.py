"""What belongs to the tests rather than to what they test, by path alone: what a replay takes from the base."""

from __future__ import annotations

from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.model.role import CI, CONFIG, HARNESS, PRODUCTION, TEST
from agentgate_git.source.roles import is_test_side, role_of

_ROLES = frozenset((TEST, HARNESS, CONFIG, CI))
# Folders of what tests compare with, wherever they lie.
_ORACLES = frozenset(
    (
        *("golden", "goldens", "snapshot", "snapshots", "__snapshots__", "cassette", "cassettes", "approved"),
        *("testdata", "test_data", "test-data", "fixture", "fixtures", "__fixtures__", "expected"),
        *("spec", "specs", "__tests__", "__mocks__", "e2e"),
    )
)
_NAMES = frozenset(("test.py", "tests.py"))
# A module of one of these names at the top of an import path stands in front of what runs the tests.
_RUNNERS = frozenset(
    (
        *("pytest", "_pytest", "pluggy", "iniconfig", "unittest", "doctest", "hypothesis", "coverage", "pytest_cov"),
        *("mock", "freezegun", "time_machine", "vcr", "responses", "nose", "nose2", "tox", "nox", "xdist"),
    )
)


def is_of_the_tests(path: str) -> bool:
    """True for tests, harness, configuration, CI, pins, and the data that tests compare with."""
    role = role_of(path)
    if role in _ROLES or is_test_side(path) or path in (MANIFEST_PATH, BASELINE_PATH):
        return True
    *folders, name = path.lower().split("/")
    if role == PRODUCTION:
        return name in _NAMES
    return name.endswith(".pth") or not _ORACLES.isdisjoint(folders)


def shadowed_runner(path: str) -> str:
    """The test tool that a module of this path would be imported instead of; empty for any other path."""
    parts = path.split("/")
    at_root = parts[1:] if parts[0] == "src" else parts
    name = at_root[0].partition(".")[0] if at_root else ""
    return name if name in _RUNNERS and path.endswith((".py", ".so")) else ""
