"""What a verb may know of the outside: argument values, environment, directory, streams, the clock."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping

from agentgate_git.model.record import Record


class Session(Record):
    """One call of the command; `directory` is absolute."""

    environ: Mapping[str, str]
    directory: str

    def write(self, text: str) -> None:
        """Data for stdout; bytes that are no UTF-8 come out as they went in."""
        self.write_bytes(text.encode("utf-8", "surrogateescape"))

    def write_bytes(self, data: bytes) -> None:
        """Data for stdout, as it is."""
        sys.stdout.buffer.write(data)

    def say(self, text: str) -> None:
        """A message for stderr, one line."""
        sys.stderr.write(text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")

    def read_input(self) -> bytes:
        """All of stdin."""
        return sys.stdin.buffer.read()

    def has_terminal(self) -> bool:
        """True when messages go to a terminal, so that progress may be drawn."""
        return sys.stderr.isatty() and "NO_COLOR" not in self.environ

    def now(self) -> str:
        """The time as RFC 3339 with `Z`."""
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

    def path(self, name: str) -> str:
        """A path the user gave, seen from the directory they are in."""
        return os.path.join(self.directory, name)
