"""The installed plugin: inert without its flag, and out of the way with it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import agentgate_git.inside
from testing import suites

INSIDE = Path(agentgate_git.inside.__file__).parent
SHOW_EXEC = """
import json, os, sys
def show(path, argv):
    sys.stdout.write(json.dumps([path, argv]) + "\\n")
    sys.stdout.flush()
    os._exit(7)
os.execv = show
import pytest
pytest.main({args!r})
"""


def python(directory: Path, code: str) -> subprocess.CompletedProcess[str]:
    environment = suites.environment()
    del environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
    argv = [sys.executable, "-c", code]
    return subprocess.run(argv, cwd=directory, env=environment, capture_output=True, text=True, check=False)


def test_the_flag_hands_over_before_anything_of_the_project_is_loaded(tmp_path: Path) -> None:
    suites.write(tmp_path, {"conftest.py": "raise SystemExit('loaded')\n", "pytest.ini": "[pytest]\naddopts = -v\n"})
    done = python(tmp_path, SHOW_EXEC.format(args=["-q", "--agentgate", "test_a.py"]))
    assert 7 == done.returncode
    path, argv = json.loads(done.stdout)
    assert sys.executable == path
    assert [sys.executable, "-P", "-m", "agentgate_git", "capture", "--python", sys.executable] == argv[:7]
    assert ["--", "-q", "test_a.py"] == argv[7:]


def test_without_the_flag_nothing_of_ours_is_loaded_but_the_flag(tmp_path: Path) -> None:
    suites.write(tmp_path, {"test_a.py": suites.PASSING})
    code = "import pytest, sys\npytest.main(['-q'])\nprint(sorted(n for n in sys.modules if 'agentgate' in n))\n"
    expected = ["agentgate_git", "agentgate_git.inside", "agentgate_git.inside.pytest_capture"]
    assert str(expected) == python(tmp_path, code).stdout.splitlines()[-1]


@pytest.mark.parametrize("name", sorted(path.name for path in INSIDE.glob("*.py")))
def test_what_runs_inside_needs_the_standard_library_and_pytest_alone(name: str) -> None:
    tree = ast.parse((INSIDE / name).read_text(), feature_version=(3, 8))
    imported = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in ([ast.alias(node.module or "")] if isinstance(node, ast.ImportFrom) else node.names)
    }
    assert imported <= sys.stdlib_module_names | {"pytest"}
