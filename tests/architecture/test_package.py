"""What is shipped: the wheel has everything a user needs, and what runs in their interpreter is old enough."""

from __future__ import annotations

import ast
import configparser
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from agentgate_git import __version__
from agentgate_git.model.code import ALLOW, CODES

ROOT = Path(__file__).resolve().parents[2]
INSIDE = sorted((ROOT / "agentgate_git/inside").glob("*.py"))
OLDEST = (3, 8)
INTERPRETERS = sorted((Path.home() / ".pyenv/versions").glob("3.*/bin/python"))

COMPILES = "import sys; [compile(open(path, 'rb').read(), path, 'exec') for path in sys.argv[1:]]"
LOADS = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='launch')"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built as a user's pip would build it, with the build backend that is installed here."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, ROOT]
    subprocess.run(command, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


def names_below(wheel: zipfile.ZipFile, folder: str) -> set[str]:
    return {name.removeprefix(folder) for name in wheel.namelist() if name.startswith(folder)}


def test_the_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {"agentgate_git", f"agentgate_git-{__version__}.dist-info"} == tops


def test_the_wheel_holds_every_module(wheel: zipfile.ZipFile) -> None:
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "agentgate_git").rglob("*.py")}
    assert set() == modules - set(wheel.namelist())


def test_the_wheel_holds_the_hooks_as_shims(wheel: zipfile.ZipFile) -> None:
    hooks = {path.name for path in (ROOT / "hooks").iterdir()}
    assert hooks == names_below(wheel, "agentgate_git/shims/")


def test_the_wheel_holds_the_page_of_every_code(wheel: zipfile.ZipFile) -> None:
    assert {f"{code}.md" for code in CODES if code != ALLOW} <= names_below(wheel, "agentgate_git/codes/")


def test_the_wheel_holds_data_and_the_example(wheel: zipfile.ZipFile) -> None:
    assert {"agents.json", "expected_codes.json"} == names_below(wheel, "agentgate_git/data/")
    example = ROOT / "examples/invoice"
    files = {str(path.relative_to(example)) for path in example.rglob("*") if path.is_file()}
    assert {name for name in files if "__pycache__" not in name} == names_below(
        wheel, "agentgate_git/examples/invoice/"
    )
    assert "agentgate_git/py.typed" in wheel.namelist()


def test_an_installed_package_finds_its_example_its_hooks_and_its_pages(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    wheel.extractall(tmp_path)
    code = (
        "from agentgate_git.flows.shipped import example_directory, pages_directory, shims_directory\n"
        "print(example_directory(), shims_directory(), pages_directory(), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, check=True, capture_output=True
    )
    places = [Path(line) for line in done.stdout.decode().splitlines()]
    package = tmp_path / "agentgate_git"
    assert [package / "examples/invoice", package / "shims", package / "codes"] == places


def test_the_wheel_names_its_entry_points(wheel: zipfile.ZipFile) -> None:
    found = configparser.ConfigParser()
    found.read_string(wheel.read(f"agentgate_git-{__version__}.dist-info/entry_points.txt").decode())
    assert {
        "console_scripts": {"git-agentgate": "agentgate_git.cli.main:main"},
        "pytest11": {"agentgate": "agentgate_git.inside.pytest_capture"},
    } == {section: dict(found[section]) for section in found.sections()}


@pytest.mark.parametrize("path", INSIDE, ids=lambda path: path.name)
def test_what_runs_inside_is_python_3_8(path: Path) -> None:
    ast.parse(path.read_bytes(), str(path), feature_version=OLDEST)


def test_what_runs_inside_loads_in_every_python_of_this_machine() -> None:
    """Grammar is checked above for everybody; here by the interpreters themselves, as many as there are."""
    for python in (Path(sys.executable), *INTERPRETERS):
        version = tuple(int(part) for part in python.parts[-3].split(".")[:2]) if python in INTERPRETERS else OLDEST
        if version < OLDEST:
            continue
        compiled = subprocess.run([python, "-c", COMPILES, *INSIDE], check=False, capture_output=True)
        loaded = subprocess.run(
            [python, "-c", LOADS, INSIDE[0].with_name("launch.py")], check=False, capture_output=True
        )
        assert (0, 0, b"", b"") == (compiled.returncode, loaded.returncode, compiled.stderr, loaded.stderr), python
