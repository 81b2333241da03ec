"""`git agentgate log`: commits and the evidence of their trees."""

from __future__ import annotations

import argparse

from agentgate_git.cli.ranges import split_range
from agentgate_git.cli.session import Session
from agentgate_git.flows.show import log, log_range
from agentgate_git.flows.workspace import Workspace
from agentgate_git.render.text import log_text

HELP = "List commits with the packets and verdicts of their trees."
EXAMPLES = (("git agentgate log -n 5", "which commits have packets that pass"),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("revs", nargs="?", default="HEAD", metavar="REV|A..B", help="where to start, or a range (HEAD)")
    parser.add_argument("-n", "--max-count", type=_count, default=20, metavar="N", help="at most so many commits (20)")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        rows = (
            log_range(workspace, *split_range(args.revs))
            if ".." in args.revs
            else log(workspace, args.revs, args.max_count)
        )
        session.write(log_text(tuple(rows)[: args.max_count]))
    return 0


def _count(text: str) -> int:
    """A number of commits, at least one."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of commits, from 1 on")
    return int(text)
