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


class NoEvidence(Failure):
    """What was asked about has no evidence yet (exit 4)."""

    exit_status = 4


class Undecided(Failure):
    """We could not look; callers treat it as a reject (exit 3)."""


class PolicyFailure(UsageFailure):
    """The policy or a manifest that we must obey cannot be read (exit 2)."""


class GitFailure(Undecided):
    """git answered with an error; carries its exit status and the line of its stderr that says why."""

    def __init__(self, argv: tuple[str, ...], status: int, stderr: str) -> None:
        reason = reason_of(stderr)
        super().__init__(f"git {_command(argv)} ended with status {status} ({reason})", _step(reason))
        self.argv = argv
        self.status = status
        self.stderr = stderr


# What git says when the disk is at fault, and what to do then.
_STEPS = (
    (("No space left on device", "Out of diskspace", "Disk quota exceeded"), "make room there, then run it again"),
    (("Read-only file system", "Permission denied"), "see that it may be written, then run it again"),
)
_ADVICE = (
    "fatal: Could not read from remote repository.",
    "Please make sure you have the correct access rights",
    "and the repository exists.",
)


def _command(argv: tuple[str, ...]) -> str:
    """The name of the command behind git's own options."""
    at = 0
    while at < len(argv) and argv[at].startswith("-"):
        at += 2 if argv[at] == "-c" else 1
    return argv[at] if at < len(argv) else ""


def reason_of(stderr: str) -> str:
    """The line in which git, or what it started, says why it gave up; advice that it always gives is none."""
    said = [line.strip() for line in stderr.splitlines() if line.strip()]
    lines = [line for line in said if line not in _ADVICE] or said or ["no message"]
    return next((line for line in reversed(lines) if line.startswith("fatal:")), lines[-1])


def _step(reason: str) -> str:
    return next((step for words, step in _STEPS if any(word in reason for word in words)), "run `git agentgate doctor`")
