"""`git agentgate capture`: run the tests of a tree and keep what happened."""

from __future__ import annotations

import argparse
import sys

from agentgate_git.cli.session import Session
from agentgate_git.flows.packets.capture_request import CaptureRequest, capture
from agentgate_git.flows.workspace import Workspace
from agentgate_git.render.text import capture_text

HELP = "Run the tests of the work tree (which must be clean) or of a revision, and record the packet."
EXAMPLES = (
    ("git agentgate capture", "the work tree, with the python of the active environment"),
    ("git agentgate capture HEAD~3 --python .venv/bin/python", "a revision, laid out in a scratch directory"),
    ("git agentgate capture -- services/billing", "only a part, to try it: `verify` asks for the policy's arguments"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rev", nargs="?", default="", metavar="REV", help="a revision, run in a scratch directory")
    parser.add_argument("--python", default="", metavar="PATH", help="the project's interpreter, which has pytest")
    parser.add_argument("--author-job", default="", metavar="JOB", help="the job that wrote the change")
    parser.add_argument("--base", default="", metavar="REV", help="what the proposal is merged into")
    parser.add_argument("--check-ids", action="store_true", help="collect again under other hash seeds and compare")
    parser.epilog = "What stands behind `--` goes to pytest, in place of the policy's arguments."


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    request = CaptureRequest(
        rev=args.rev,
        base=args.base,
        python=args.python,
        author_job=args.author_job or session.environ.get("AGENTGATE_AUTHOR_JOB", ""),
        checks_ids=args.check_ids,
        pytest_args=args.passed_on,
        is_interactive=sys.stdin is not None and sys.stdin.isatty(),
    )
    with Workspace(session.directory, session.environ, is_clean=bool(args.rev)) as workspace:
        result = capture(workspace, request)
    session.say(capture_text(result).rstrip("\n"))
    return result.exit_status
