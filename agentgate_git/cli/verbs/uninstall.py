"""`git agentgate uninstall`: take out what `install` put in."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.install_server import uninstall_server
from agentgate_git.flows.uninstall import uninstall
from agentgate_git.flows.workspace import open_clone
from agentgate_git.render.text import setup_text

HELP = "Take the native hooks and the configuration of notes and merges out again."
EXAMPLES = (("git agentgate uninstall", "take out what install put in"),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--server", action="store_true", help="the hooks of a repository that others push to")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    git = open_clone(session.directory, session.environ)
    session.write(setup_text(uninstall_server(git) if args.server else uninstall(git)))
    return 0
