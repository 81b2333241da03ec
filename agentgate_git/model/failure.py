"""Exceptions: each one means "we could not look", and each says what to do next.

Findings are values; nothing here is raised to say that a change is bad.
"""

from __future__ import annotations


class Failure(Exception):
    """Ends the command with one line: what happened, then the next step."""

    exit_status = 3

    def __init__(self, message: str, next_step: str) -> None:
        super().__init__(message)
        self.message = message
        self.next_step = next_step

    def __str__(self) -> str:
        return f"{self.message}: {self.next_step}"


class UsageFailure(Failure):
    """The request itself is wrong (exit 2)."""

    exit_status = 2


class Undecided(Failure):
    """We could not look; callers treat it as a reject (exit 3)."""


class PolicyFailure(UsageFailure):
    """The policy or a manifest that we must obey cannot be read (exit 2)."""


class GitFailure(Undecided):
    """git answered with an error; carries its exit status and the last line of its stderr."""

    def __init__(self, argv: tuple[str, ...], status: int, stderr: str) -> None:
        last = stderr.strip().rsplit("\n", 1)[-1] or "no message"
        super().__init__(
            f"git {argv[0] if argv else ''} ended with status {status} ({last})", "run `git agentgate doctor`"
        )
        self.argv = argv
        self.status = status
        self.stderr = stderr
