"""The installed command, run as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from agentgate_git.model.record import Record
from testing.repo_builder import RepoBuilder

BIN = Path(sys.executable).parent
PROGRAM = str(BIN / "git-agentgate")


class Done(Record):
    """A finished command."""

    status: int
    stdout: str
    stderr: str

    def json(self) -> Any:
        """stdout as JSON."""
        return json.loads(self.stdout)


def agentgate(repo: RepoBuilder, *args: str, stdin: str = "", cwd: Path | None = None, **env: str) -> Done:
    """`git-agentgate …` in the repository, with the interpreter of the tests where one is needed."""
    done = subprocess.run(
        [PROGRAM, *args],
        cwd=cwd or repo.path,
        env={**repo.environment, "PATH": f"{BIN}:{repo.environment['PATH']}", **env},
        input=os.fsencode(stdin),
        capture_output=True,
        check=False,
    )
    return Done(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))
