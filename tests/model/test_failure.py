"""What is told of a git that gave up: which command, why, and what to do about it."""

from __future__ import annotations

import pytest

from agentgate_git.model.failure import GitFailure

CRASH = "fatal: 'x' write error. Out of diskspace\nfast-import: dumping crash report to .git/fast_import_crash_7\n"
ADVICE = """fatal: Could not read from remote repository.

Please make sure you have the correct access rights
and the repository exists.
"""
SAID = {
    "a plain error": (
        ("rev-parse", "x"),
        "error: first\nfatal: bad revision\n",
        "git rev-parse",
        "git agentgate doctor",
    ),
    "options first": (("-c", "a.b=c", "--quiet", "push"), "fatal: no\n", "git push", "git agentgate doctor"),
    "a full disk": (
        ("-c", "a=b", "fast-import", "--quiet"),
        CRASH,
        "write error. Out of diskspace)",
        "make room there",
    ),
    "a medium that is only read": (("add",), "fatal: cannot lock: Read-only file system", "git add", "may be written"),
    "no such remote": (
        ("ls-remote", "x"),
        "fatal: '/x.git' does not appear to be a git repository\n" + ADVICE,
        "(fatal: '/x.git' does not appear to be a git repository)",
        "git agentgate doctor",
    ),
    "what ssh says": (
        ("push", "x"),
        "ssh: Could not resolve hostname nowhere\n" + ADVICE,
        "(ssh: Could not resolve hostname nowhere)",
        "git agentgate doctor",
    ),
    "nothing at all": (("gc",), "", "(no message)", "git agentgate doctor"),
}


@pytest.mark.parametrize(("argv", "stderr", "told", "step"), SAID.values(), ids=SAID)
def test_what_a_failed_git_is_told_as(argv: tuple[str, ...], stderr: str, told: str, step: str) -> None:
    failure = GitFailure(argv, 128, stderr)
    assert (True, True) == (told in failure.message, step in failure.next_step), str(failure)
