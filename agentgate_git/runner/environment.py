"""Which interpreter runs the tests, and with which environment."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping

from agentgate_git.model.failure import Undecided, UsageFailure

# What changes which tests run, or which code they import, without standing in the tree.
CLEARED = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONSTARTUP", "PYTHONOPTIMIZE", "PYTEST_CURRENT_TEST")


def find_interpreter(
    explicit: str,
    environ: Mapping[str, str],
    directory: str,
    top: str = "",
    exists: Callable[[str], bool] = os.path.exists,
) -> str:
    """The named interpreter, the active environment's, the `.venv` of the work tree `top`, or PATH's python3.

    A relative path is seen from the user's `directory`, never from where the tests run; a bare name is looked up
    in PATH. What is relative in VIRTUAL_ENV or PATH is passed over.
    """
    path = [entry for entry in environ.get("PATH", "").split(os.pathsep) if os.path.isabs(entry)]
    if os.sep in explicit:
        return os.path.normpath(os.path.join(directory, explicit))
    active = environ.get("VIRTUAL_ENV", "")
    candidates = [os.path.join(entry, explicit or "python3") for entry in path]
    if not explicit and top:
        candidates.insert(0, os.path.join(top, ".venv", "bin", "python"))
    if not explicit and os.path.isabs(active):
        candidates.insert(0, os.path.join(active, "bin", "python"))
    found = next((candidate for candidate in candidates if exists(candidate)), "")
    if not found:
        what = f"{explicit} was not found" if explicit else "no Python was found to run the tests with"
        raise UsageFailure(what, "name one by its path with --python")
    return found


def program_behind(python: str, environ: Mapping[str, str], directory: str) -> str:
    """The interpreter itself where `python` is a script that finds one, as a version manager's shims do.

    A box holds what belongs to an interpreter, and none of what such a script looks through. It is run in `directory`.
    """
    try:
        with open(python, "rb") as file:
            if file.read(2) != b"#!":
                return python
        argv = (python, "-I", "-c", "import sys; print(sys.executable)")
        done = subprocess.run(argv, cwd=directory, env=dict(environ), check=True, capture_output=True, timeout=60)
    except OSError as error:
        step = "name another interpreter with --python"
        raise Undecided(f"{python} cannot be started ({error.strerror})", step) from error
    except subprocess.SubprocessError as error:
        raise Undecided(f"{python} does not say which interpreter it stands for", "name one with --python") from error
    return os.fsdecode(done.stdout).removesuffix("\n")


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


def sealed_environment(
    ambient: Mapping[str, str], settings: tuple[tuple[str, str], ...], import_roots: tuple[str, ...], home: str
) -> dict[str, str]:
    """For a run whose author must not find anything of the runner: of its environment nothing but PATH."""
    programs = {"PATH": ambient["PATH"]} if "PATH" in ambient else {}
    return {**scratch_environment(programs, settings, import_roots), "HOME": home}
