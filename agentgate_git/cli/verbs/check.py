"""`git agentgate check`: what a change set does to the gate."""

from __future__ import annotations

import argparse

from agentgate_git.cli.ranges import split_range
from agentgate_git.cli.session import Session
from agentgate_git.flows.change_sets.staged import look
from agentgate_git.flows.check import check_range, check_revision, check_staged, staged_proposal
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.formats import CHECK_FORMATS, TEXT, check_output
from agentgate_git.render.json_format import CHECK_SCHEMA
from agentgate_git.render.text import authors_text

HELP = "Judge a change set: guarded paths, pins, tests that stopped running."
EXAMPLES = (
    ("git agentgate check", "the proposal that ends at HEAD"),
    ("git agentgate check topic --base origin/main", "another one, and what it is merged into"),
    ("git agentgate check --staged", "what a commit would hold"),
    ("git agentgate check --format sarif", "for a forge or a bot; the exit status is the same"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("rev", nargs="?", default="", metavar="REV", help="the proposal that ends here (HEAD), or A..B")
    which.add_argument("--staged", action="store_true", help="what the index would commit")
    which.add_argument("--range", default="", metavar="A..B", help="the commits of B that A does not have")
    parser.add_argument("--base", default="", metavar="REV", help="what the proposal is merged into")
    parser.add_argument("--explain-authorship", action="store_true", help="in text: who made each commit, and why")
    parser.add_argument("--format", choices=CHECK_FORMATS, default=TEXT, help="how to answer")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    result = _judge(args, session)
    session.write(check_output(args.format, result, CHECK_SCHEMA))
    if args.explain_authorship and args.format == TEXT:
        session.write(authors_text(result.commits))
    return result.exit_status


def _judge(args: argparse.Namespace, session: Session) -> CheckResult:
    given = args.range or (args.rev if ".." in args.rev else "")
    if args.base and (given or args.staged):
        raise UsageFailure("--base goes with a revision, not with a range or the index", "leave it out")
    if args.staged:
        with Workspace(session.directory, session.environ, is_clean=False) as workspace:
            return check_staged(workspace, staged_proposal(workspace, look(workspace.clone), ""))
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        if given:
            start, end = split_range(given)
            return check_range(workspace, start, end)
        return check_revision(workspace, args.rev or "HEAD", args.base)
