"""`git agentgate sync`: exchange evidence with a remote."""

from __future__ import annotations

import argparse

from agentgate_git.cli.progress import transfer_progress
from agentgate_git.cli.session import Session
from agentgate_git.flows.sync import connect, fetch, sync
from agentgate_git.flows.workspace import Workspace

HELP = "Fetch, unite and push the evidence of a remote; neither side loses a line."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("remote", nargs="?", default="origin", metavar="REMOTE", help="a configured remote (origin)")
    parser.add_argument("--fetch-only", action="store_true", help="do not push")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    with (
        Workspace(session.directory, session.environ, is_clean=False) as workspace,
        transfer_progress(session) as progress,
    ):
        remote, tracking = connect(workspace, args.remote, progress)
        if args.fetch_only:
            gained = fetch(workspace.ledger(), remote, tracking).gained
            session.say(f"fetched from {args.remote}: {_counts(gained)}")
            return 0
        report = sync(workspace.ledger(), remote, tracking)
    session.say(f"fetched from {args.remote}: {_counts(report.fetched.gained)}")
    session.say(f"pushed to {args.remote}: {', '.join(report.pushed) or 'nothing new'}")
    return 0


def _counts(gained: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{count} new line(s) of {kind}" for kind, count in gained) or "nothing new"
