"""The installed command, run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agentgate_git.model.record import Record
from testing.repo_builder import RepoBuilder
from testing.warm_python import WarmProgram

BIN = Path(sys.executable).parent
PROGRAM = str(BIN / "git-agentgate")
WARM = WarmProgram(PROGRAM)


class Done(Record):
    """A finished command."""

    status: int
    stdout: str
    stderr: str

    def json(self) -> Any:
        """stdout as JSON."""
        return json.loads(self.stdout)


def agentgate(repo: RepoBuilder, *args: str, stdin: str = "", cwd: Path | None = None, **env: str) -> Done:
    """`git-agentgate …` in the repository, with the interpreter of the tests where one is needed.

    A process of its own, whose imports were done before; `installed` starts the program from the beginning.
    """
    return _done(WARM.run(args, cwd or repo.path, _environment(repo, env), os.fsencode(stdin)))


def installed(repo: RepoBuilder, *args: str, stdin: str = "", cwd: Path | None = None, **env: str) -> Done:
    """The same as the shell starts it, for tests from end to end."""
    return _done(
        subprocess.run(
            [PROGRAM, *args],
            cwd=cwd or repo.path,
            env=_environment(repo, env),
            input=os.fsencode(stdin),
            capture_output=True,
            check=False,
        )
    )


def _environment(repo: RepoBuilder, more: Mapping[str, str]) -> dict[str, str]:
    return {**repo.environment, "PATH": f"{BIN}:{repo.environment['PATH']}", **more}


def _done(ended: subprocess.CompletedProcess[bytes]) -> Done:
    return Done(ended.returncode, os.fsdecode(ended.stdout), os.fsdecode(ended.stderr))
