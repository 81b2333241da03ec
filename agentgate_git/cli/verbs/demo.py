"""`git agentgate demo`: what is allowed and what is refused, shown in a scratch repository."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile

from agentgate_git.cli.session import Session
from agentgate_git.flows.demo import demo
from agentgate_git.model.demo import DemoStep
from agentgate_git.model.exit_status import EXIT_ALLOW, EXIT_UNDECIDED
from agentgate_git.model.failure import UsageFailure
from agentgate_git.render.demo import demo_head_text, demo_step_text, demo_summary_text

HELP = "Show on an example project what is allowed and what is refused, in a scratch repository."
EXAMPLES = (("git agentgate demo --python .venv/bin/python", "a story of some twenty seconds"),)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--python", default=sys.executable, metavar="PATH", help="an interpreter that has pytest")
    parser.add_argument("--keep", default="", metavar="DIR", help="build the repository in a new directory and keep it")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    if args.keep:
        return _tell(_new_directory(session.path(args.keep)), args.python, session)
    with tempfile.TemporaryDirectory(prefix="agentgate-demo-") as directory:
        return _tell(directory, args.python, session)


def _new_directory(path: str) -> str:
    try:
        os.mkdir(path)
    except OSError as error:
        raise UsageFailure(f"{path} cannot be made ({error.strerror})", "name one that does not exist yet") from None
    return path


def _tell(directory: str, python: str, session: Session) -> int:
    session.write(demo_head_text(directory))
    steps: list[DemoStep] = []
    for step in demo(directory, session.environ, python):
        steps.append(step)
        session.write(demo_step_text(len(steps), step))
    session.write(demo_summary_text(tuple(steps)))
    return EXIT_ALLOW if all(step.is_as_told() for step in steps) else EXIT_UNDECIDED
