"""`git agentgate install`: the native hooks and the configuration of notes and merges."""

from __future__ import annotations

import argparse
import os
import shutil
import sys

from agentgate_git.cli.session import Session
from agentgate_git.flows.install import install
from agentgate_git.flows.install_server import PRE_RECEIVE, UPDATE, install_server
from agentgate_git.flows.workspace import open_clone
from agentgate_git.render.text import setup_text

HELP = "Put the native pre-push hook and the configuration of notes and merges in place; chain what is there."
EXAMPLES = (
    ("git agentgate install", "beside pre-commit: the native pre-push hook, notes and merges"),
    ("git agentgate install --native", "without pre-commit: every hook"),
    ("git agentgate install --server pre-receive", "in a bare repository that others push to"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--native", action="store_true", help="every hook, for repositories without pre-commit")
    parser.add_argument("--attributes", action="store_true", help="the merge driver's lines in .gitattributes too")
    parser.add_argument(
        "--server",
        nargs="?",
        const=PRE_RECEIVE,
        default="",
        choices=(PRE_RECEIVE, UPDATE),
        help="nothing but that hook of a repository that others push to (pre-receive)",
    )


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    git = open_clone(session.directory, session.environ)
    if args.server:
        session.write(setup_text(install_server(git, own_program(), args.server)))
        return 0
    rows = install(git, own_program(), is_native=args.native, has_attributes=args.attributes)
    session.write(setup_text(rows))
    return 0


def own_program() -> str:
    """The absolute path of the git-agentgate that is running, or of the one on PATH."""
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "git-agentgate")
    if os.path.isfile(beside):
        return beside
    return shutil.which("git-agentgate") or os.path.join(os.path.dirname(sys.executable), "git-agentgate")
