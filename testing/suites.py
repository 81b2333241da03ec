"""Small test suites run by a real pytest process."""

from __future__ import annotations

import os
import sys
import sysconfig
import textwrap
import time
import venv
from collections.abc import Mapping
from pathlib import Path

from agentgate_git.model.packet import RunReport
from agentgate_git.runner.run_tests import RunRequest, run_tests
from testing.warm_python import WarmInterpreter

WARM = WarmInterpreter()
NONCE = "a-nonce-of-this-run"
PASSING = "def test_ok():\n    assert True\n"


def environment(**more: str) -> dict[str, str]:
    """A plain environment without third-party pytest plugins."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1", **more}


def write(directory: Path, files: Mapping[str, str]) -> None:
    """Write dedented files."""
    for name, content in files.items():
        target = directory / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(textwrap.dedent(content), encoding="utf-8")


def request(directory: Path, *args: str, **more: str) -> RunRequest:
    """A run of the suite in a directory, its output in `output.txt` beside it."""
    return RunRequest(
        python=sys.executable,
        directory=str(directory),
        args=args,
        environment=environment(PYTEST_DEBUG_TEMPROOT=str(directory.parent), **more),
        time_limit=120,
        nonce=NONCE,
        now=time.time,
        log=str(directory.parent / "output.txt"),
    )


def run(directory: Path, files: Mapping[str, str], *args: str, **more: str) -> RunReport:
    """Write a suite and run it, by an interpreter that has imported pytest already."""
    directory.mkdir(exist_ok=True)
    write(directory, files)
    return run_tests(request(directory, *args, **more)._replace(python=WARM.path()))


def make_environment(directory: Path, *import_path: Path, has_pytest: bool = True) -> str:
    """A throw-away virtual environment with `.pth` files, as an editable install leaves them; its interpreter."""
    venv.create(directory, with_pip=False, symlinks=True)
    ours = [Path(sysconfig.get_path("purelib"))] if has_pytest else []
    site = next((directory / "lib").glob("python*/site-packages"))
    (site / "editable.pth").write_text("".join(f"{path}\n" for path in (*import_path, *ours)))
    return str(directory / "bin" / "python")
