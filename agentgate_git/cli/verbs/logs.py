"""`git agentgate logs`: what the tests of a sealed run printed."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.logs import read_logs
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.code import ALLOW, exit_of
from agentgate_git.model.exit_status import EXIT_ALLOW
from agentgate_git.render.printable import printable
from agentgate_git.render.run_log import log_head, log_text

HELP = "Print the log of the sealed run of a proposal, once the run is over and its seal is kept."
EXAMPLES = (("git agentgate logs HEAD", "what the tests of the sealed run printed"),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rev", nargs="?", default="HEAD", metavar="REV", help="the proposal that ends here (HEAD)")
    parser.add_argument("--base", default="", metavar="REV", help="what the proposal is merged into")
    parser.add_argument("--seal", default="", metavar="SHA256", help="which run, by the start of its seal's digest")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        answer = read_logs(workspace, args.rev, args.base, args.seal, session.now())
    if answer.code != ALLOW:
        session.say(printable(f"git agentgate: {answer.code}: {answer.reason}: {answer.next_step}"))
        return exit_of(answer.code)
    session.say(f"git agentgate: {log_head(answer)}")
    session.write(log_text(answer.data))
    return EXIT_ALLOW
