"""`git agentgate freeze`: a dated leave for one failing test of a sealed run."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.freeze import WantedFreeze, file_freeze, list_freezes
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.exit_status import EXIT_ALLOW
from agentgate_git.model.failure import UsageFailure
from agentgate_git.render.freezes import freeze_text

HELP = "Give one failing test of a sealed run a dated leave, as somebody who neither wrote nor ran the patch."
EXAMPLES = (
    (
        "git agentgate freeze HEAD --test tests/test_a.py::test_b --until 2027-01-31T18:00:00Z --job review-2",
        "leave for one test that failed in the run",
    ),
    ("git agentgate freeze --list", "what is kept about HEAD"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rev", nargs="?", default="HEAD", metavar="REV", help="the proposal that ends here (HEAD)")
    parser.add_argument("--base", default="", metavar="REV", help="what the proposal is merged into")
    parser.add_argument("--test", default="", metavar="ID", help="the node id of the test that may fail")
    parser.add_argument("--until", default="", metavar="TIME", help="when that ends, with a zone")
    parser.add_argument("--job", default="", metavar="JOB", help="who files it; neither the author nor the runner")
    parser.add_argument("--credit", default="", metavar="ID", help="which run, where the tree has several")
    parser.add_argument("--reason", default="", metavar="TEXT", help="why, for whoever reads it later")
    parser.add_argument("--key", default="", metavar="FILE", help="the SSH key to sign with (user.signingkey)")
    parser.add_argument("--list", action="store_true", help="print what is kept about REV, and what it counts for")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    wanted = WantedFreeze(
        rev=args.rev,
        test=args.test,
        until=args.until,
        job=args.job,
        now=session.now(),
        base=args.base,
        credit_id=args.credit,
        reason=args.reason,
    )
    if args.list and (args.test or args.until or args.job or args.credit or args.reason or args.key):
        raise UsageFailure("--list goes with a revision and a base only", "leave the rest out")
    if not args.list and not (args.test and args.until and args.job):
        raise UsageFailure("a freeze is for one test, by somebody, until some time", "give --test, --job and --until")
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        if args.list:
            listed = list_freezes(workspace, wanted.rev, wanted.base, wanted.now)
            session.write("".join(map(freeze_text, listed)) or "no freeze\n")
            return EXIT_ALLOW
        session.write(freeze_text(file_freeze(workspace, wanted, session.path(args.key) if args.key else "")))
    session.say("git agentgate: run `git agentgate sync` to share it")
    return EXIT_ALLOW
