"""Facts of a text, in the words of a test."""

from __future__ import annotations

from typing import Any

from agentgate_git.model.facts import FileFacts, Trait
from agentgate_git.source.facts import read_facts


def facts_of(path: str, text: str | bytes) -> FileFacts:
    """All facts of a file; a problem is an error of the test."""
    facts = read_facts(path, text if isinstance(text, bytes) else text.encode())
    assert facts.tests.problem == ""
    return facts


def states(path: str, text: str) -> dict[str, str]:
    """The state of each test by its name."""
    return {test.name: test.state for test in facts_of(path, text).tests.tests}


def assertions(path: str, text: str, *, whole: bool = False) -> list[Any]:
    """The assertions of the first test, or the tests themselves."""
    tests = list(facts_of(path, text).tests.tests)
    return tests if whole else list(tests[0].assertions)


def traits(path: str, text: str) -> list[Trait]:
    """The traits of a file."""
    return list(facts_of(path, text).traits)
