"""`git agentgate doctor`: what is missing for the hooks and the evidence to work."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.doctor import examine, is_complete
from agentgate_git.flows.workspace import open_clone
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_REJECTED
from agentgate_git.render.text import setup_text

HELP = "Say what is missing, with the next step for each."
EXAMPLES = (("git agentgate doctor", "what is missing in this clone"),)


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """There are none."""


def run(_args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    rows = examine(open_clone(session.directory, session.environ), session.environ)
    session.write(setup_text(rows))
    return EXIT_ALLOW if is_complete(rows) else EXIT_REJECTED
