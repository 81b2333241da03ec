"""`git agentgate selftest`: does this installation decide as it must?"""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.selftest import selftest
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_REJECTED

HELP = "Replay the expected codes that are shipped with this version; `git agentgate doctor` does so too."
EXAMPLES = (("git agentgate selftest", "does this version answer as it should"),)


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """There are none."""


def run(_args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    result = selftest()
    for name, expected, actual in result.differing:
        session.write(f"{name}: {actual}, and must be {expected}\n")
    held = result.total - len(result.differing)
    session.write(f"{held} of {result.total} expected codes hold\n")
    if not result.differing:
        return EXIT_ALLOW
    session.say("git agentgate: this installation does not decide as it must: install agentgate-git again")
    return EXIT_REJECTED
