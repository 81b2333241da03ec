"""What the README shows is what happens: its console blocks are run, in order, in one scratch directory.

A line that starts with `$ ` is a command, what follows up to the next one is its output, stderr included. `...` in a
line stands for any text within it, a line of `...` for any lines. A line `[5]` at the end is the exit status, which is
0 where none stands.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentgate_git.model.record import Record
from testing.repo_builder import hermetic_environment

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STATUS = re.compile(r"\[(\d+)\]")


class Shown(Record):
    """A command of the README, what it prints, and how it ends."""

    command: str
    output: str
    status: int


def shown_commands(page: str) -> Iterator[Shown]:
    for block in CONSOLE.findall(page):
        _, *parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
        for part in parts:
            command, *lines = part.rstrip("\n").split("\n")
            ended = STATUS.fullmatch(lines[-1]) if lines else None
            if ended is not None:
                lines.pop()
            yield Shown(command, "\n".join(lines), int(ended[1]) if ended is not None else 0)


def pattern_of(output: str) -> str:
    """A regular expression for what the README shows."""
    return "".join(map(line_pattern, output.split("\n") if output else ()))


def line_pattern(line: str) -> str:
    return r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a reader would have cloned this repository, and the example is."""
    scratch = tmp_path_factory.mktemp("readme")
    (scratch / "home").mkdir()
    clone = scratch / "agentgate-git"
    shutil.copytree(
        ROOT / "examples", clone / "examples", ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache")
    )
    return scratch


def test_every_command_of_the_readme_does_what_it_shows(console: Path) -> None:
    environment = hermetic_environment(console / "home")
    environment["PATH"] = os.pathsep.join((os.path.dirname(sys.executable), environment["PATH"]))
    directory = console
    shown = tuple(shown_commands(README))
    assert len(shown) > 10
    for one in shown:
        done = subprocess.run(
            ["bash", "-c", f"{one.command}\nstatus=$?\npwd -P >{console}/where\nexit $status"],
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        output = done.stdout.decode("utf-8", "replace")
        assert (one.status, one.command) == (done.returncode, one.command), output
        assert re.fullmatch(pattern_of(one.output), output), f"$ {one.command}\n{output}\n--- README:\n{one.output}"
        directory = Path((console / "where").read_text(encoding="utf-8").rstrip("\n"))


@pytest.mark.parametrize(
    ("output", "actual"),
    [
        pytest.param("", "", id="nothing"),
        pytest.param("one\n...\nlast", "one\ntwo\nthree\nlast\n", id="lines left out"),
        pytest.param("tree ... is kept", "tree 1234 is kept\n", id="part of a line left out"),
    ],
)
def test_dots_stand_for_what_is_left_out(output: str, actual: str) -> None:
    assert re.fullmatch(pattern_of(output), actual) is not None


@pytest.mark.parametrize(
    ("output", "actual"),
    [
        pytest.param("", "something\n", id="nothing is nothing"),
        pytest.param("one", "one\ntwo\n", id="a line more"),
        pytest.param("1.5", "1x5\n", id="a dot is a dot"),
    ],
)
def test_what_is_not_left_out_must_be_there(output: str, actual: str) -> None:
    assert re.fullmatch(pattern_of(output), actual) is None
