"""`git agentgate sync`: exchange evidence with a remote."""

from __future__ import annotations

import argparse

from agentgate_git.cli.progress import transfer_progress
from agentgate_git.cli.session import Session
from agentgate_git.flows.sync import FetchReport, connect, fetch, sync
from agentgate_git.flows.workspace import Workspace

HELP = "Fetch, unite and push the evidence of a remote; neither side loses a line."
EXAMPLES = (
    ("git agentgate sync", "with origin, both ways"),
    ("git agentgate sync upstream --fetch-only", "where pushing is not for you"),
)


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
            _say_fetched(session, args.remote, fetch(workspace.ledger(), remote, tracking))
            return 0
        report = sync(workspace.ledger(), remote, tracking)
    _say_fetched(session, args.remote, report.fetched)
    session.say(f"pushed to {args.remote}: {', '.join(report.pushed) or 'nothing new'}")
    return 0


def _say_fetched(session: Session, name: str, report: FetchReport) -> None:
    session.say(f"fetched from {name}: {_counts(report.gained)}")
    if report.left_out:
        told = ", ".join(f"{count} object(s) of {kind}" for kind, count in report.left_out)
        session.say(f"left out, because notes or lines of {name} are too large: {told}")


def _counts(gained: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{count} new line(s) of {kind}" for kind, count in gained) or "nothing new"
