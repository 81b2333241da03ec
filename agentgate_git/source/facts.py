"""All facts of one file's bytes: the one place that knows which reader a path belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import Inventory
from agentgate_git.source.languages.read import read_code
from agentgate_git.source.languages.silences import may_silence, python_silences
from agentgate_git.source.python_tests import read_inventory
from agentgate_git.source.roles import holds_tests, role_of
from agentgate_git.source.test_names import PYTHON, language_of


def is_read(path: str) -> bool:
    """True for a path of which some fact is read, by its name alone."""
    return bool(language_of(path))


def read_facts(path: str, data: bytes, forbidden: Iterable[str] = ()) -> FileFacts:
    """The facts of one file; never raises, what cannot be read is a `problem` of the facts or of their inventory.

    `forbidden` are marker names that the manifest forbids (`forbid_skip_markers`): they count as skips.
    """
    role, language = role_of(path), language_of(path)
    if language == PYTHON:
        tests = read_inventory(path, data, forbidden) if holds_tests(path) else Inventory(path, ())
        silenced = python_silences(data) if may_silence(PYTHON, data) else ()
        return FileFacts(path, role, PYTHON, tests, traits=tuple(silenced))
    if language:
        found = read_code(path, data, holds_tests=holds_tests(path))
        return FileFacts(path, role, language, found.tests, traits=found.traits)
    return FileFacts(path, role, "", Inventory(path, ()))
