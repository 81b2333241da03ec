"""`git agentgate decide`: one code for what a runner says in plain files."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.decide_files import RunFiles, decide_files
from agentgate_git.model.code import ALLOW, next_step
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_REJECTED
from agentgate_git.model.run_record import CHANGES, PRODUCTION
from agentgate_git.render.printable import printable

HELP = "Decide a run from plain files: print ALLOW or exactly one code, and why on stderr."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--record", required=True, metavar="FILE", help="who wrote the patch, who ran it, how it went")
    parser.add_argument("--credit", default="", metavar="FILE", help="what the changed symbols earned; none: no run")
    parser.add_argument("--freeze", default="", metavar="FILE", help="the leave for a failing test, where there is one")
    parser.add_argument("--change", choices=CHANGES, default=PRODUCTION, help="what the patch changes")
    parser.add_argument("--now", default="", metavar="TIME", help="the time of the review, with a zone (the clock)")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    record, credit, freeze = (name and session.path(name) for name in (args.record, args.credit, args.freeze))
    decision = decide_files(RunFiles(record, credit, freeze, args.now or session.now(), args.change))
    session.write(decision.code + "\n")
    if decision.code == ALLOW:
        return EXIT_ALLOW
    session.say(printable(f"git agentgate: {decision.code}: {decision.reason}: {next_step(decision.code)}"))
    return EXIT_REJECTED
