"""`git agentgate scan`: what changes do to pins and tests, in a work tree, a history, or two directories."""

from __future__ import annotations

import argparse

from agentgate_git.cli.progress import transfer_progress
from agentgate_git.cli.ranges import split_range
from agentgate_git.cli.session import Session
from agentgate_git.flows.scan_history import scan_all, scan_range
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.failure import UsageFailure
from agentgate_git.model.verdict import CheckResult
from agentgate_git.render.formats import CHECK_FORMATS, TEXT, check_output
from agentgate_git.render.json_format import SCAN_SCHEMA
from agentgate_git.render.text import authors_text

HELP = "Judge what changed, whoever changed it: pins, and tests that stopped running. Without arguments: the work tree."
EXAMPLES = (
    ("git agentgate scan", "what is changed in the work tree"),
    ("git agentgate scan --range v1.0..HEAD --format json", "each commit of a range"),
    ("git agentgate scan --before old --after new", "two directories, without a repository"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--range", metavar="A..B", help="each commit of B that A does not have, on its own")
    which.add_argument("--all", nargs="?", const="HEAD", metavar="REV", help="each commit of REV (HEAD), on its own")
    which.add_argument("--before", metavar="DIR", help="the directory as it was; no repository is needed")
    parser.add_argument("--after", metavar="DIR", help="with --before: the directory as it is")
    parser.add_argument(
        "--no-cache", action="store_true", help="look at every commit anew, and keep nothing in the git directory"
    )
    parser.add_argument("--explain-authorship", action="store_true", help="in text: who made each commit, and why")
    parser.add_argument("--format", choices=CHECK_FORMATS, default=TEXT, help="how to answer")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    result = _judge(args, session)
    session.write(check_output(args.format, result, SCAN_SCHEMA))
    if args.explain_authorship and args.format == TEXT:
        session.write(authors_text(result.commits))
    return result.exit_status


def _judge(args: argparse.Namespace, session: Session) -> CheckResult:
    if (args.before is None) != (args.after is None):
        raise UsageFailure("--before and --after belong together", "give both, or neither")
    if args.before is not None:
        return _scan_files(args, session, None)
    given = split_range(args.range) if args.range is not None else ()
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        if not given and args.all is None:
            return _scan_files(args, session, workspace)
        with transfer_progress(session) as show:
            keeps = not args.no_cache
            if given:
                return scan_range(workspace, *given, show, keeps=keeps)
            return scan_all(workspace, args.all, show, keeps=keeps)


def _scan_files(args: argparse.Namespace, session: Session, workspace: Workspace | None) -> CheckResult:
    """Two directories, or the work tree. What reads files is not loaded for a history of which all is known."""
    from agentgate_git.flows.scan import scan_directories, scan_work_tree  # noqa: PLC0415

    if workspace is None:
        return scan_directories(session.path(args.before), session.path(args.after))
    return scan_work_tree(workspace)
