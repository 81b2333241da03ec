"""All facts of one file's bytes: the one place that knows which reader a path belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import Inventory
from agentgate_git.source.python_tests import read_inventory
from agentgate_git.source.roles import holds_tests, role_of

PYTHON = "python"


def is_read(path: str) -> bool:
    """True for a path of which some fact is read, by its name alone."""
    return holds_tests(path)


def read_facts(path: str, data: bytes, forbidden: Iterable[str] = ()) -> FileFacts:
    """The facts of one file; never raises, what cannot be read is a `problem` of the facts or of their inventory.

    `forbidden` are marker names that the manifest forbids (`forbid_skip_markers`): they count as skips.
    """
    role = role_of(path)
    if holds_tests(path):
        return FileFacts(path, role, PYTHON, read_inventory(path, data, forbidden))
    return FileFacts(path, role, "", Inventory(path, ()))
