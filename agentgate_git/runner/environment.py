"""Which interpreter runs the tests, and with which environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from agentgate_git.model.failure import UsageFailure

# What changes which tests run, or which code they import, without standing in the tree.
CLEARED = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONSTARTUP", "PYTHONOPTIMIZE", "PYTEST_CURRENT_TEST")


def find_interpreter(
    explicit: str, environ: Mapping[str, str], directory: str, exists: Callable[[str], bool] = os.path.exists
) -> str:
    """The named interpreter, the active environment's, the work tree's own `.venv`, or PATH's python3."""
    if explicit:
        return explicit
    active = environ.get("VIRTUAL_ENV", "")
    candidates = [
        *([os.path.join(active, "bin", "python")] if active else ()),
        os.path.join(directory, ".venv", "bin", "python"),
        *(os.path.join(entry, "python3") for entry in environ.get("PATH", "").split(os.pathsep) if entry),
    ]
    found = next((candidate for candidate in candidates if exists(candidate)), "")
    if not found:
        raise UsageFailure("no Python was found to run the tests with", "name one with --python")
    return found


def in_place_environment(ambient: Mapping[str, str], settings: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The developer's own environment with the policy's settings, without git's and pytest's variables.

    Their import path stays: which copy of the code was imported is checked afterwards.
    """
    kept = {name: value for name, value in ambient.items() if not name.startswith("GIT_") and name not in CLEARED}
    return {**kept, **dict(settings)}


def scratch_environment(
    ambient: Mapping[str, str], settings: tuple[tuple[str, str], ...], import_roots: tuple[str, ...]
) -> dict[str, str]:
    """The same for a tree laid out elsewhere: the import path is `import_roots`, absolute directories, alone."""
    environment = in_place_environment(ambient, settings)
    environment.pop("PYTHONPATH", None)
    if import_roots:
        environment["PYTHONPATH"] = os.pathsep.join(import_roots)
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    return environment
