"""`git agentgate scan`: compare two directories, no repository needed."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.scan import scan_directories
from agentgate_git.render.json_format import SCAN_SCHEMA, check_json
from agentgate_git.render.text import check_text

HELP = "Judge what changed between two directories: pins, and tests that stopped running."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--before", required=True, metavar="DIR", help="the directory as it was")
    parser.add_argument("--after", required=True, metavar="DIR", help="the directory as it is")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to answer")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    result = scan_directories(session.path(args.before), session.path(args.after))
    session.write(check_json(result, SCAN_SCHEMA) + "\n" if args.format == "json" else check_text(result))
    return result.exit_status
