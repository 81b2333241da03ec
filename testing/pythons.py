"""The Pythons of this machine, and a pytest for those that have none."""

from __future__ import annotations

from pathlib import Path

import _pytest
import iniconfig
import pluggy
import pytest


def of_machine() -> tuple[Path, ...]:
    """The interpreters that pyenv has installed, oldest first by their names; none where there is no pyenv."""
    return tuple(sorted((Path.home() / ".pyenv/versions").glob("3.*/bin/python")))


def minor_of(python: Path) -> int:
    """The second number of its version."""
    return int(python.parts[-3].split(".")[1])


def pure_packages(directory: Path) -> Path:
    """A folder with what pytest is made of, none of which is compiled, for an interpreter that has no pytest."""
    directory.mkdir()
    site = Path(pytest.__file__).parent.parent
    assert {site} == {Path(module.__file__).parent.parent for module in (_pytest, pluggy, iniconfig)}
    for name in ("pytest", "_pytest", "py.py", "pluggy", "iniconfig", "packaging", "pygments"):
        (directory / name).symlink_to(site / name)
    for path in site.glob("pluggy-*.dist-info"):
        (directory / path.name).symlink_to(path)
    return directory
