"""One hook file of ours in a directory of its own, with recorders in the place of what it starts."""

from __future__ import annotations

import subprocess
from pathlib import Path

from agentgate_git.flows.clone.hook_files import CHAINED
from testing.hooked_repo import path_of_programs, put_shim, recorder


class Hook:
    """A shim, its predecessor and the git-agentgate that it finds."""

    def __init__(self, directory: Path, stage: str, program: str = "") -> None:
        self.stage = stage
        self.log = directory / "log"
        self.bin = directory / "bin"
        self.path = path_of_programs(self.bin, "cat", "sh")
        self.file = put_shim(directory / "the hooks", stage, program)
        self.before = self.file.with_name(stage + CHAINED)
        self.directory = directory

    def with_tool(self, status: int = 0) -> Hook:
        """Put a git-agentgate on PATH."""
        recorder(self.bin / "git-agentgate", self.log, status=status)
        return self

    def with_predecessor(self, status: int = 0, *, reads: bool = True) -> Hook:
        """Put a hook that was there before in its place."""
        recorder(self.before, self.log, status=status, reads=reads)
        return self

    def run(self, *args: str, stdin: bytes = b"", shell: str = "", **env: str) -> subprocess.CompletedProcess[bytes]:
        """Run the shim, by itself or by a shell."""
        argv = [shell, str(self.file), *args] if shell else [str(self.file), *args]
        return subprocess.run(
            argv, input=stdin, capture_output=True, check=False, cwd=self.directory, env={"PATH": self.path, **env}
        )

    def stdin_of(self, name: str) -> bytes:
        """What one of the recorders read."""
        return Path(f"{self.log}.{name}").read_bytes()
