"""All facts of one file's bytes: the one place that knows which reader a path belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from agentgate_git.model.facts import FileFacts, Trait
from agentgate_git.model.inventory import Inventory
from agentgate_git.model.role import CONFIG, PRODUCTION
from agentgate_git.source.other_traits import is_traced, read_other_traits
from agentgate_git.source.python_doctests import defined_names, read_doctests
from agentgate_git.source.python_source import read_python
from agentgate_git.source.python_tests import read_inventory
from agentgate_git.source.python_traits import may_have_traits, read_traits
from agentgate_git.source.roles import holds_tests, role_of

PYTHON = "python"


def is_read(path: str) -> bool:
    """True for a path of which some fact is read, by its name alone."""
    return holds_tests(path) or is_traced(path) or _is_production(path)


def read_facts(path: str, data: bytes, forbidden: Iterable[str] = ()) -> FileFacts:
    """The facts of one file; never raises, what cannot be read is a `problem` of the facts or of their inventory.

    `forbidden` are marker names that the manifest forbids (`forbid_skip_markers`): they count as skips.
    """
    role = role_of(path)
    if holds_tests(path) or _is_production(path):
        return _read_python(path, role, data, forbidden)
    return FileFacts(path, role, "", Inventory(path, ()), traits=read_other_traits(path, data))


def _read_python(path: str, role: str, data: bytes, forbidden: Iterable[str]) -> FileFacts:
    """A Python file, parsed once for all that is read from it; production only where it can hold a trait."""
    has_traits = may_have_traits(path, role, data)
    if not holds_tests(path) and not has_traits:
        traits = read_other_traits(path, data)
        return FileFacts(path, role, PYTHON, read_doctests(path, data), traits=traits, defines=defined_names(data))
    source = read_python(data)
    found: tuple[Trait, ...] = ()
    if source.tree is not None and has_traits:
        found = read_traits(path, source.tree, len(data))
    traits = (*read_other_traits(path, data), *found)
    if not holds_tests(path):
        return FileFacts(
            path,
            role,
            PYTHON,
            read_doctests(path, data),
            traits=traits,
            problem=source.problem,
            defines=defined_names(data),
        )
    return FileFacts(path, role, PYTHON, read_inventory(path, data, forbidden, source), traits=traits)


def _is_production(path: str) -> bool:
    return path.lower().endswith(".py") and role_of(path) in (PRODUCTION, CONFIG)
