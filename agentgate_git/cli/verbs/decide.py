"""`git agentgate decide`: one code for what a runner says, in plain files or in notes."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.decide_files import RunFiles, decide_files
from agentgate_git.model.code import ALLOW, exit_of
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.run_record import CHANGES, PRODUCTION, RunDecision
from agentgate_git.render.printable import printable

HELP = "Decide a sealed run, from notes or from plain files: print ALLOW or exactly one code, and why on stderr."
EXAMPLES = (
    ("git agentgate decide HEAD", "from the evidence that is kept"),
    ("git agentgate decide --record record.json --credit credit.json", "from files"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rev", nargs="?", default="", metavar="REV", help="from notes: the proposal that ends here")
    parser.add_argument("--base", default="", metavar="REV", help="with REV: what the proposal is merged into")
    parser.add_argument("--record", default="", metavar="FILE", help="from files: who wrote and ran it, how it went")
    parser.add_argument("--credit", default="", metavar="FILE", help="what the changed symbols earned; none: no run")
    parser.add_argument("--freeze", default="", metavar="FILE", help="the leave for a failing test, where there is one")
    parser.add_argument("--change", choices=CHANGES, default="", help="what the patch changes (production)")
    parser.add_argument("--now", default="", metavar="TIME", help="with files: the time of the review, with a zone")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    has_files = bool(args.record or args.credit or args.freeze or args.change or args.now)
    if bool(args.rev or args.base) == has_files or not (args.rev or args.record):
        raise UsageFailure("either a revision or a record is decided", "see `git agentgate decide -h`")
    decision = _from_files(args, session) if has_files else _from_notes(args, session)
    session.write(decision.code + "\n")
    if decision.code != ALLOW:
        session.say(printable(f"git agentgate: {decision.code}: {decision.reason}: {decision.next_step()}"))
    return exit_of(decision.code)


def _from_files(args: argparse.Namespace, session: Session) -> RunDecision:
    record, credit, freeze = (name and session.path(name) for name in (args.record, args.credit, args.freeze))
    return decide_files(RunFiles(record, credit, freeze, args.now or session.now(), args.change or PRODUCTION))


def _from_notes(args: argparse.Namespace, session: Session) -> RunDecision:
    from agentgate_git.flows.decide_notes import decide_revision  # noqa: PLC0415 - plain files need no repository
    from agentgate_git.flows.workspace import Workspace  # noqa: PLC0415 - likewise

    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        return decide_revision(workspace, args.rev, args.base, session.now())
