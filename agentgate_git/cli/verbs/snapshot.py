"""`git agentgate snapshot`: write the baseline of pins."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.snapshot import snapshot
from agentgate_git.flows.workspace import open_clone

HELP = "Write entropy.baseline.yaml from the manifest of the target branch."
EXAMPLES = (("git agentgate snapshot", "after entropy.yaml changed on the target branch"),)


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """There are none."""


def run(_args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    taken = snapshot(open_clone(session.directory, session.environ))
    deed = "wrote" if taken.is_written else "left as it is:"
    session.write(f"{deed} {taken.path}, from {taken.source} (tree {taken.tree[:12]})\n")
    return 0
