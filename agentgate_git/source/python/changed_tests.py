"""Which test functions a change set adds or edits, as the node ids of their cases begin."""

from __future__ import annotations

from collections.abc import Mapping

from agentgate_git.model.inventory import TEST, CollectedTest
from agentgate_git.source.facts import read_facts


def changed_tests(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> tuple[str, ...]:
    """`path::Class::test_x` of what is new or differs between two sides of a change set, each by path; sorted.

    A file that cannot be read has none.
    """
    return tuple(sorted(f"{path}::{name}" for path, data in new.items() for name in _changed(path, old, data)))


def _changed(path: str, old: Mapping[str, bytes], data: bytes) -> list[str]:
    before = _tests(path, old.get(path, b""))
    return [name for name, content in _tests(path, data).items() if content != before.get(name)]


def _tests(path: str, data: bytes) -> dict[str, tuple[str, tuple[str, ...]]]:
    return {test.name: _content(test) for test in read_facts(path, data).tests.tests if test.kind == TEST}


def _content(test: CollectedTest) -> tuple[str, tuple[str, ...]]:
    return test.body, test.rows
