"""Which files of a tree an import can mean."""

from __future__ import annotations

import pytest

from agentgate_git.source.python.imports import imported_paths


@pytest.mark.parametrize(
    ("path", "source", "wanted"),
    [
        ("core.py", "import os\n", "app/testing/fakes.py"),
        ("core.py", "'import app.testing.fakes'\n", "app/testing/fakes.py"),
        ("core.py", "def broken(:\n", "app/testing/fakes.py"),
        ("core.py", "\0", "app/testing/fakes.py"),
    ],
)
def test_what_is_not_imported(path: str, source: str, wanted: str) -> None:
    assert wanted not in imported_paths(path, source.encode())


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("core.py", "import app.testing.fakes\n"),
        ("core.py", "import app.testing.fakes as f\n"),
        ("core.py", "from app.testing.fakes import Clock\n"),
        ("core.py", "def f():\n    from app.testing import fakes\n"),
        ("app/core.py", "from .testing import fakes\n"),
        ("app/core.py", "from .testing.fakes import Clock\n"),
        ("app/io/core.py", "from ..testing.fakes import Clock\n"),
        ("app/testing/__init__.py", "from . import fakes\n"),
    ],
)
def test_what_is_imported(path: str, source: str) -> None:
    assert "app/testing/fakes.py" in imported_paths(path, source.encode())


def test_more_dots_than_folders_is_no_crash() -> None:
    assert isinstance(imported_paths("core.py", b"from ....x import y\n"), frozenset)
