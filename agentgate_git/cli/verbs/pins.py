"""`git agentgate pins suggest|probe`: which pins a property asks for, by its source or by a run."""

from __future__ import annotations

import argparse
import os

from agentgate_git.cli.session import Session
from agentgate_git.flows.pins_probe import probe
from agentgate_git.flows.pins_suggest import suggest
from agentgate_git.flows.sealed.sealed_plan import Surroundings
from agentgate_git.flows.workspace import Workspace
from agentgate_git.model.sandbox import AUTO, WANTED
from agentgate_git.render.pin_use import pins_json, pins_text

HELP = "List what properties read that no pin covers, and pins that nothing reads: by their source, or by a run."
EXAMPLES = (
    ("git agentgate pins suggest", "read the source of what entropy.yaml names"),
    ("git agentgate pins probe --python .venv/bin/python", "run those tests, and see what they read"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("deed", choices=("suggest", "probe"), metavar="suggest|probe", help="read, or run and watch")
    parser.add_argument("rev", nargs="?", default="HEAD", metavar="REV", help="the commit to look at (HEAD)")
    parser.add_argument("--python", default="", metavar="PATH", help="probe: the project's interpreter with pytest")
    parser.add_argument(
        "--sandbox", choices=WANTED, default=AUTO, help="probe: bubblewrap where it can work, else none"
    )
    parser.add_argument("--log", default=os.devnull, metavar="FILE", help="probe: where the output of the tests goes")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to answer")


def run(args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    with Workspace(session.directory, session.environ, is_clean=True) as workspace:
        if args.deed == "probe":
            surroundings = Surroundings(session.path(args.log), args.python, args.sandbox)
            found, notes = probe(workspace, args.rev, surroundings)
        else:
            found, notes = suggest(workspace, args.rev), ()
    session.write(pins_json(found) + "\n" if args.format == "json" else pins_text(found))
    for note in notes:
        session.say(f"git agentgate: {note}")
    return 0
