"""`git agentgate uninstall`: take out what `install` put in."""

from __future__ import annotations

import argparse

from agentgate_git.cli.session import Session
from agentgate_git.flows.uninstall import uninstall
from agentgate_git.flows.workspace import open_clone
from agentgate_git.render.text import setup_text

HELP = "Take the native hooks and the configuration of notes and merges out again."


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """There are none."""


def run(_args: argparse.Namespace, session: Session) -> int:
    """Do it."""
    session.write(setup_text(uninstall(open_clone(session.directory, session.environ))))
    return 0
