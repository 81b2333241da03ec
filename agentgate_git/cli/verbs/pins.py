"""`git agentgate pins suggest`: which pins a property asks for, by its source."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.pins_suggest import suggest
from agentgate_git.flows.workspace import Workspace
from agentgate_git.render.pin_use import pins_json, pins_text

HELP = "List what the properties of entropy.yaml read that no pin covers, and pins that nothing reads."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("deed", choices=("suggest",), metavar="suggest", help="what to do; there is one thing")
    parser.add_argument("rev", nargs="?", default="HEAD", metavar="REV", help="the commit to look at (HEAD)")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to answer")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        found = suggest(workspace, args.rev)
    session.write(pins_json(found) + "\n" if args.format == "json" else pins_text(found))
    return 0
