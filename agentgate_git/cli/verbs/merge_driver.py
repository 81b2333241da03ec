"""`git agentgate merge-driver`: what git runs for paths with the attribute merge=agentgate-pins."""

from __future__ import annotations

import argparse

from agentgate_git.cli.boundary import guarded
from agentgate_git.cli.session import Session
from agentgate_git.flows.merge_driver import MergeRequest, merge_files
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_REJECTED
from agentgate_git.render.printable import printable

HELP = "Merge the pins of two sides; git runs it, as `install` configures it."
EXAMPLES = (("git agentgate merge-driver BASE OURS THEIRS 7 entropy.yaml", "what git calls"),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments, in git's order."""
    parser.add_argument("base", metavar="BASE", help="the common ancestor, empty when there is none")
    parser.add_argument("ours", metavar="OURS", help="one side, which takes the result")
    parser.add_argument("theirs", metavar="THEIRS", help="the other side")
    parser.add_argument("marker_size", metavar="SIZE", type=int, help="the length of conflict markers")
    parser.add_argument("path", metavar="PATH", help="the path that is merged")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it: 1 for everything but a result, so that git and the shell see a conflict and nothing else."""
    return EXIT_ALLOW if guarded(lambda: _merge(args, session)) == EXIT_ALLOW else EXIT_REJECTED


def _merge(args: argparse.Namespace, session: Session) -> int:
    base, ours, theirs = map(session.path, (args.base, args.ours, args.theirs))
    request = MergeRequest(base, ours, theirs, args.marker_size, args.path)
    conflicts = merge_files(session.directory, session.environ, request)
    for conflict in conflicts:
        session.say(f"git agentgate: {printable(request.path)}: {printable(conflict)}")
    return EXIT_REJECTED if conflicts else EXIT_ALLOW
