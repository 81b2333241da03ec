"""`git agentgate show`: every record kept about a tree."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.show import show
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_NO_EVIDENCE
from agentgate_git.render.text import shown_text

HELP = "Print the records kept about the tree of a revision."
EXAMPLES = (("git agentgate show HEAD~1", "the records of one tree"),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rev", nargs="?", default="HEAD", metavar="REV", help="a commit or tree (HEAD)")
    parser.add_argument("--raw", action="store_true", help="the stored lines themselves")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        lines = tuple(show(workspace, args.rev))
    if not lines:
        session.say(f"no record about the tree of {args.rev}: run `git agentgate capture {args.rev}`, or sync")
        return EXIT_NO_EVIDENCE
    if args.raw:
        session.write_bytes(b"".join(line.text + b"\n" for line in lines if line.text))
    else:
        session.write(shown_text(lines))
    return EXIT_ALLOW
